import Basics
import Database
import FileStores

/// Bearer tokens of members: `bc.<id>.<secret>`. Stored as SHA-256, found by id, compared in constant time.
struct AccessTokens: Sendable {
  let database: ServerMembersDatabase

  /// Issues a token, which cannot be shown again.
  func issue(
    to member: ServerMember, _ purpose: ServerToken.Purpose = .access, family: String? = nil, app: String? = nil,
    scopes: Set<String>? = nil, expires: Int64? = nil
  ) throws(StoreError) -> String {
    let (token, text) = AccessTokens.make(
      for: member, purpose, family: family, app: app, scopes: scopes, expires: expires)
    try database.add(token)
    return text
  }

  /// A new token, and its text, which the token has only as a digest.
  static func make(
    for member: ServerMember, _ purpose: ServerToken.Purpose = .access, family: String? = nil, app: String? = nil,
    scopes: Set<String>? = nil, expires: Int64? = nil
  ) -> (token: ServerToken, text: String) {
    let id = FreshID.word(16)
    let text = "bc." + id + "." + FreshID.word(43)
    let token = ServerToken(
      id: id, digest: digest(text), member: member.id, purpose: purpose, family: family ?? id, app: app,
      scopes: scopes, expires: expires)
    return (token, text)
  }

  /// A token and its member; nil if the token is unknown or has another purpose. Blocks.
  func find(
    _ token: String, _ purpose: ServerToken.Purpose = .access
  ) throws(StoreError) -> (token: ServerToken, member: ServerMember)? {
    AccessTokens.checked(try database.token(id: AccessTokens.id(of: token)), token, purpose)
  }

  /// A token and its member; nil if unknown. A recently used token needs no thread.
  func find(
    _ token: String, _ purpose: ServerToken.Purpose = .access, on pool: BlockingPool
  ) async throws(StoreError) -> (token: ServerToken, member: ServerMember)? {
    if let known = remembered(token, purpose) { return known }
    return try await pool.run { () throws(StoreError) in try find(token, purpose) }
  }

  /// A token and its member if used recently; nil otherwise. Does not block.
  func remembered(
    _ token: String, _ purpose: ServerToken.Purpose = .access
  ) -> (token: ServerToken, member: ServerMember)? {
    AccessTokens.checked(database.remembered(id: AccessTokens.id(of: token)), token, purpose)
  }

  private static func id(of token: String) -> String {
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].elementsEqual("bc".utf8) ? String(Substring(parts[1])) : ""
  }

  /// The id of the row that a bearer token, a signing token or a code word would have.
  static func row(of word: String) -> String {
    let id = id(of: word)
    return id.isEmpty ? word : id
  }

  /// Compares even if nothing was found, which keeps the time constant.
  private static func checked(
    _ found: (token: ServerToken, member: ServerMember)?, _ token: String, _ purpose: ServerToken.Purpose
  ) -> (token: ServerToken, member: ServerMember)? {
    let isRight = ConstantTime.areEqual(found?.token.digest ?? [UInt8](repeating: 0, count: 32), digest(token))
    guard isRight, let found, found.token.purpose == purpose else { return nil }
    return found
  }

  static func digest(_ token: String) -> [UInt8] {
    let hash = SHA256()
    hash.update(Array(token.utf8)[...])
    return hash.finish()
  }
}
