import Synchronization

/// Request tokens (OAuth 1.0, RFC 5849, section 2). Each waits 15 minutes for a member to allow it, then a minute for
/// its program to exchange it once.
final class RequestTokens: Sendable {
  struct Waiting: Sendable {
    let app: String
    let secret: String
    let peer: String
    fileprivate(set) var member: String?
    fileprivate(set) var expires: Int64

    var isAllowed: Bool { member != nil }
  }

  private static let waitSeconds: Int64 = 15 * 60
  private static let lifeSeconds: Int64 = 60
  private static let most = 1000
  private let waiting = Mutex<[String: Waiting]>([:])

  /// Issues a token and its secret. If too many tokens wait, the oldest are dropped.
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

  func holds(_ token: String) -> Bool { waiting.withLock { $0[token] != nil } }

  func find(_ token: String, at now: Int64) -> Waiting? {
    waiting.withLock { $0[token] }.flatMap { $0.expires > now ? $0 : nil }
  }

  /// Lets the program exchange the token; false if it is gone or was allowed before.
  func allow(_ token: String, by member: String, at now: Int64) -> Bool {
    waiting.withLock { waiting in
      guard var found = waiting[token], found.expires > now, !found.isAllowed else { return false }
      found.member = member
      found.expires = now + RequestTokens.lifeSeconds
      waiting[token] = found
      return true
    }
  }

  func drop(_ token: String) { waiting.withLock { $0[token] = nil } }

  /// Uses up an allowed token and returns its member. A token that nobody has allowed keeps waiting.
  func redeem(_ token: String, at now: Int64) -> String? {
    waiting.withLock { waiting in
      guard let found = waiting[token], let member = found.member else { return nil }
      waiting[token] = nil
      return found.expires > now ? member : nil
    }
  }
}
