import Synchronization

/// The signed requests of the last minutes, so that none is taken twice (RFC 5849, section 3.3).
final class OAuth1Nonces: Sendable {
  /// How far a request's clock may be from ours.
  static let windowSeconds: Int64 = 600
  private static let most = 100_000
  private let seen = Mutex<[String: Int64]>([:])

  /// Notes a request.
  /// - Returns: false when there was one like it.
  func note(_ token: String, _ nonce: String, _ second: Int64, now: Int64) -> Bool {
    seen.withLock { seen in
      if seen.count >= OAuth1Nonces.most {
        seen = seen.filter { now - $0.value <= OAuth1Nonces.windowSeconds }
        if seen.count >= OAuth1Nonces.most { return false }
      }
      return seen.updateValue(second, forKey: "\(token) \(second) \(nonce)") == nil
    }
  }
}
