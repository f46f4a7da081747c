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

  /// Whose a token is; nil when it is none of ours, or for something else.
  func find(
    _ token: String, _ purpose: ServerToken.Purpose = .access
  ) throws(StoreError) -> (token: ServerToken, member: ServerMember)? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    let id = parts.count == 3 && parts[0] == "bc" ? String(parts[1]) : ""
    let digest = AccessTokens.digest(token)
    let found = try database.token(id: id)
    // Compared even when there is nothing to compare with, so that the time is the same.
    let isRight = ConstantTime.areEqual(found?.token.digest ?? [UInt8](repeating: 0, count: 32), digest)
    guard isRight, let found, found.token.purpose == purpose else { return nil }
    return found
  }

  private static func digest(_ token: String) -> [UInt8] {
    let hash = SHA256()
    hash.update(Array(token.utf8)[...])
    return hash.finish()
  }
}
