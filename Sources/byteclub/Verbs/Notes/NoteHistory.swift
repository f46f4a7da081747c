import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub note history`.
struct NoteHistory: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the kept versions of a note, newest first.",
    discussion: Examples.text([
      "byteclub note history Welcome": "time, size, revision and member of each",
      "byteclub note restore Welcome REV": "make one of them the newest again",
    ])
      + "\n\nIn a folder club, byteclub keeps the versions that it replaces itself. A deleted note keeps its versions.")

  @Argument(help: "The note.") var name: String
  @Option(help: ArgumentHelp("How many versions at most.", valueName: "count")) var limit: Int = 100
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be 1 or more. Leave it out for 100.") }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let found = try await NoteName.withHistory(name, in: session.store) { (path) async throws(StoreError) in
      try await notes.history(of: path, limit: limit)
    }
    return Answer(found.value.map { Record(.version($0), line: NoteHistory.line($0)) })
  }

  private static func line(_ version: FileEntry) -> String {
    let columns = FileLine.columns(size: version.size, time: version.modified)
    let words = [version.member, version.isKept ? nil : "not kept"].compactMap { $0.map { "  " + $0 } }
    return columns + (version.revision?.value ?? "-") + words.joined()
  }
}

extension JSONValue {
  /// The object of a version.
  fileprivate static func version(_ entry: FileEntry) -> JSONValue {
    .members([
      "revision": entry.revision.map { .string($0.value) },
      "modified": entry.modified.map { .string(RFC3339.text($0)) },
      "size": entry.size.map { .number($0) },
      "member": entry.member.map { .string($0) },
      "kept": .bool(entry.isKept),
    ])
  }
}
