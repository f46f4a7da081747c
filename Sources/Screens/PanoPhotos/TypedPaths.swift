/// What a typed or dropped text may mean as paths of this machine. Terminals write dropped files with quotes, with
/// backslashes before blanks, or as `file://` addresses, several with blanks between them.
public enum TypedPaths {
  /// The readings, the likelier first; each is one path or several. Links, `~` and wildcards are left as they are.
  public static func readings(_ text: String) -> [[String]] {
    guard !text.isEmpty else { return [] }
    let words = TypedWords(text).words.map { path(ofAddress: $0) ?? $0 }
    let plain = [text]
    let isWritten = text.first == "'" || text.first == "\"" || text.hasPrefix("file://")
    let readings = isWritten ? [words, plain] : [plain, words]
    return readings[0] == readings[1] ? [plain] : readings.filter { !$0.isEmpty }
  }

  /// Whether a path has wildcards, as shells know them.
  public static func hasWildcard(_ path: String) -> Bool { path.contains { $0 == "*" || $0 == "?" || $0 == "[" } }

  /// The path of a `file://` address of this machine; nil for anything else.
  private static func path(ofAddress word: String) -> String? {
    guard word.hasPrefix("file://") else { return nil }
    let rest = word.dropFirst("file://".count)
    guard let start = rest.firstIndex(of: "/") else { return nil }
    var bytes: [UInt8] = []
    var encoded = Array(rest[start...].utf8)[...]
    while let byte = encoded.popFirst() {
      let digits = encoded.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        encoded = encoded.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
