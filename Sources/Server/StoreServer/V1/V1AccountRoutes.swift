import Basics
import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let v1AccountRoutes: [Route] = [
    v1("account/info", scope: "account_info.read", v1Account),
    v1("disable_access_token", scope: "account_info.read", v1Disable),
    v1("oauth2/token_from_oauth1", scope: "account_info.read", v1Exchange),
  ]

  /// 31 bits suit every client.
  static func v1UserNumber(_ id: String) -> Int64 {
    let digits = SHA256.hexadecimal(of: "uid \(id)".utf8).prefix(8)
    return (Int64(digits, radix: 16) ?? 0) & 0x7FFF_FFFF
  }

  @Sendable private static func v1Account(_ v1: V1Call) async throws -> Response {
    let member = try v1.call.member
    let (used, quota) = try await v1.club.space(of: member)
    return .json(
      .members([
        "uid": .integer(v1UserNumber(member.id)), "display_name": .string(member.name),
        "email": .string("\(member.id)@members.invalid"), "email_verified": false, "country": "", "locale": "en",
        "referral_link": .string(v1.call.origin + "/"), "is_paired": false, "team": .null,
        "name_details": .members([
          "familiar_name": .string(member.name), "given_name": .string(member.name), "surname": "",
        ]),
        "quota_info": .members(["quota": .number(quota), "normal": .number(used), "shared": .integer(0)]),
      ]).adding(readerMark(member)))
  }

  /// Issues an OAuth 2 token for an OAuth 1 token. Both stay valid.
  @Sendable private static func v1Exchange(_ v1: V1Call) async throws -> Response {
    let (tokens, member, app) = (v1.club.tokens, try v1.call.member, try v1.text("oauth_consumer_key"))
    let isSigned = v1.call.head.headerFields[.authorization]?.lowercased().hasPrefix("oauth ") ?? (app != nil)
    guard isSigned else { throw V1Failure(400, "The request must be signed by OAuth 1.") }
    let token = try await v1.club.index.pool.run { () throws(StoreError) -> String in
      try tokens.issue(to: member, app: app)
    }
    return .json(.members(["access_token": .string(token), "token_type": "bearer"]))
  }

  @Sendable private static func v1Disable(_ v1: V1Call) async throws -> Response {
    let members = v1.club.members
    if let family = v1.call.caller.family {
      try await v1.club.index.pool.run { () throws(StoreError) in try members.revoke(family: family) }
    }
    return .json(.object([]))
  }
}
