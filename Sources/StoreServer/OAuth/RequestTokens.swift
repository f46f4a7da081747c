import Synchronization

/// The tokens that programs have asked for in order to sign a member in (OAuth 1.0, RFC 5849, section 2): each waits a
/// quarter of an hour for a member who allows it, and then a minute for its program to exchange it, once.
final class RequestTokens: Sendable {
  /// What such a token is.
  struct Waiting: Sendable {
    let app: String
    let secret: String
    /// The address that asked.
    let peer: String
    /// Who has allowed it; nil when nobody has yet.
    fileprivate(set) var member: String?
    fileprivate(set) var expires: Int64

    var isAllowed: Bool { member != nil }
  }

  private static let waitSeconds: Int64 = 15 * 60
  private static let lifeSeconds: Int64 = 60
  private static let most = 1000
  private let waiting = Mutex<[String: Waiting]>([:])

  /// A new token for a program, and its secret. Of too many that wait the oldest go.
  func issue(to app: String, peer: String, at now: Int64) -> (token: String, secret: String) {
    let (token, secret) = (FreshID.word(22), FreshID.word(22))
    waiting.withLock { waiting in
      if waiting.count >= RequestTokens.most { waiting = waiting.filter { $0.value.expires > now } }
      while waiting.count >= RequestTokens.most, let oldest = waiting.min(by: { $0.value.expires < $1.value.expires }) {
        waiting[oldest.key] = nil
      }
      waiting[token] = Waiting(app: app, secret: secret, peer: peer, expires: now + RequestTokens.waitSeconds)
    }
    return (token, secret)
  }

  /// What a token is; nil for one that is unknown, too old or used.
  func find(_ token: String, at now: Int64) -> Waiting? {
    waiting.withLock { $0[token] }.flatMap { $0.expires > now ? $0 : nil }
  }

  /// A member allows a token, which then waits for its program.
  /// - Returns: false when it no longer exists, or was allowed before.
  func allow(_ token: String, by member: String, at now: Int64) -> Bool {
    waiting.withLock { waiting in
      guard var found = waiting[token], found.expires > now, !found.isAllowed else { return false }
      found.member = member
      found.expires = now + RequestTokens.lifeSeconds
      waiting[token] = found
      return true
    }
  }

  /// Forgets a token: a member said no.
  func drop(_ token: String) { waiting.withLock { $0[token] = nil } }

  /// The member who has allowed a token; it then is used up. Nil for one that nobody has, which goes on waiting.
  func redeem(_ token: String, at now: Int64) -> String? {
    waiting.withLock { waiting in
      guard let found = waiting[token], let member = found.member else { return nil }
      waiting[token] = nil
      return found.expires > now ? member : nil
    }
  }
}
