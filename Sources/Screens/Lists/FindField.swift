public import FileStores
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
    let files: [StorePath: FoundFile]
  }
}

/// A file that a search found.
public struct FoundFile: Sendable, Hashable {
  /// The file.
  public let path: StorePath
  /// The number of the first line that has the words, from 1; nil when no line is known.
  public let line: Int?
  /// That line, or the part of it with the words.
  public let text: String
  /// How many further lines have them.
  public let more: Int

  /// Makes one.
  public init(_ path: StorePath, line: Int? = nil, text: String = "", more: Int = 0) {
    (self.path, self.line, self.text, self.more) = (path, line, text, more)
  }
}

/// What a text that is opened from a search shows.
struct SoughtPlace: Sendable {
  let words: [String]
  /// From 0.
  let line: Int
}
