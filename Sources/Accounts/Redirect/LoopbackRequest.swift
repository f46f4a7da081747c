/// The one request that a browser makes to this machine after a sign-in (RFC 8252, section 7.3).
enum LoopbackRequest {
  /// Its meaning.
  enum Verdict: Sendable, Equatable {
    /// The sign-in went well.
    case code(String)
    /// The member, or the service, has said no; in the service's words.
    case declined(String)
    /// It has nothing to do with this sign-in.
    case refused
  }

  static let path = "/signed-in"
  /// Longer requests are none of ours.
  static let mostBytes = 16_384

  /// True when the head of a request is complete.
  static func isComplete(_ bytes: [UInt8]) -> Bool {
    // Only the last line can be empty: there is no body in a GET.
    bytes.suffix(4).elementsEqual("\r\n\r\n".utf8)
  }

  /// Judges a request: method, path, host (a page of another site may have had its name point here), and state must be
  /// right, each once.
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
