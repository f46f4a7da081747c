import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub draft ls`.
struct DraftList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the drafts of this club, newest first.",
    discussion: Examples.text(["byteclub draft ls --long": "with size and time"]))

  @Flag(name: .shortAndLong, help: "Show size and time, too.")
  var long = false
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let drafts = try await session.open.drafts.all().sorted { $0.changed > $1.changed }
    return Answer(
      drafts.map { draft in
        let columns = long ? FileLine.columns(size: UInt64(draft.bytes), time: draft.changed) : ""
        return Record(.draft(draft), line: columns + draft.shownName)
      })
  }
}

extension Draft {
  /// What it is called: the note's name, or the name typed for a new one.
  var shownName: String { path?.description ?? (title.isEmpty ? "(no name yet)" : title) }
}

extension JSONValue {
  /// A draft's object.
  static func draft(_ draft: Draft) -> JSONValue {
    .members([
      "id": .string(draft.id),
      "name": .string(draft.shownName),
      "path": draft.path.map { .string($0.description) },
      "size": .number(draft.bytes),
      "modified": .string(RFC3339.text(draft.changed)),
      "revision": draft.base.map { .string($0.value) },
      "state": .string(FileState.draft.rawValue),
    ])
  }
}
