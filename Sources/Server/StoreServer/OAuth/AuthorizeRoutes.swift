import Basics
import Database
import FileStores
import HTTPTypes
import Hummingbird

extension RouteTable {
  static let authorizeRoutes: [Route] = [
    Route(
      "/oauth2/authorize", .page,
      .everyone(because: "it is the page on which a member signs in, with a code word that works once")
    ) { call in try await authorize(call, SignInVisit(address: "/oauth2/authorize")) },
    Route(
      "/1/oauth2/authorize", .page,
      .everyone(because: "the same as /oauth2/authorize, under its older address")
    ) { call in try await authorize(call, SignInVisit(address: "/1/oauth2/authorize")) },
  ]

  private static func authorize(_ call: Call, _ visit: SignInVisit) async throws -> Response {
    do {
      return call.head.method == .post ? try await signIn(call, visit) : try await showPage(call, visit)
    } catch let fault as SignInVisit.Fault {
      return SignInPage.failure(fault.text).response(.badRequest)
    }
  }

  private static func showPage(_ call: Call, _ visit: SignInVisit) async throws -> Response {
    let query = FormText.query(of: call.head)
    guard let app = query["client_id"], !app.isEmpty else { throw SignInVisit.Fault(text: "client_id is missing.") }
    let apps = AppKeys(call.club.members)
    let redirects = try await call.club.index.pool.run { () throws(StoreError) in
      try apps.isOurs(app) ? try apps.redirects(of: app) : nil
    }
    guard let redirects else { throw SignInVisit.Fault(text: "client_id is not an app key of this server.") }
    let request = try AuthorizeRequest(query, app: app, redirects: redirects)
    let (sealed, cookie) = visit.begin(request.words, call.club)
    var response = request.form(visit, sealed: sealed, note: nil).response()
    response.headers.set("Set-Cookie", cookie)
    return response
  }

  private static func signIn(_ call: Call, _ visit: SignInVisit) async throws -> Response {
    let (form, sealed, words) = try await visit.read(call)
    guard let request = AuthorizeRequest(words: words) else { throw SignInVisit.Fault(text: "The form is incomplete.") }
    if form["answer"] == "deny" {
      guard let redirect = request.redirect else { return SignInPage.denied.response() }
      return .leaving(
        to: redirect,
        [("error", "access_denied"), ("error_description", "The member refused."), ("state", request.state)])
    }
    let (apps, app) = (AppKeys(call.club.members), request.app)
    guard try await call.club.index.pool.run({ () throws(StoreError) in try apps.isOurs(app) }) else {
      throw SignInVisit.Fault(text: "The code word is of another club than the program's app key.")
    }
    guard let member = try await SignInVisit.member(form, call) else {
      return request.form(visit, sealed: sealed, note: SignInPage.wrongWord).response(.forbidden)
    }
    let now = call.club.index.now()
    let code = call.club.codes.issue(
      AuthorizationCodes.Grant(
        member: member.id, app: request.app, redirect: request.redirect, challenge: request.challenge,
        isOffline: request.isOffline, scopes: request.scopes == Scopes.all ? nil : request.scopes,
        expires: AuthorizationCodes.end(now)), at: now)
    guard let redirect = request.redirect else { return SignInPage.code(code, name: member.name).response() }
    return .leaving(to: redirect, [("code", code), ("state", request.state)])
  }
}

extension AuthorizeRequest {
  fileprivate func form(_ visit: SignInVisit, sealed: String, note: String?) -> Page {
    SignInPage.form(
      to: visit.address, app: app, asksFor: scopes == Scopes.all ? nil : Scopes.text(scopes), sealed: sealed,
      note: note,
      redirect: redirect)
  }
}
