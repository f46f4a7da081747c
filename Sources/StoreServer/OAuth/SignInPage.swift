/// The pages that a member sees in a browser while signing in. No scripts; everything from outside is escaped.
enum SignInPage {
  /// What is said of a code word that does not sign anybody in.
  static let wrongWord = "The code word is wrong, expired or already used."

  /// The form that asks for the code word.
  /// - Parameters:
  ///   - asksFor: the rights that the program wants; nil for all.
  ///   - from: the address that the program is at, where the program gets in without another word.
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

  /// The page with the code that is to be pasted into the program.
  static func code(_ code: String, name: String) -> String {
    whole(
      """
      <h1>Signed in as \(escaped(name))</h1>
      <p>Paste this code into the program within a minute:</p>
      <p><code id="code">\(escaped(code))</code></p>
      """)
  }

  /// The page after which the program goes on by itself.
  static func allowed(name: String) -> String {
    whole(
      """
      <h1>Signed in as \(escaped(name))</h1>
      <p>Go back to the program within a minute, and confirm there.</p>
      """)
  }

  /// The page for a member who said no.
  static let denied = failure("You allowed nothing. You can close this page.")

  /// A page that says what is wrong.
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

  /// Text as it may stand in a page.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}
