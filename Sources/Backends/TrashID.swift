internal import FileStores

/// The name of a folder in the trash: the moment, and a word that keeps two apart.
struct TrashID: Sendable, Equatable {
  let text: String
  let discarded: Timestamp

  init(discarded: Timestamp, word: UInt64) {
    self.discarded = discarded
    text = String(UInt64(bitPattern: discarded.nanoseconds), radix: 36) + "-" + String(word, radix: 36)
  }

  /// Reads a name; nil for what is none.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = UInt64(parts[0], radix: 36), let word = UInt64(parts[1], radix: 36) else {
      return nil
    }
    self.init(discarded: Timestamp(nanoseconds: Int64(bitPattern: time)), word: word)
    guard self.text == text else { return nil }
  }
}
