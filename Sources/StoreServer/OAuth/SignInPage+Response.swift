import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  /// A sign-in page. `redirect` is where its form may lead.
  static func page(_ html: String, status: HTTPResponse.Status = .ok, redirect: String? = nil) -> Response {
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

  /// The way back to the program that asked, with what it is to know.
  static func leaving(to redirect: String, _ values: [(String, String?)]) -> Response {
    let query = values.compactMap { name, value in value.map { "\(name)=\(FormText.encoded($0))" } }.joined(
      separator: "&")
    return Response(
      status: .found,
      headers: [.location: redirect + (redirect.contains("?") ? "&" : "?") + query, .cacheControl: "no-store"])
  }

  /// Names and values as OAuth 1.0 answers with them (RFC 5849, section 2.1).
  static func form(_ values: [(String, String)]) -> Response {
    let text = values.map { "\($0)=\(FormText.encoded($1))" }.joined(separator: "&")
    let buffer = ByteBuffer(string: text)
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/x-www-form-urlencoded", .contentLength: String(buffer.readableBytes),
        .cacheControl: "no-store",
      ], body: ResponseBody(byteBuffer: buffer))
  }
}
