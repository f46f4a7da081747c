/// What a tab calls its files, and which of its keys the list carries out.
struct FileListWords: Sendable {
  /// One of them, in the middle of a sentence.
  let one: String
  /// Several; effects that are run once at a time are named for them, too.
  let many: String
  /// What is shown until they have been listed.
  let reading: String
  /// The key that makes the first of them, and the verb for it.
  let making: (key: CommandID, verb: String)
  /// Whether a search looks into the files as well.
  let haveTexts: Bool
  /// The key that renames.
  let rename: CommandID

  /// The key of an effect of which only the newest counts.
  func key(_ effect: String) -> String { "\(many).\(effect)" }
}
