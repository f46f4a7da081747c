import Basics
import Database
import FileStores
import HTTPTypes
import Hummingbird

/// Sign-in by OAuth 1.0, as in version 1 of the API: instead of a verifier, the page shows the program and its address.
extension RouteTable {
  static let oauth1Routes: [Route] = [
    Route(
      "/1/oauth/request_token", .version1,
      .everyone(because: "a program signs it with its key and secret, which it checks itself"), requestToken),
    Route(
      "/1/oauth/authorize", .page,
      .everyone(because: "it is the page on which a member signs in, with a code word that works once"), allow),
    Route(
      "/1/oauth/access_token", .version1,
      .everyone(because: "it exchanges a token that a member has allowed, and checks its signature itself"),
      accessToken),
  ]

  private static let visit = SignInVisit(address: "/1/oauth/authorize")

  @Sendable private static func requestToken(_ call: Call) async throws -> Response {
    let app = try await signer(call, token: nil)
    let (token, secret) = call.club.requests.issue(to: app, peer: call.peer, at: call.club.index.now())
    return .form([("oauth_token_secret", secret), ("oauth_token", token)])
  }

  @Sendable private static func accessToken(_ call: Call) async throws -> Response {
    let (club, now) = (call.club, call.club.index.now())
    let word = call.signed?.oauth["oauth_token"] ?? ""
    let unknown = V1Failure(401, "Request token not found.")
    guard let waiting = club.requests.find(word, at: now) else {
      try call.noteFailure()
      throw unknown
    }
    guard try await signer(call, token: waiting) == waiting.app else { throw unknown }
    guard waiting.isAllowed else { throw V1Failure(401, "The member has not allowed this token yet.") }
    guard let id = club.requests.redeem(word, at: now) else { throw unknown }
    let (members, tokens) = (club.members, OAuth1Tokens(club.members))
    let issued = try await club.index.pool.run { () throws(StoreError) -> (ServerMember, OAuth1Tokens.Keys)? in
      guard let member = try members.member(id: id) else { return nil }
      return (member, try tokens.issue(to: member, app: waiting.app))
    }
    guard let (member, keys) = issued else { throw unknown }
    return .form([
      ("oauth_token_secret", keys.tokenSecret), ("oauth_token", keys.token), ("uid", String(v1UserNumber(member.id))),
    ])
  }

  /// The program, if its signature is right for its own secret and the waiting token's.
  /// - Throws: 401 for an unknown program, 403 for a wrong signature, 429.
  private static func signer(_ call: Call, token: RequestTokens.Waiting?) async throws -> String {
    guard let signed = call.signed, signed.isSigned else {
      throw V1Failure(401, "No auth function available for given request")
    }
    let (club, apps, app) = (call.club, AppKeys(call.club.members), signed.oauth["oauth_consumer_key"] ?? "")
    let secret = try await club.index.pool.run { () throws(StoreError) in
      try apps.isOurs(app) ? try apps.secret(of: app) : nil
    }
    guard let secret else {
      try call.noteFailure()
      throw V1Failure(401, "The consumer key is not an app key of this server.")
    }
    guard signed.isRight(consumerSecret: secret, tokenSecret: token?.secret ?? "") else {
      try call.noteFailure()
      throw V1Failure(403, "Invalid OAuth signature.")
    }
    try club.checkFresh(signed, of: app, from: "app " + app, at: club.index.now())
    return app
  }

  // MARK: The page

  @Sendable private static func allow(_ call: Call) async throws -> Response {
    do {
      return call.head.method == .post ? try await answer(call) : try await ask(call)
    } catch let fault as SignInVisit.Fault {
      return SignInPage.failure(fault.text).response(.badRequest)
    }
  }

  private static func ask(_ call: Call) async throws -> Response {
    let query = FormText.query(of: call.head)
    let token = query["oauth_token"] ?? ""
    let redirect = query["oauth_callback"].flatMap { $0.isEmpty || $0 == "oob" ? nil : $0 }
    let waiting = try waiting(token, call)
    let apps = AppKeys(call.club.members)
    let registered = try await call.club.index.pool.run { () throws(StoreError) in try apps.redirects(of: waiting.app) }
    if let redirect, !RedirectAddress.isAllowed(redirect, among: registered) {
      throw SignInVisit.Fault(
        text: "oauth_callback must be an address of this machine (http://127.0.0.1:PORT/), registered for the app "
          + "key (byteclub serve app redirect), or missing.")
    }
    let (sealed, cookie) = visit.begin([token, redirect ?? ""], call.club)
    var response = page(waiting, sealed: sealed, note: nil, redirect).response()
    response.headers.set("Set-Cookie", cookie)
    return response
  }

  private static func answer(_ call: Call) async throws -> Response {
    let (form, sealed, words) = try await visit.read(call)
    guard words.count == 2 else { throw SignInVisit.Fault(text: "The form is incomplete.") }
    let (token, redirect) = (words[0], words[1].isEmpty ? nil : words[1])
    let waiting = try waiting(token, call)
    if form["answer"] == "deny" {
      call.club.requests.drop(token)
      guard let redirect else { return SignInPage.denied.response() }
      return .leaving(to: redirect, [("not_approved", "true"), ("oauth_token", token)])
    }
    guard let member = try await SignInVisit.member(form, call) else {
      return page(waiting, sealed: sealed, note: SignInPage.wrongWord, redirect).response(.forbidden)
    }
    guard call.club.requests.allow(token, by: member.id, at: call.club.index.now()) else { throw tooOld }
    guard let redirect else { return SignInPage.allowed(name: member.name).response() }
    return .leaving(to: redirect, [("oauth_token", token), ("uid", String(v1UserNumber(member.id)))])
  }

  private static let tooOld = SignInVisit.Fault(
    text: "This sign-in is too old or already finished. Begin to sign in again.")

  private static func waiting(_ token: String, _ call: Call) throws(SignInVisit.Fault) -> RequestTokens.Waiting {
    guard let waiting = call.club.requests.find(token, at: call.club.index.now()), !waiting.isAllowed else {
      throw tooOld
    }
    return waiting
  }

  private static func page(
    _ waiting: RequestTokens.Waiting, sealed: String, note: String?, _ redirect: String?
  ) -> Page {
    SignInPage.form(
      to: visit.address, app: waiting.app, asksFor: nil, sealed: sealed, note: note, from: waiting.peer,
      redirect: redirect)
  }
}
