/// Foreign text in a page: for the content of an element, and for an attribute in double quotes.
public enum HTMLText {
  /// Control characters, which HTML forbids, become U+FFFD; so do the two marks that turn the order of all letters after
  /// them (U+202D, U+202E), because they make a text read as another one.
  public static func escaped(_ text: some StringProtocol) -> String {
    var html: [UInt8] = []
    append(Array(text.utf8), to: &html)
    return String(decoding: html, as: UTF8.self)
  }

  /// A name, which is shown on one line. All invisible characters become U+FFFD but those that join letters and emoji.
  public static func name(_ text: String) -> String { escaped(visible(text)) }

  /// A name for a header field or a program that is not a browser's page: as `name`, without escapes.
  public static func visible(_ name: String) -> String {
    var visible = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isShown =
        switch scalar.properties.generalCategory {
        // The joiners (U+200C, U+200D) belong to Persian words and to emoji.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
      visible.append(isShown ? scalar : "\u{FFFD}")
    }
    return String(visible)
  }

  /// Bytes that are not UTF-8 become U+FFFD, too.
  static func append(_ bytes: some Collection<UInt8>, to html: inout [UInt8]) {
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "&": html += "&amp;".utf8
      case "<": html += "&lt;".utf8
      case ">": html += "&gt;".utf8
      case "\"": html += "&quot;".utf8
      case "'": html += "&#39;".utf8
      case "\t", "\n": html.append(UInt8(scalar.value))
      default: html += String(isAllowed(scalar) ? scalar : "\u{FFFD}").utf8
      }
    }
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202D, 0x202E, 0xFDD0...0xFDEF: false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }
}
