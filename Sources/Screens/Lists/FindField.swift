internal import FileStores
internal import TextUI

/// The words that narrow a list as they are typed.
struct FindField: Sendable {
  var field = TextField()
  /// True while keys go into the field.
  var isTyping = false

  /// The files that a search through texts found; what is typed narrows them further.
  var found: Found?

  var isActive: Bool { isTyping || !field.isEmpty || found != nil }

  mutating func clear() { self = FindField() }

  /// The result of a search through texts.
  struct Found: Sendable {
    let words: String
    let paths: Set<StorePath>
  }
}
