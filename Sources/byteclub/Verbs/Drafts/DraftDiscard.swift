import ArgumentParser
import ClubServices
import FileStores

/// `byteclub draft discard`.
struct DraftDiscard: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "discard", abstract: "Discard texts that are not in the club.",
    discussion: Examples.text([
      "byteclub draft discard Answer.md": "the first of that name in draft ls",
      "byteclub draft cat Answer.md": "print a text, for a week also a discarded one",
    ])
      + "\n\nA discarded text is kept for a week. Discarding it again deletes it for good.")

  @Argument(help: "The notes' names, or the ids.") var names: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    return try await Several.perform(names) { name throws(StoreError) in
      let text = try DraftName.text(name, in: try await notes.waiting())
      guard !text.isElsewhere else { throw text.isOpenElsewhere }
      try await notes.discard(text)
      session.notice(
        text.kind == .discarded
          ? "Deleted the text of \"\(text.shownName)\" for good."
          : "Discarded the text of \"\(text.shownName)\". It is kept for a week.")
      return Record(.waiting(text), line: nil)
    }
  }
}

extension WaitingText {
  /// The error of a text that another byteclub has.
  var isOpenElsewhere: StoreError {
    StoreError(
      .conflict, "The text of \"\(shownName)\" is open in another byteclub.", remedy: "Close it there, then try again.",
      path: path)
  }
}
