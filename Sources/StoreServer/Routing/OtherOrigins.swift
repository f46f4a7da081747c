import HTTPTypes
import Hummingbird

/// What programs that run in a browser, on pages from elsewhere, are told they may do (Fetch, section 3.2).
///
/// All may call what shows a token or a sealed word with each call. No cookie counts there, so a page can do nothing that
/// its program could not do anyway. The sign-in pages have a cookie, and are for nobody's scripts.
enum OtherOrigins {
  private static let sentFields =
    "Authorization, Content-Type, Dropbox-API-Arg, Dropbox-API-Path-Root, Dropbox-API-Select-User, "
    + "Dropbox-API-User-Locale, If-None-Match, If-Range, Range, X-Dropbox-UserAgent"
  private static let seenFields =
    "Content-Disposition, Content-Length, Content-Range, Dropbox-API-Result, ETag, Retry-After, X-Dropbox-Metadata, "
    + "X-Dropbox-Request-Id"

  /// Whether scripts of other pages may call a route.
  static func mayCall(_ route: Route) -> Bool { !(route.style == .free && route.path.hasSuffix("/authorize")) }

  /// The answer to a browser that asks before it sends what a script wants to be sent.
  /// - Throws: `badCall` where that is not allowed, or the script itself wants none of it.
  static func preflight(_ route: Route, _ address: Address) throws(APIFailure) -> Response {
    guard mayCall(route), address.query["reject_cors_preflight"] != "true" else {
      throw .badCall("The method must be GET or POST, not OPTIONS.")
    }
    var headers: HTTPFields = [.contentLength: "0"]
    headers.set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT")
    headers.set("Access-Control-Allow-Headers", sentFields)
    headers.set("Access-Control-Max-Age", "600")
    return Response(status: .ok, headers: headers)
  }

  /// Lets scripts read an answer, whatever it says, where the request is from another page.
  static func allow(_ headers: inout HTTPFields, of route: Route?, to head: HTTPRequest) {
    guard head.headerFields[.origin] != nil, route.map(mayCall) != false else { return }
    headers.set("Access-Control-Allow-Origin", "*")
    headers.set("Access-Control-Expose-Headers", seenFields)
  }
}
