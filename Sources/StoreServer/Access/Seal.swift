import FileStores
import FoundationEssentials
import JSON

/// Words that the server gives out and can trust when they come back (cursors, links): what they say, and a MAC over it
/// (HMAC-SHA256, RFC 2104, cut to 16 bytes).
struct Seal: Sendable {
  private let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// Seals some words for one use; a word sealed for another use is not opened for this one.
  func seal(_ words: [String], for use: String) -> String {
    let text = Seal.base64(Array(JSON.array(words.map(JSON.string)).encoded.utf8))
    return text + "." + Seal.base64(mac(text, use))
  }

  /// The words; nil unless this server sealed them for this use.
  func open(_ text: String, for use: String) -> [String]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    // As text: some bytes have several, and only the one that was given out is good.
    guard parts.count == 2,
      ConstantTime.areEqual(Array(parts[1].utf8), Array(Seal.base64(mac(String(parts[0]), use)).utf8)),
      let bytes = Seal.bytes(String(parts[0]))
    else { return nil }
    guard case .array(let words)? = try? JSONReader.read(bytes) else { return nil }
    return words.compactMap { if case .string(let word) = $0 { word } else { nil } }
  }

  /// The MAC over a text, for one use.
  func mac(_ text: String, _ use: String) -> [UInt8] {
    let padded = key + [UInt8](repeating: 0, count: 64 - key.count)
    let inner = SHA256()
    inner.update(padded.map { $0 ^ 0x36 }[...])
    inner.update(Array((use + "\n" + text).utf8)[...])
    let outer = SHA256()
    outer.update(padded.map { $0 ^ 0x5C }[...])
    outer.update(inner.finish()[...])
    return Array(outer.finish().prefix(16))
  }

  /// base64url without `=` (RFC 4648, 5).
  static func base64(_ bytes: [UInt8]) -> String {
    var text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    while text.hasSuffix("=") { text.removeLast() }
    return text
  }

  static func bytes(_ text: String) -> [UInt8]? {
    var text = text.replacing("-", with: "+").replacing("_", with: "/")
    while text.utf8.count % 4 != 0 { text += "=" }
    return Data(base64Encoded: text).map(Array.init)
  }
}

/// A log that describes what has a seal must not tell its key.
extension Seal: CustomStringConvertible, CustomReflectable {
  var description: String { "Seal" }
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
