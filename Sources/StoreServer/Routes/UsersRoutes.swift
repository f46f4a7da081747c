import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let usersRoutes: [Route] = [
    Route("/2/users/get_current_account", .call, .member(scope: "account_info.read"), currentAccount),
    Route("/2/users/get_account", .call, .member(scope: "sharing.read"), account),
    Route("/2/users/get_space_usage", .call, .member(scope: "account_info.read"), spaceUsage),
  ]

  static let checkRoutes: [Route] = [
    Route("/2/check/user", .call, .member(scope: "account_info.read"), check),
    Route("/2/check/app", .call, .application, check),
  ]

  @Sendable private static func currentAccount(_ call: Call) async throws -> Response {
    .json(account(try call.member, call, isSelf: true))
  }

  @Sendable private static func account(_ call: Call) async throws -> Response {
    let wanted = try call.argument.string("account_id")
    let members = call.club.members
    let all = try await call.club.index.pool.run { () throws(StoreError) in try members.members() }
    guard let member = all.first(where: { accountID($0) == wanted }) else {
      throw APIFailure.route(Tagged("no_account"))
    }
    return .json(account(member, call, isSelf: member == (try call.member)))
  }

  private static func account(_ member: ServerMember, _ call: Call, isSelf: Bool) -> JSON {
    let name = JSON.string(member.name)
    return .members([
      "account_id": .string(accountID(member)),
      "name": .members([
        "given_name": name, "surname": "", "familiar_name": name, "display_name": name,
        "abbreviated_name": .string(String(member.name.prefix(2)).uppercased()),
      ]),
      "email": .string("\(member.id)@members.invalid"), "email_verified": false, "disabled": false,
      "is_teammate": isSelf ? nil : false, "locale": isSelf ? "en" : nil,
      "referral_link": isSelf ? .string(call.origin + "/") : nil, "is_paired": isSelf ? false : nil,
      "account_type": isSelf ? .tag("basic") : nil,
      "root_info": isSelf
        ? .members([
          ".tag": "user", "root_namespace_id": .string(call.club.space),
          "home_namespace_id": .string(call.club.space),
        ]) : nil,
    ])
  }

  /// An account id as the API has them, 40 characters; the same for a member for ever.
  static func accountID(_ member: ServerMember) -> String {
    "dbid:" + SHA256.hexadecimal(of: "account \(member.id)".utf8).prefix(35)
  }

  @Sendable private static func spaceUsage(_ call: Call) async throws -> Response {
    let used = try await call.club.index.read { try $0.usedBytes() }
    let allocated = max(call.club.capacity() ?? 1 << 41, used)
    return .json(
      .members([
        "used": .number(used), "allocation": .members([".tag": "individual", "allocated": .number(allocated)]),
      ]))
  }

  @Sendable private static func check(_ call: Call) async throws -> Response {
    let query = try call.argument.optionalString("query") ?? ""
    guard query.unicodeScalars.count <= 500 else { throw call.argument.fault("query", "is longer than 500 characters") }
    return .json(.members(["result": .string(query)]))
  }
}
