import ArgumentParser
import ClubServices
import FileStores

/// `byteclub note put`.
struct NotePut: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "put", abstract: "Replace a note's text, or make a note, from a file or from standard input.",
    discussion: Examples.text([
      "byteclub note put Answer answer.md": "from a file",
      "sort list.txt | byteclub note put List": "from standard input; the old text is replaced",
      "byteclub note put List list.md --if-rev REV": "only over this revision",
      "byteclub note put -- -name- answer.md": "a name that begins with a dash",
    ])
      + "\n\nAn existing note is replaced only when nobody else changed it since the command began. Otherwise the exit "
      + "code is 5, nothing is written, and the text is not kept: run the command again. While the server is away, "
      + "the text is kept on this machine, the exit code is 6, and byteclub sends the text later. A new note whose name "
      + "has no ending gets .md. To add to a note use: byteclub note append")

  @Argument(help: "The note.") var name: String
  @Argument(help: "The file; - or nothing is standard input.", completion: .file()) var file: String = "-"
  @Option(
    name: .customLong("if-rev"), help: ArgumentHelp("Write only when the note has this revision.", valueName: "rev"))
  var revision: String?
  @Flag(name: .customLong("allow-empty"), help: "Let empty standard input empty the note.")
  var allowsEmpty = false
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let target = try await NoteTarget.find(name, session)
    let text = try await TextInput.read(file, session)
    if case .present(let there) = target, text.isEmpty, file == "-", !allowsEmpty, there.size != 0 {
      throw StoreError(
        .badInput, "Standard input is empty; \"\(there.path)\" keeps its text.",
        remedy: "To empty the note add --allow-empty.", path: there.path)
    }
    let notes = session.open.notes
    let base = revision.map { Revision($0) }
    switch target {
    case .unknown(let path, let error):
      _ = try await notes.postpone(text, for: path, base: base)
      throw error.ofKept(path)
    case .present(let there):
      return try await answer(
        try await notes.save(there.path, base: base ?? there.revision, text: text, draft: nil), there.path, notes)
    case .absent(let path):
      return try await answer(try await notes.save(path, base: base, text: text, draft: nil), path, notes)
    }
  }

  private func answer(
    _ outcome: SaveOutcome, _ path: StorePath, _ notes: NotesService
  ) async throws(StoreError) -> Answer {
    switch outcome {
    case .saved(let entry):
      return Answer([Record(.file(entry), line: nil)], notice: "Saved \"\(entry.path)\".\(entry.lossSentence)")
    case .kept(let id, let error):
      guard error.kind == .conflict || error.kind == .exists else { throw error.ofKept(path) }
      try await notes.discardUnsent(id)
      throw error
    case .conflict(let conflict):
      // A script tries again with the newer text, so nothing of this one may wait to be sent.
      try await notes.discardUnsent(conflict.save)
      throw changed(path, conflict.theirEntry)
    case .deleted: throw changed(path, nil)
    }
  }

  private func changed(_ path: StorePath, _ current: FileEntry?) -> StoreError {
    let what =
      revision != nil && current != nil
      ? "\"\(path)\" no longer has that revision."
      : "Someone else \(current == nil ? "deleted" : "changed") \"\(path)\" in the meantime."
    return StoreError(
      .conflict, "\(what) Nothing was written, and this text is not kept.",
      remedy: current == nil
        ? "To make the note again, run the command again\(revision == nil ? "" : " without --if-rev")."
        : "Look at it with \"byteclub note cat\", then run the command again.",
      path: path, current: current)
  }
}
