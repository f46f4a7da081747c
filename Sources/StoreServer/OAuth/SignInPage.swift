import Basics
import HTTPTypes
import Hummingbird
import NIOCore

/// The pages of a sign-in in a browser. They have no scripts, and all outside text is escaped.
enum SignInPage {
  static let wrongWord = "The code word is wrong, expired or already used."

  /// The form for the code word. `scopes` are the requested rights (nil: all); `peer` is the program's address if it
  /// gets in without another code.
  static func form(
    to address: String, app: String, asksFor scopes: String?, sealed: String, note: String?, from peer: String? = nil
  ) -> String {
    let warning = peer.map {
      "<p>It asks from <b>\(escaped($0))</b>. Continue only if you have just begun to sign in there yourself.</p>\n"
    }
    return whole(
      """
      <h1>Sign in to the club</h1>
      \(note.map { "<p class=\"note\">\(escaped($0))</p>" } ?? "")
      <p>The program with the app key <b>\(escaped(app))</b> asks for: \(escaped(scopes ?? "everything in the club")).</p>
      \(warning ?? "")<form method="post" action="\(address)" autocomplete="off">
      <input type="hidden" name="request" value="\(escaped(sealed))">
      <p><label>Code word (from the owner of the server)<br>
      <input name="word" size="26" autofocus></label></p>
      <p><button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Deny</button></p>
      </form>
      """)
  }

  static func code(_ code: String, name: String) -> String {
    whole(
      """
      <h1>Signed in as \(escaped(name))</h1>
      <p>Paste this code into the program within a minute:</p>
      <p><code id="code">\(escaped(code))</code></p>
      """)
  }

  static func allowed(name: String) -> String {
    whole(
      """
      <h1>Signed in as \(escaped(name))</h1>
      <p>Go back to the program within a minute, and confirm there.</p>
      """)
  }

  static let denied = failure("You allowed nothing. You can close this page.")

  static func failure(_ text: String) -> String { whole("<h1>Sign in to the club</h1>\n<p>\(escaped(text))</p>") }

  private static func whole(_ body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex">
    <meta name="viewport" content="width=device-width"><title>Byte Club</title>
    <style>body{font-family:sans-serif;max-width:36em;margin:3em auto;padding:0 1em}.note{color:#a00}
    code{font-size:1.2em;word-break:break-all}</style></head><body>
    \(body)
    </body></html>

    """
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}

extension Response {
  /// `redirect` is an allowed target of the page's form.
  static func page(_ html: String, status: HTTPResponse.Status = .ok, redirect: String? = nil) -> Response {
    let buffer = ByteBuffer(string: html)
    var headers: HTTPFields = [
      .contentType: "text/html; charset=utf-8", .contentLength: String(buffer.readableBytes),
      .cacheControl: "no-store",
    ]
    // Some browsers apply form-action to a form's redirects too.
    let target = redirect.map { " " + $0.prefix { $0 != "?" } } ?? ""
    headers.set(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'\(target); frame-ancestors 'none'; base-uri 'none'"
    )
    headers.set("X-Frame-Options", "DENY")
    headers.set("Referrer-Policy", "no-referrer")
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: buffer))
  }

  static func leaving(to redirect: String, _ values: [(String, String?)]) -> Response {
    let query = values.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encoded($0))" } }.joined(
      separator: "&")
    return Response(
      status: .found,
      headers: [.location: redirect + (redirect.contains("?") ? "&" : "?") + query, .cacheControl: "no-store"])
  }

  /// The form of OAuth 1.0 (RFC 5849, section 2.1).
  static func form(_ values: [(String, String)]) -> Response {
    let text = values.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
    let buffer = ByteBuffer(string: text)
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/x-www-form-urlencoded", .contentLength: String(buffer.readableBytes),
        .cacheControl: "no-store",
      ], body: ResponseBody(byteBuffer: buffer))
  }
}
