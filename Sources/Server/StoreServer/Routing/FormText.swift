import Basics
import HTTPTypes

/// Names and values (application/x-www-form-urlencoded).
enum FormText {
  private static let mostNames = 256

  /// The first value of a repeated name counts.
  static func read(_ text: some StringProtocol) -> [String: String] {
    var values: [String: String] = [:]
    for pair in PercentEncoding.pairs(ofForm: text, most: mostNames) {
      guard let name = pair.name, values[name] == nil else { continue }
      values[name] = pair.value
    }
    return values
  }

  static func query(of head: HTTPRequest) -> [String: String] {
    read(head.path?.split(separator: "?", maxSplits: 1).dropFirst().first ?? "")
  }
}

extension FormText {
  /// A file name (RFC 6266) in ASCII for old browsers, and in full.
  static func attachment(_ name: String) -> String {
    var plain = ""
    for scalar in name.unicodeScalars {
      let isPlain = (0x20..<0x7F).contains(scalar.value) && scalar != "\"" && scalar != "\\" && scalar != "%"
      plain.unicodeScalars.append(isPlain ? scalar : "_")
    }
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encoded(name))"
  }
}
