internal import FileStores
internal import TextUI

/// The words that narrow a list as they are typed.
struct FindField: Sendable {
  var field = TextField()
  /// True while keys go into the field.
  var isTyping = false
  /// What was chosen before, which Esc brings back; nil since the member has chosen something else.
  var before: Choice?

  /// The files that a search through texts found; what is typed narrows them further.
  var found: Found?

  var isActive: Bool { isTyping || !field.isEmpty || found != nil }

  /// What was chosen in a list, and which row was on top.
  struct Choice: Sendable {
    let path: StorePath?
    let top: Int
  }

  /// The result of a search through texts.
  struct Found: Sendable {
    let words: String
    let paths: Set<StorePath>
  }
}
