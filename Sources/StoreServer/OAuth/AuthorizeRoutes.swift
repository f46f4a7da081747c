import Database
import FileStores
import HTTPTypes
import Hummingbird
import NIOCore

extension RouteTable {
  static let authorizeRoutes: [Route] = [
    Route(
      "/oauth2/authorize", .free,
      .everyone(because: "it is the page on which a member signs in, with a code word that works once"), authorize)
  ]

  private static let cookie = "byteclub_sign_in"

  @Sendable private static func authorize(_ call: Call) async throws -> Response {
    do {
      return call.head.method == .post ? try await signIn(call) : try await showPage(call)
    } catch let fault as AuthorizeRequest.Fault {
      return page(SignInPage.failure(fault.text), status: .badRequest)
    }
  }

  private static func showPage(_ call: Call) async throws -> Response {
    let query = FormText.read(call.head.path?.split(separator: "?", maxSplits: 1).dropFirst().first ?? "")
    let request = try AuthorizeRequest(query)
    let apps = AppKeys(call.club.members)
    guard try await call.club.index.pool.run({ () throws(StoreError) in try apps.isOurs(request.app) }) else {
      throw AuthorizeRequest.Fault(text: "client_id is no app key of this server.")
    }
    // The form works only in the browser that the page was shown in.
    let visit = FreshID.word(22)
    let sealed = call.club.seal.seal(request.words + [visit, String(call.club.index.now() + 900)], for: "sign-in")
    var response = page(SignInPage.form(request, sealed: sealed, note: nil), redirect: request.redirect)
    let secure = call.club.isSecure ? "; Secure" : ""
    response.headers.set(
      "Set-Cookie", "\(cookie)=\(visit); Path=/oauth2/authorize; Max-Age=900; HttpOnly; SameSite=Strict\(secure)")
    return response
  }

  private static func signIn(_ call: Call) async throws -> Response {
    guard let bytes = try await call.body.all(atMost: 16 * 1024) else {
      throw AuthorizeRequest.Fault(text: "The form is too large.")
    }
    let form = FormText.read(String(decoding: bytes, as: UTF8.self))
    let now = call.club.index.now()
    let stale = AuthorizeRequest.Fault(
      text: "This page is too old, or is not from this browser. Begin to sign in again.")
    guard let sealed = form["request"], let words = call.club.seal.open(sealed, for: "sign-in"), words.count == 9,
      let request = AuthorizeRequest(words: Array(words.prefix(7))), let end = Int64(words[8]), end > now,
      ConstantTime.areEqual(Array(words[7].utf8), Array(visit(call.head).utf8))
    else { throw stale }
    if form["answer"] == "deny" {
      guard let redirect = request.redirect else {
        return page(SignInPage.failure("Nothing was allowed. You can close this page."))
      }
      return leave(
        to: redirect,
        [("error", "access_denied"), ("error_description", "The member said no."), ("state", request.state)])
    }
    try call.checkFailures()
    let codeWords = CodeWords(call.club.members)
    let word = form["word"] ?? ""
    let member = try await call.club.index.pool.run { () throws(StoreError) in try codeWords.redeem(word, at: now) }
    guard let member else {
      try call.noteFailure()
      return page(
        SignInPage.form(request, sealed: sealed, note: "That code word is wrong, too old, or was used before."),
        status: .forbidden, redirect: request.redirect)
    }
    let code = call.club.codes.issue(
      AuthorizationCodes.Grant(
        member: member.id, app: request.app, redirect: request.redirect, challenge: request.challenge,
        isOffline: request.isOffline, scopes: request.scopes == Scopes.all ? nil : request.scopes,
        expires: AuthorizationCodes.end(now)), at: now)
    guard let redirect = request.redirect else { return page(SignInPage.code(code, name: member.name)) }
    return leave(to: redirect, [("code", code), ("state", request.state)])
  }

  private static func visit(_ head: HTTPRequest) -> String {
    for pair in (head.headerFields[.cookie] ?? "").split(separator: ";") {
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0] == cookie { return String(parts[1]) }
    }
    return ""
  }

  private static func leave(to redirect: String, _ values: [(String, String?)]) -> Response {
    let query = values.compactMap { name, value in value.map { "\(name)=\(FormText.encoded($0))" } }.joined(
      separator: "&")
    return Response(
      status: .found,
      headers: [.location: redirect + (redirect.contains("?") ? "&" : "?") + query, .cacheControl: "no-store"])
  }

  private static func page(
    _ html: String, status: HTTPResponse.Status = .ok, redirect: String? = nil
  ) -> Response {
    let buffer = ByteBuffer(string: html)
    var headers: HTTPFields = [
      .contentType: "text/html; charset=utf-8", .contentLength: String(buffer.readableBytes),
      .cacheControl: "no-store",
    ]
    // Some browsers hold a form's redirects to form-action, too.
    let target = redirect.map { " " + $0.prefix { $0 != "?" } } ?? ""
    headers.set(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'\(target); frame-ancestors 'none'; base-uri 'none'"
    )
    headers.set("X-Frame-Options", "DENY")
    headers.set("Referrer-Policy", "no-referrer")
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: buffer))
  }
}
