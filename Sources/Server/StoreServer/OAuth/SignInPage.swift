import Basics
import HTTPTypes
import Hummingbird
import Markdown
import NIOCore

/// The pages of a sign-in in a browser.
enum SignInPage {
  static let wrongWord = "The code word is wrong, expired or already used."

  private static let title = "Sign in to the club"

  /// The form for the code word. `scopes` are the requested rights (nil: all); `peer` is the program's address if it
  /// gets in without another code; `redirect` is the allowed address to which the form leads.
  static func form(
    to address: String, app: String, asksFor scopes: String?, sealed: String, note: String?, from peer: String? = nil,
    redirect: String?
  ) -> Page {
    let warning = peer.map {
      "<p>It asks from <b>\(HTMLText.name($0))</b>. Continue only if you have just begun to sign in there yourself.</p>\n"
    }
    let rights = HTMLText.name(scopes ?? "everything in the club")
    return Page(
      title: title,
      body: """
        <main><h1>\(title)</h1>
        \(note.map { "<p class=\"note\">\(HTMLText.escaped($0))</p>" } ?? "")
        <p>The program with the app key <b>\(HTMLText.name(app))</b> asks for: \(rights).</p>
        \(warning ?? "")<form method="post" action="\(address)" autocomplete="off">
        <input type="hidden" name="request" value="\(HTMLText.escaped(sealed))">
        <p><label>Code word (from the owner of the server)<br>
        <input name="word" size="26" autofocus></label></p>
        <p><button name="answer" value="allow">Allow</button>
        <button class="second" name="answer" value="deny">Deny</button></p>
        </form></main>
        """, redirect: redirect)
  }

  static func code(_ code: String, name: String) -> Page {
    signedIn(
      name,
      """
      <p>Paste this code into the program within a minute:</p>
      <p><code id="code">\(HTMLText.escaped(code))</code></p>
      """)
  }

  static func allowed(name: String) -> Page {
    signedIn(name, "<p>Go back to the program within a minute, and confirm there.</p>")
  }

  static let denied = failure("You allowed nothing. You can close this page.")

  static func failure(_ text: String) -> Page {
    Page(title: title, body: "<main><h1>\(title)</h1>\n<p>\(HTMLText.escaped(text))</p></main>")
  }

  private static func signedIn(_ name: String, _ rest: String) -> Page {
    Page(title: title, body: "<main><h1>Signed in as \(HTMLText.name(name))</h1>\n\(rest)</main>")
  }
}

extension Response {
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
