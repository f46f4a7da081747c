import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub draft`.
struct DraftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draft",
    abstract: "List, print, send and discard texts that are not in the club.",
    discussion: Examples.text([
      "byteclub draft ls": "list them",
      "byteclub draft cat Answer > answer.md": "copy a text to a file",
      "byteclub draft send": "send all that waits to be sent",
    ])
      + "\n\nThese are texts that you typed and did not save, saves that wait until the server answers, saves of notes that "
      + "someone else changed in the meantime, and, for a week, texts that you discarded.",
    subcommands: [DraftList.self, DraftCat.self, DraftSend.self, DraftDiscard.self])
}

/// Which text a word on the command line means.
enum DraftName {
  /// The first text of that name or id, in the order of `NotesService.waiting`; what was discarded counts last.
  /// - Throws: `notFound`.
  static func text(_ name: String, in texts: [WaitingText]) throws(StoreError) -> WaitingText {
    let names = NotesService.spellings(of: name)
    if let text = texts.first(where: { $0.word == name || names.contains($0.shownName) }) { return text }
    throw StoreError(
      .notFound, "This machine has no draft \"\(name)\".", remedy: "See the names with: byteclub draft ls")
  }
}

extension WaitingText {
  /// What it is called: the note's name, or the name typed for a new one.
  var shownName: String { path?.description ?? (title.isEmpty ? "(no name yet)" : title) }

  /// Its id as scripts see it.
  var word: String {
    switch id {
    case .draft(let id): id
    case .save(let id): "s\(id)"
    }
  }
}

extension JSONValue {
  /// The object of a text that is not in the club.
  static func waiting(_ text: WaitingText) -> JSONValue {
    .members([
      "id": .string(text.word),
      "name": .string(text.shownName),
      "path": text.path.map { .string($0.description) },
      "size": .number(text.bytes),
      "modified": .string(RFC3339.text(text.changed)),
      "revision": text.base.map { .string($0.value) },
      "state": .string(FileState(text.kind).rawValue),
      "firstLine": .string(String(decoding: text.firstLine, as: UTF8.self)),
      "openElsewhere": text.isElsewhere ? .bool(true) : nil,
    ])
  }
}

extension FileState {
  /// The state of a text that waits.
  init(_ kind: WaitingText.Kind) {
    self =
      switch kind {
      case .conflict: .conflict
      case .toSend: .unsent
      case .draft: .draft
      case .discarded: .discarded
      }
  }
}
