import Basics
import JSON

/// Signed strings (cursors, links): content and a MAC (HMAC-SHA256, RFC 2104, cut to 16 bytes).
struct Seal: Sendable {
  private let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// Seals strings for one use; they cannot be opened for another use.
  func seal(_ words: [String], for use: String) -> String {
    let text = Base64.text(of: JSON.array(words.map(JSON.string)).encoded.utf8, .url)
    return text + "." + Base64.text(of: mac(text, use), .url)
  }

  /// The sealed strings; nil unless this server sealed them for this use.
  func open(_ text: String, for use: String) -> [String]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    // Compared as text, because several texts decode to the same bytes and only the issued one is valid.
    guard parts.count == 2,
      ConstantTime.areEqual(Array(parts[1].utf8), Base64.encoded(mac(String(parts[0]), use), .url)),
      let bytes = Base64.bytes(of: parts[0], .url)
    else { return nil }
    guard case .array(let words)? = try? JSONReader.read(bytes) else { return nil }
    return words.compactMap { if case .string(let word) = $0 { word } else { nil } }
  }

  func mac(_ text: String, _ use: String) -> [UInt8] {
    Array(HMAC.sha256(use + "\n" + text, key: key).prefix(16))
  }
}

/// Keeps the key out of logs that describe a value with a seal.
extension Seal: CustomStringConvertible, CustomReflectable {
  var description: String { "Seal" }
  var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Compares secrets in a time that does not depend on their content.
enum ConstantTime {
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
  }
}
