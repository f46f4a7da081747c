import Basics
// Swift's own composition. Foundation's brings 33 MB of ICU, and composes U+10041 as if it were "A".
@_spi(_Unicode) import Swift

/// Equality of names as in the API: Unicode composition (NFC) and letter case, by code point, without context.
enum Folding {
  static func composed(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text : String(String.UnicodeScalarView(text._nfc))
  }

  static func key(_ display: String) -> String {
    if display.utf8.allSatisfy({ $0 < 0x80 }) { return display.lowercased() }
    var key = ""
    for scalar in composed(display).unicodeScalars { key += scalar.properties.lowercaseMapping }
    return key
  }

  static func searched(_ text: String) -> String { String(decoding: SearchFold.folded(text), as: UTF8.self) }
}
