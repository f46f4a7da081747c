import Database
import FileStores
import HTTPTypes
import JSON

/// A club that is being served: its files, its members, and what the server needs besides.
struct ServedClub: Sendable {
  let files: ClubFiles
  let uploads: UploadSessions
  let members: ServerMembersDatabase
  let seal: Seal
  /// The namespace id of the club's root.
  let space: String
  let isSecure: Bool
  let failures: FailureLimit
  /// The slowest that a body may come, in bytes a second, and after how many seconds that counts.
  let slowest: (rate: Double, after: Double)
  /// How much of a folder goes into one archive.
  let archives: ArchiveLimits
  let shares: ConnectionShares
  let longPolls: LongPolls
  let activity = Activity()
  let codes = AuthorizationCodes()
  let uploadLinks = UploadLinks()
  let requests = RequestTokens()
  let nonces = OAuth1Nonces()
  /// Bytes that the store can hold; nil when nobody knows.
  let capacity: @Sendable () -> UInt64?

  var index: ClubIndex { files.index }
  var tokens: AccessTokens { AccessTokens(database: members) }

  /// Who calls, when they may.
  /// - Throws: 401, 422, 429.
  func access(_ route: Route, _ address: Address, _ head: HTTPRequest, peer: String) async throws -> Caller {
    let caller: Caller
    switch route.access {
    case .everyone: return Caller(member: nil, family: nil)
    case .application: caller = try await application(head, peer)
    case .memberOrApplication where head.headerFields[.authorization].flatMap(BasicCredentials.init) != nil:
      caller = try await application(head, peer)
    case .member(let scope), .memberOrApplication(let scope):
      guard let word = head.headerFields[.authorization] ?? address.query["authorization"],
        word.prefix(7).lowercased() == "bearer "
      else { throw try refuse(peer) }
      let token = String(word.dropFirst(7).drop { $0 == " " })
      let found = try await tokens.find(token, on: index.pool)
      guard let found else { throw try refuse(peer) }
      if let end = found.token.expires, end <= index.now() { throw APIFailure.access(Tagged("expired_access_token")) }
      if let scopes = found.token.scopes, !scopes.contains(scope) {
        throw APIFailure.access(
          Tagged("missing_scope", with: [JSONMember("required_scope", .string(scope))]))
      }
      caller = Caller(member: found.member, family: found.token.family)
    }
    if let root = head.headerFields[.apiPathRoot] { try check(pathRoot: root) }
    return caller
  }

  /// Who calls, when that is known without waiting for anything and they may; nil otherwise, whatever the reason.
  func accessAtHand(_ route: Route, _ head: HTTPRequest) -> Caller? {
    guard case .member(let scope) = route.access, let word = head.headerFields[.authorization],
      word.prefix(7).lowercased() == "bearer ", head.headerFields[.apiPathRoot] == nil,
      let found = tokens.remembered(String(word.dropFirst(7).drop { $0 == " " }))
    else { return nil }
    if let end = found.token.expires, end <= index.now() { return nil }
    if let scopes = found.token.scopes, !scopes.contains(scope) { return nil }
    return Caller(member: found.member, family: found.token.family)
  }

  /// A program that shows its key and secret.
  private func application(_ head: HTTPRequest, _ peer: String) async throws -> Caller {
    guard let given = head.headerFields[.authorization].flatMap(BasicCredentials.init) else { throw try refuse(peer) }
    let apps = AppKeys(members)
    guard try await index.pool.run({ () throws(StoreError) in try apps.isRight(given.key, secret: given.secret) })
    else {
      throw try refuse(peer)
    }
    return Caller(member: nil, family: nil)
  }

  private func refuse(_ peer: String) throws(APIFailure) -> APIFailure {
    if let seconds = failures.note(peer, at: index.now()) { throw .tooMany(retryAfter: seconds) }
    return .invalidToken
  }

  /// A call may say from which namespace its paths go; there is one.
  private func check(pathRoot text: String) throws(APIFailure) {
    let root: JSON
    do {
      root = try JSONReader.read(Array(text.utf8))
    } catch {
      throw .badCall("HTTP header \"Dropbox-API-Path-Root\": could not decode input as JSON: \(error.reason)")
    }
    let tag: String
    switch (root, root[".tag"]) {
    case (.string(let word), _), (_, .string(let word)?): tag = word
    default: throw .badCall("HTTP header \"Dropbox-API-Path-Root\": missing '.tag' key")
    }
    switch tag {
    case "home": return
    case "root":
      guard root["root"] == .string(space) else {
        let info = JSON.members([
          ".tag": "user", "root_namespace_id": .string(space), "home_namespace_id": .string(space),
        ])
        throw .pathRoot(Tagged("invalid_root", with: [JSONMember("invalid_root", info)]))
      }
    case "namespace_id":
      guard root["namespace_id"] == .string(space) else { throw .pathRoot(Tagged("no_permission")) }
    default: throw .badCall("HTTP header \"Dropbox-API-Path-Root\": unknown tag '\(tag)'")
    }
  }
}
