import Synchronization

/// The signed requests of the last minutes, so that none is taken twice (RFC 5849, section 3.3).
///
/// Each signer has a share of its own. When it is full, the older half goes and requests that old are refused: a signer
/// whose clock goes on is never locked out, and nobody else notices.
final class OAuth1Nonces: Sendable {
  private struct Share {
    /// The second of each request, by a hash of its token and nonce.
    var seen: [UInt64: Int64] = [:]
    /// Requests of this second and before are refused, as they are not remembered any more.
    var forgotten = Int64.min
    var newest: Int64 = 0
  }

  /// How far a request's clock may be from ours.
  static let windowSeconds: Int64 = 600
  private let most: Int
  private let shares = Mutex<(signers: [String: Share], tidied: Int64)>(([:], 0))

  /// - Parameter most: the most requests that are remembered of one signer, some 30 bytes each.
  init(most: Int = 20_000) { self.most = most }

  /// Whether a request's second is near enough to ours. Any number may be asked about.
  static func isRecent(_ second: Int64, now: Int64) -> Bool {
    (now - windowSeconds...now + windowSeconds).contains(second)
  }

  /// Notes a request of a second that is recent.
  /// - Returns: false when there was one like it, or when it is older than what is remembered of the signer.
  func note(_ words: String, from signer: String, _ second: Int64, now: Int64) -> Bool {
    var hasher = Hasher()
    hasher.combine(words)
    hasher.combine(second)
    let hash = UInt64(bitPattern: Int64(hasher.finalize()))
    return shares.withLock { shares in
      if now - shares.tidied > OAuth1Nonces.windowSeconds {
        shares.signers = shares.signers.filter { now - $0.value.newest <= OAuth1Nonces.windowSeconds }
        shares.tidied = now
      }
      var share = shares.signers.removeValue(forKey: signer) ?? Share()
      defer { shares.signers[signer] = share }
      guard second > share.forgotten else { return false }
      if share.seen.count >= most { forgetOlderHalf(of: &share, now) }
      guard second > share.forgotten else { return false }
      share.newest = max(share.newest, second)
      return share.seen.updateValue(second, forKey: hash) == nil
    }
  }

  private func forgetOlderHalf(of share: inout Share, _ now: Int64) {
    share.seen = share.seen.filter { now - $0.value <= OAuth1Nonces.windowSeconds }
    guard share.seen.count >= most else { return }
    let seconds = share.seen.values.sorted()
    let end = seconds[seconds.count / 2]
    share.forgotten = end
    share.seen = share.seen.filter { $0.value > end }
  }
}
