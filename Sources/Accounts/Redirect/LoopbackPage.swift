/// The page for a browser that has been sent back to this machine.
enum LoopbackPage {
  /// The member has signed in.
  static let signedIn = page(
    "200 OK", "You are signed in to your club", "You can close this page and go back to the terminal.")
  /// The member has said no.
  static let declined = page("200 OK", "You are not signed in", "You can close this page. Nothing has changed.")
  /// Not what the browser was sent here for.
  static let refused = page("400 Bad Request", "This is not the sign-in page", "You can close it.")

  /// A whole answer (RFC 9112). Nothing of the request is in it, nothing is loaded, and nothing of the address, which
  /// has a code in it, is told to others or kept.
  private static func page(_ status: String, _ title: String, _ text: String) -> [UInt8] {
    let body = """
      <!doctype html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Byte Club</title>
      <style>body{font:18px/1.5 sans-serif;max-width:32em;margin:20vh auto;padding:0 1em}</style></head>
      <body><h1>\(title)</h1><p>\(text)</p></body>
      </html>

      """
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.utf8.count)",
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "Referrer-Policy: no-referrer", "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
      "Connection: close", "", "",
    ]
    return Array(head.joined(separator: "\r\n").utf8) + Array(body.utf8)
  }
}
