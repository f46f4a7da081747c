import Synchronization

/// The codes that a sign-in page has given out and that wait to be changed for tokens: each once, within a minute.
final class AuthorizationCodes: Sendable {
  /// What a member has allowed.
  struct Grant: Sendable {
    let member: String
    let app: String
    let redirect: String?
    /// What the verifier's hash is (PKCE); nil where the program proves itself by its secret.
    let challenge: String?
    let isOffline: Bool
    let scopes: Set<String>?
    let expires: Int64
  }

  private static let lifeSeconds: Int64 = 60
  private static let most = 1000
  private let grants = Mutex<[String: Grant]>([:])

  /// When a code that is given out now ends.
  static func end(_ now: Int64) -> Int64 { now + lifeSeconds }

  /// Gives out a code.
  func issue(_ grant: Grant, at now: Int64) -> String {
    let code = FreshID.word(43)
    grants.withLock { grants in
      if grants.count >= AuthorizationCodes.most { grants = grants.filter { $0.value.expires > now } }
      grants[code] = grant
    }
    return code
  }

  /// What a code stands for; it then is used up.
  func redeem(_ code: String, at now: Int64) -> Grant? {
    let grant = grants.withLock { $0.removeValue(forKey: code) }
    return grant.flatMap { $0.expires > now ? $0 : nil }
  }
}
