import HTTPTypes
import Hummingbird
import Markdown

/// A page for people: plain HTML without scripts, in the one style of all pages. Foreign text in it is escaped by
/// `HTMLText`.
struct Page: Sendable {
  enum Width: String, Sendable {
    /// As wide as text reads well.
    case text
    /// As wide as the window.
    case full
  }

  /// A part of the body, as HTML.
  enum Part: Sendable {
    case text(String)
    /// Sent to many visitors from one place in memory.
    case made(Made)

    var bytes: [UInt8] {
      switch self {
      case .text(let text): Array(text.utf8)
      case .made(let made): made.bytes
      }
    }
  }

  let title: String
  let parts: [Part]
  var width = Width.text
  /// The address to which the page's form may lead besides this server's, without a query.
  var redirect: String?
  /// True for a page whose forms say where they come from. Its address holds no secret.
  var namesOrigin = false

  init(title: String, parts: [Part], width: Width = .text, redirect: String? = nil) {
    (self.title, self.parts, self.width, self.redirect) = (title, parts, width, redirect)
  }

  /// - Parameter body: HTML.
  init(title: String, body: String, width: Width = .text, redirect: String? = nil) {
    self.init(title: title, parts: [.text(body)], width: width, redirect: redirect)
  }

  var html: String { String(decoding: pieces.joined(), as: UTF8.self) }

  private var pieces: [[UInt8]] { [Array(head.utf8)] + parts.map(\.bytes) + [Array("\n</body></html>\n".utf8)] }

  private var head: String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    <title>\(HTMLText.name(title))</title>
    <style>\(PageStyle.text)</style></head><body class="\(width.rawValue)">

    """
  }

  /// The sources that the page may use: its own style by its hash, and pictures of this server.
  private var policy: String {
    // Some browsers apply form-action to a form's redirects too.
    let target = redirect.map { " " + String($0.prefix { $0 != "?" }) } ?? ""
    let sources = "default-src 'none'; img-src 'self'; style-src '\(PageStyle.hash)'; form-action 'self'\(target); "
    return sources + "frame-ancestors 'none'; base-uri 'none'"
  }

  func response(_ status: HTTPResponse.Status = .ok) -> Response {
    let body = ResponseBody.pieces(pieces, .small)
    var headers: HTTPFields = [
      .contentType: "text/html; charset=utf-8", .contentLength: String(body.contentLength ?? 0),
      .cacheControl: "no-store",
    ]
    headers.set("Content-Security-Policy", policy)
    headers.set("X-Frame-Options", "DENY")
    Page.seal(&headers)
    // With "no-referrer" a browser sends its forms with the origin "null".
    if namesOrigin { headers.set("Referrer-Policy", "same-origin") }
    return Response(status: status, headers: headers, body: body)
  }

  /// Leads a browser to another page of this server.
  static func seeOther(_ path: String, cookie: String? = nil) -> Response {
    var headers: HTTPFields = [.location: path, .cacheControl: "no-store", .contentLength: "0"]
    if let cookie { headers.set("Set-Cookie", cookie) }
    seal(&headers)
    return Response(status: .seeOther, headers: headers)
  }

  /// Keeps an answer for a browser out of search engines, of other sites' pages, and its address out of their logs.
  static func seal(_ headers: inout HTTPFields) {
    headers.set("Referrer-Policy", "no-referrer")
    headers.set("Cross-Origin-Opener-Policy", "same-origin")
    headers.set("Cross-Origin-Resource-Policy", "same-origin")
    headers.set("X-Robots-Tag", "noindex, nofollow")
  }

  /// The same for a file, which no browser runs, whatever is in it.
  static func sealFile(_ headers: inout HTTPFields) {
    headers.set("Content-Security-Policy", "default-src 'none'; sandbox")
    headers[.cacheControl] = "private, no-cache"
    seal(&headers)
  }
}

extension Page {
  /// A refusal, for a browser.
  static func failure(_ failure: APIFailure) -> Response {
    let (status, title, text): (Int, String, String) =
      switch failure {
      case .tooMany(let seconds):
        (429, "Too many wrong answers", "Wait \(seconds == 1 ? "a second" : "\(seconds) seconds"), then try again.")
      case .unavailable: (503, "Not now", "The club's files cannot be reached at the moment. Try again.")
      case .badArgument(let reason), .badCall(let reason): (400, "Not understood", reason)
      case .plain(let status, let line): (status, "Not possible", line)
      case .route, .access, .forbidden, .pathRoot: (400, "Not possible", "The server refused this request.")
      }
    let page = Page(title: title, body: "<main><h1>\(title)</h1>\n<p>\(HTMLText.escaped(text))</p></main>")
    var response = page.response(HTTPResponse.Status(code: status))
    if case .tooMany(let seconds) = failure { response.headers[.retryAfter] = String(seconds) }
    return response
  }
}
