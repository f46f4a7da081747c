import Basics
import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let usersRoutes: [Route] = [
    Route("/2/users/get_current_account", .call, .member(scope: "account_info.read"), currentAccount),
    Route("/2/users/get_account", .call, .member(scope: "sharing.read"), account),
    Route("/2/users/get_account_batch", .call, .member(scope: "sharing.read"), accounts),
    Route("/2/users/features/get_values", .call, .member(scope: "account_info.read"), features),
    Route("/2/users/get_space_usage", .call, .member(scope: "account_info.read"), spaceUsage),
  ]

  static let checkRoutes: [Route] = [
    Route("/2/check/user", .call, .member(scope: "account_info.read"), check),
    Route("/2/check/app", .call, .application, check),
  ]

  @Sendable private static func currentAccount(_ call: Call) async throws -> Response {
    .json(fullAccount(try call.member, call))
  }

  @Sendable private static func account(_ call: Call) async throws -> Response {
    let wanted = try call.argument.string("account_id")
    guard let member = try await known(wanted, try await membersByAccount(call), call) else {
      throw APIFailure.route(Tagged("no_account"))
    }
    return .json(basicAccount(member, try call.member))
  }

  @Sendable private static func accounts(_ call: Call) async throws -> Response {
    let wanted = try call.argument.strings("account_ids", atMost: 300)
    guard !wanted.isEmpty else { throw call.argument.fault("account_ids", "must not be empty") }
    let (members, own) = (try await membersByAccount(call), try call.member)
    var accounts: [JSON] = []
    for id in wanted {
      guard let member = try await known(id, members, call) else {
        throw APIFailure.route(Tagged("no_account", with: [JSONMember("no_account", .string(id))]))
      }
      accounts.append(basicAccount(member, own))
    }
    return .json(.array(accounts))
  }

  /// The member of an account, or a member's guest, who has an account for the name alone.
  private static func known(
    _ account: String, _ members: [String: ServerMember], _ call: Call
  ) async throws -> ServerMember? {
    if let member = members[account] { return member }
    let database = call.club.members
    return try await call.club.index.pool.run { () throws(StoreError) in try database.guest(account: account) }
      .map { ServerMember(id: accountSeed($0), name: $0.shownName, created: 0) }
  }

  private static func membersByAccount(_ call: Call) async throws -> [String: ServerMember] {
    let members = call.club.members
    let all = try await call.club.index.pool.run { () throws(StoreError) in try members.members() }
    return Dictionary(all.map { (accountID($0), $0) }) { first, _ in first }
  }

  private static func account(_ member: ServerMember) -> JSON {
    let name = JSON.string(member.name)
    return .members([
      "account_id": .string(accountID(member)),
      "name": .members([
        "given_name": name, "surname": "", "familiar_name": name, "display_name": name,
        "abbreviated_name": .string(String(member.name.prefix(2)).uppercased()),
      ]),
      "email": .string("\(member.id)@members.invalid"), "email_verified": false, "disabled": false,
    ])
  }

  private static func basicAccount(_ member: ServerMember, _ own: ServerMember) -> JSON {
    account(member).adding([JSONMember("is_teammate", .bool(member == own))])
  }

  private static func fullAccount(_ member: ServerMember, _ call: Call) -> JSON {
    let root = JSON.members([
      ".tag": "user", "root_namespace_id": .string(call.club.space), "home_namespace_id": .string(call.club.space),
    ])
    return account(member).adding(
      [
        JSONMember("locale", "en"), JSONMember("referral_link", .string(call.origin + "/")),
        JSONMember("is_paired", false), JSONMember("account_type", .tag("basic")), JSONMember("root_info", root),
      ] + readerMark(member))
  }

  /// Dropbox's answer has no such field, and a writer's answer here neither.
  static func readerMark(_ member: ServerMember) -> [JSONMember] {
    member.isReader ? [JSONMember("read_only", true)] : []
  }

  /// Features of Dropbox plans; a club has none.
  @Sendable private static func features(_ call: Call) async throws -> Response {
    let known = ["paper_as_files", "file_locking", "team_shared_dropbox", "distinct_member_home"]
    let wanted = try call.argument.tags("features", among: known)
    guard !wanted.isEmpty else { throw APIFailure.route(Tagged("empty_features_list")) }
    let off = JSON.members([".tag": "enabled", "enabled": false])
    let values = wanted.map { feature in
      JSON.object([JSONMember(".tag", .string(feature)), JSONMember(feature, off)])
    }
    return .json(.members(["values": .array(values)]))
  }

  /// 40 characters, as in the API.
  static func accountID(_ member: ServerMember) -> String { accountID(member.id) }

  static func accountID(_ author: ServerAuthor) -> String { accountID(accountSeed(author)) }

  /// No guest has a member's account.
  private static func accountSeed(_ author: ServerAuthor) -> String {
    author.guest.map { SHA256.hexadecimal(of: "guest \(author.id) \($0)".utf8) } ?? author.id
  }

  static func accountID(_ id: String) -> String { "dbid:" + SHA256.hexadecimal(of: "account \(id)".utf8).prefix(35) }

  @Sendable private static func spaceUsage(_ call: Call) async throws -> Response {
    let (used, allocated) = try await call.club.space(of: try call.member)
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
