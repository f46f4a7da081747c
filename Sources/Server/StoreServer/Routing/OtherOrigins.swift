import HTTPTypes
import Hummingbird

/// Cross-origin access for programs in browsers (CORS: Fetch, section 3.2).
/// Scripts may call routes where each request carries a token or a sealed string; no cookie counts there. Pages may have
/// a cookie, and are closed to scripts.
enum OtherOrigins {
  private static let sentFields =
    "Authorization, Content-Type, Dropbox-API-Arg, Dropbox-API-Path-Root, Dropbox-API-Select-User, "
    + "Dropbox-API-User-Locale, If-None-Match, If-Range, Range, X-Dropbox-UserAgent"
  private static let seenFields =
    "Content-Disposition, Content-Length, Content-Range, Dropbox-API-Result, ETag, Retry-After, X-Dropbox-Metadata, "
    + "X-Dropbox-Request-Id"

  static func mayCall(_ route: Route) -> Bool { route.style != .page }

  /// - Throws: `badCall` if access is not allowed, or the script asks for a rejection.
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

  /// Also lets scripts read errors.
  static func allow(_ headers: inout HTTPFields, of route: Route?, to head: HTTPRequest) {
    guard head.headerFields[.origin] != nil, route.map(mayCall) != false else { return }
    headers.set("Access-Control-Allow-Origin", "*")
    headers.set("Access-Control-Expose-Headers", seenFields)
  }
}
