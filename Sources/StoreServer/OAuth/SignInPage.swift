/// The pages that a member sees in a browser while signing in. No scripts; everything from outside is escaped.
enum SignInPage {
  /// The form that asks for the code word.
  static func form(_ request: AuthorizeRequest, sealed: String, note: String?) -> String {
    let scopes = request.scopes == Scopes.all ? "everything in the club" : Scopes.text(request.scopes)
    return whole(
      """
      <h1>Sign in to the club</h1>
      \(note.map { "<p class=\"note\">\(escaped($0))</p>" } ?? "")
      <p>The program with the app key <b>\(escaped(request.app))</b> asks for: \(escaped(scopes)).</p>
      <form method="post" action="/oauth2/authorize" autocomplete="off">
      <input type="hidden" name="request" value="\(escaped(sealed))">
      <p><label>Code word (whoever runs the server gives you one)<br>
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

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}
