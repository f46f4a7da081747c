import Basics

/// The words in addresses that a club gives away: an id, which finds a row, and a checksum of the id by a secret of the
/// server. The API lists addresses, so the server must be able to write them again: a hash of a random secret would not do.
struct AddressWords: Sendable {
  private static let idLetters = 11
  private static let checkLetters = 22
  private let key: Seal
  private let use: String

  /// - Parameter use: a word of another use is none of these.
  init(_ key: Seal, for use: String) { (self.key, self.use) = (key, use) }

  static func freshID() -> String { FreshID.word(idLetters) }

  /// The checksum is computed anew each time, so neither a row nor a copy of the table opens anything.
  func word(_ id: String) -> String { id + Base64.text(of: key.mac(id, use), .url) }

  /// The id of a word that this server made.
  func id(_ word: String) -> String? {
    let id = String(word.prefix(AddressWords.idLetters))
    return ConstantTime.areEqual(Array(word.utf8), Array(self.word(id).utf8)) ? id : nil
  }

  /// The word behind `prefix` in a path; nil for a path of another form.
  static func word(inPath path: Substring, behind prefix: String) -> String? {
    guard path.hasPrefix(prefix) else { return nil }
    let word = path.dropFirst(prefix.count).prefix { $0 != "/" }
    return word.utf8.count == idLetters + checkLetters ? String(word) : nil
  }
}
