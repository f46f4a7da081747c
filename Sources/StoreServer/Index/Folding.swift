import FileStores
import Foundation

/// What makes two names one for the API: Unicode composition (NFC) and letter case, by code point and without regard to
/// context, as the official service folds paths.
enum Folding {
  /// The text in NFC.
  static func composed(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
  }

  /// The key of a shown path.
  static func key(_ display: String) -> String {
    if display.utf8.allSatisfy({ $0 < 0x80 }) { return display.lowercased() }
    var key = ""
    for scalar in composed(display).unicodeScalars { key += scalar.properties.lowercaseMapping }
    return key
  }

  /// A word without case and accents, for searching.
  static func searched(_ text: String) -> String { String(decoding: SearchFold.folded(text), as: UTF8.self) }
}
