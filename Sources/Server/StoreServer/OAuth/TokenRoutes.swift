import Basics
import Database
import FileStores
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON

extension RouteTable {
  static let tokenRoutes: [Route] = [
    Route(
      "/oauth2/token", .free, .everyone(because: "it changes a code or a refresh token, which it checks itself"), token),
    Route("/1/oauth2/token", .free, .everyone(because: "the same as /oauth2/token, under its older address"), token),
    Route("/2/auth/token/revoke", .call, .member(scope: "account_info.read"), revoke),
  ]

  private static let lifeSeconds: Int64 = 4 * 60 * 60
  private static let largestForm = 64 * 1024

  /// An error answer (RFC 6749, section 5.2).
  private struct Refusal: Error {
    let word: String
    let text: String
  }

  @Sendable private static func token(_ call: Call) async throws -> Response {
    guard call.head.method == .post else { throw APIFailure.plain(status: 405, "The method must be POST.") }
    guard let bytes = try await call.body.all(atMost: largestForm) else {
      throw APIFailure.plain(status: 413, "The form is too large.")
    }
    // Programs in browsers put all parameters into the address; a body would need a preflight.
    let form = FormText.read(String(decoding: bytes, as: UTF8.self)).merging(FormText.query(of: call.head)) {
      inBody, _ in inBody
    }
    var response: Response
    do {
      response = .json(try await answer(call, form))
    } catch let refusal as Refusal {
      response = .json(
        .members(["error": .string(refusal.word), "error_description": .string(refusal.text)]), status: .badRequest)
    }
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private static func answer(_ call: Call, _ form: [String: String]) async throws -> JSON {
    let app = try await application(call, form)
    switch form["grant_type"] {
    case "authorization_code": return try await redeemCode(call, form, app)
    case "refresh_token": return try await refresh(call, form, app.key)
    case nil: throw Refusal(word: "invalid_request", text: "grant_type is missing")
    default: throw Refusal(word: "unsupported_grant_type", text: "grant_type is unknown")
    }
  }

  /// `isProven` is true if the program also gave its right secret.
  private static func application(
    _ call: Call, _ form: [String: String]
  ) async throws -> (key: String, isProven: Bool) {
    let basic = call.head.headerFields[.authorization].flatMap(BasicCredentials.init)
    guard let key = basic?.key ?? form["client_id"] else {
      throw Refusal(word: "invalid_request", text: "client_id is missing")
    }
    let secret = (basic?.secret ?? form["client_secret"]).flatMap { $0.isEmpty ? nil : $0 }
    let apps = AppKeys(call.club.members)
    let isRight = try await call.club.index.pool.run { () throws(StoreError) -> Bool in
      guard let secret else { return try apps.isOurs(key) }
      return try apps.isRight(key, secret: secret)
    }
    guard isRight else {
      try call.noteFailure()
      throw Refusal(word: "invalid_client", text: "Invalid client_id or client_secret")
    }
    return (key, secret != nil)
  }

  private static func redeemCode(
    _ call: Call, _ form: [String: String], _ asking: (key: String, isProven: Bool)
  ) async throws -> JSON {
    let app = asking.key
    let now = call.club.index.now()
    let bad = Refusal(word: "invalid_grant", text: "code doesn't exist or has expired")
    let (code, codes, family) = (form["code"] ?? "", call.club.codes, FreshID.word(16))
    guard let grant = codes.redeem(code, for: family, at: now), grant.app == app else {
      if let family = codes.repeated(code) { try await end(family, call) }
      try call.noteFailure()
      throw bad
    }
    guard grant.redirect == form["redirect_uri"] || grant.redirect == nil && form["redirect_uri"]?.isEmpty != false
    else {
      throw Refusal(word: "invalid_grant", text: "redirect_uri is not the one that was used to sign in")
    }
    guard isVerified(form["code_verifier"] ?? "", grant.challenge) else {
      throw Refusal(word: "invalid_grant", text: "invalid code verifier")
    }
    guard grant.challenge != nil || asking.isProven else {
      throw Refusal(word: "invalid_client", text: "client_secret is missing, or code_challenge was")
    }
    let (tokens, members) = (call.club.tokens, call.club.members)
    let issued = try await call.club.index.pool.run { () throws(StoreError) -> (String, String?, ServerMember)? in
      guard let member = try members.member(id: grant.member) else { return nil }
      let access = try tokens.issue(
        to: member, family: family, app: app, scopes: grant.scopes, expires: now + lifeSeconds)
      guard grant.isOffline else { return (access, nil, member) }
      let refresh = try tokens.issue(to: member, .refresh, family: family, app: app, scopes: grant.scopes)
      return (access, refresh, member)
    }
    if codes.isRepeated(code) {
      try await end(family, call)
      throw bad
    }
    guard let (access, refresh, member) = issued else { throw bad }
    return .members([
      "access_token": .string(access), "token_type": "bearer", "expires_in": .integer(lifeSeconds),
      "refresh_token": refresh.map(JSON.string), "scope": .string(Scopes.text(grant.scopes ?? Scopes.all)),
      "uid": .string(String(v1UserNumber(member.id))), "account_id": .string(RouteTable.accountID(member)),
    ])
  }

  /// True if the verifier fits the challenge (RFC 7636, section 4.6), or both are missing. A verifier alone fails: its
  /// challenge was lost on the way.
  private static func isVerified(_ verifier: String, _ challenge: String?) -> Bool {
    guard let challenge else { return verifier.isEmpty }
    let hash = SHA256()
    hash.update(Array(verifier.utf8)[...])
    return (43...128).contains(verifier.utf8.count)
      && ConstantTime.areEqual(Base64.encoded(hash.finish(), .url), Array(challenge.utf8))
  }

  private static func refresh(_ call: Call, _ form: [String: String], _ app: String) async throws -> JSON {
    let now = call.club.index.now()
    let tokens = call.club.tokens
    let given = form["refresh_token"] ?? ""
    let found = try await call.club.index.pool.run { () throws(StoreError) in try tokens.find(given, .refresh) }
    guard let found, found.token.app == app else {
      try call.noteFailure()
      throw Refusal(word: "invalid_grant", text: "refresh token is invalid or revoked")
    }
    var scopes = found.token.scopes
    if let wanted = form["scope"], !wanted.isEmpty {
      guard let narrowed = Scopes.read(wanted), narrowed.isSubset(of: scopes ?? Scopes.all) else {
        throw Refusal(word: "invalid_scope", text: "scope may only be narrowed")
      }
      scopes = narrowed
    }
    let access = try await call.club.index.pool.run { [scopes] () throws(StoreError) in
      try tokens.issue(
        to: found.member, family: found.token.family, app: app, scopes: scopes, expires: now + lifeSeconds)
    }
    return .members([
      "access_token": .string(access), "token_type": "bearer", "expires_in": .integer(lifeSeconds),
      "scope": .string(Scopes.text(scopes ?? Scopes.all)),
    ])
  }

  /// Revokes the request's token and its whole family, including the refresh token.
  @Sendable private static func revoke(_ call: Call) async throws -> Response {
    if let family = call.caller.family { try await end(family, call) }
    return .json(.null)
  }

  private static func end(_ family: String, _ call: Call) async throws {
    let members = call.club.members
    try await call.club.index.pool.run { () throws(StoreError) in try members.revoke(family: family) }
  }
}

enum Scopes {
  static let all: Set<String> = [
    "account_info.read", "files.metadata.read", "files.metadata.write", "files.content.read", "files.content.write",
    "files.permanent_delete", "sharing.read", "sharing.write", "file_requests.read", "file_requests.write",
  ]

  /// True for a right that readers do not have.
  static func isWriting(_ scope: String) -> Bool { !scope.hasSuffix(".read") }

  /// nil if a scope is unknown. An empty list means all, and a write scope includes its read scope.
  static func read(_ text: String?) -> Set<String>? {
    let words = Set((text ?? "").split(separator: " ").map(String.init))
    if words.isEmpty { return all }
    guard words.isSubset(of: all) else { return nil }
    let writing = words.filter { $0.hasSuffix(".write") }
    return words.union(writing.map { $0.dropLast("write".count) + "read" })
  }

  static func text(_ scopes: Set<String>) -> String { scopes.sorted().joined(separator: " ") }
}
