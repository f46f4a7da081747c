import Database
import FileStores

/// The tokens that members sign their calls with: `bc.<id>.<secret>`. The list holds each one's SHA-256 alone; a token
/// is found by its id, which is no secret, and then compared in constant time.
struct AccessTokens: Sendable {
  let database: ServerMembersDatabase

  /// Gives out a token. It cannot be had a second time.
  func issue(
    to member: ServerMember, _ purpose: ServerToken.Purpose = .access, family: String? = nil, app: String? = nil,
    scopes: Set<String>? = nil, expires: Int64? = nil
  ) throws(StoreError) -> String {
    let id = FreshID.word(16)
    let token = "bc." + id + "." + FreshID.word(43)
    try database.add(
      ServerToken(
        id: id, digest: AccessTokens.digest(token), member: member.id, purpose: purpose, family: family ?? id,
        app: app, scopes: scopes, expires: expires))
    return token
  }

  /// Whose a token is; nil when it is none of ours, or for something else. Blocks.
  func find(
    _ token: String, _ purpose: ServerToken.Purpose = .access
  ) throws(StoreError) -> (token: ServerToken, member: ServerMember)? {
    AccessTokens.checked(try database.token(id: AccessTokens.id(of: token)), token, purpose)
  }

  /// Whose an access token is; nil when it is none of ours. One that was asked for a moment ago costs no thread.
  func find(
    _ token: String, on pool: BlockingPool
  ) async throws(StoreError) -> (token: ServerToken, member: ServerMember)? {
    if let known = remembered(token) { return known }
    return try await pool.run { () throws(StoreError) in try find(token) }
  }

  /// Whose an access token is, when it was asked for a moment ago; nil otherwise. Does not block.
  func remembered(_ token: String) -> (token: ServerToken, member: ServerMember)? {
    AccessTokens.checked(database.remembered(id: AccessTokens.id(of: token)), token, .access)
  }

  private static func id(of token: String) -> String {
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].elementsEqual("bc".utf8) ? String(Substring(parts[1])) : ""
  }

  /// Compared even when there is nothing to compare with, so that the time is the same.
  private static func checked(
    _ found: (token: ServerToken, member: ServerMember)?, _ token: String, _ purpose: ServerToken.Purpose
  ) -> (token: ServerToken, member: ServerMember)? {
    let isRight = ConstantTime.areEqual(found?.token.digest ?? [UInt8](repeating: 0, count: 32), digest(token))
    guard isRight, let found, found.token.purpose == purpose else { return nil }
    return found
  }

  private static func digest(_ token: String) -> [UInt8] {
    let hash = SHA256()
    hash.update(Array(token.utf8)[...])
    return hash.finish()
  }
}
