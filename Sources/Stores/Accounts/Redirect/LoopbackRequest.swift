/// A browser's request after a sign-in (RFC 8252, section 7.3).
enum LoopbackRequest {
  enum Verdict: Sendable, Equatable {
    case code(String)
    case declined(String)
    case refused
  }

  static let path = "/signed-in"
  /// Longer requests do not belong to a sign-in.
  static let mostBytes = 16_384

  static func isComplete(_ bytes: [UInt8]) -> Bool {
    // A GET has no body: the empty line is the end.
    bytes.suffix(4).elementsEqual("\r\n\r\n".utf8)
  }

  /// Method, path, host and state must be right, each once. The host counts because another site's name may resolve to
  /// this machine.
  static func verdict(_ bytes: [UInt8], host: String, state: String) -> Verdict {
    guard let text = String(validating: bytes, as: UTF8.self) else { return .refused }
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[0] == "GET", words[2].hasPrefix("HTTP/1."), words[1].hasPrefix(path + "?") else {
      return .refused
    }
    let hosts = lines.dropFirst().compactMap { line -> String? in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].lowercased() == "host" else { return nil }
      return String(parts[1].drop { $0 == " " || $0 == "\t" })
    }
    guard hosts == [host], let fields = FormEncoding.fields(of: words[1].dropFirst(path.count + 1)),
      TokenText.matches(fields["state"] ?? "", state)
    else { return .refused }
    if let error = fields["error"] { return .declined(fields["error_description"] ?? error) }
    guard let code = fields["code"], (1...4096).contains(code.utf8.count), code.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { return .refused }
    return .code(code)
  }
}

enum LoopbackPage {
  static let signedIn = page(
    "200 OK", "You are signed in to your club", "You can close this page and go back to the terminal.")
  static let declined = page("200 OK", "You are not signed in", "You can close this page. Nothing has changed.")
  static let refused = page("400 Bad Request", "This is not the sign-in page", "You can close it.")

  /// A whole response (RFC 9112). It contains nothing of the request and loads nothing; its headers keep the address,
  /// which contains a code, out of referrers and caches.
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
