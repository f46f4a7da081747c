import FileStores
import JSON

/// One thing of a command's results: an object of `results` under `--json`, else lines.
struct Record: Sendable, Equatable {
  /// The object.
  let json: JSONValue
  /// The lines, as bytes, because names need not be UTF-8; empty when it is only told to scripts.
  let lines: [[UInt8]]

  /// Makes a record with one line, or none.
  init(_ json: JSONValue, line: [UInt8]?) {
    self.json = json
    lines = line.map { [$0] } ?? []
  }

  /// Makes a record with several lines.
  init(_ json: JSONValue, lines: [String]) {
    self.json = json
    self.lines = lines.map { Array($0.utf8) }
  }

  /// Makes a record with a line of text.
  init(_ json: JSONValue, line: String) {
    self.init(json, line: Array(line.utf8))
  }
}

/// What is so of a file, for `state` in its record.
enum FileState: String, CaseIterable, Sendable {
  case stored
  case draft
  case unsent
  case conflict
  case discarded
  case trashed

  /// What it means, for the manual.
  var meaning: String {
    switch self {
    case .stored: "the store has it"
    case .draft: "the store has it, and this machine has an unsaved draft of it"
    case .unsent: "a save of it waits on this machine to be sent"
    case .conflict: "a save of it waits on this machine, and someone else changed it in the meantime"
    case .discarded: "its text was discarded and is kept on this machine for a week"
    case .trashed: "it is in the trash"
    }
  }
}

extension JSONValue {
  /// A file's object. `shown` is the name to tell; without it, the last part of the path.
  static func file(_ entry: FileEntry, state: FileState = .stored, shown: String? = nil) -> JSONValue {
    .members([
      "name": .string(shown ?? String(decoding: entry.path.name, as: UTF8.self)),
      "path": .string(entry.path.description),
      "size": entry.size.map { .number($0) },
      "modified": entry.modified.map { .string(RFC3339.text($0)) },
      "revision": entry.revision.map { .string($0.value) },
      "contentHash": entry.contentHash.map { .string($0.hex) },
      "state": .string(state.rawValue),
    ])
  }

  /// The object of a file in the trash.
  static func trashed(_ file: TrashedFile) -> JSONValue {
    .members([
      "id": .string(file.id),
      "name": .string(String(decoding: file.origin.name, as: UTF8.self)),
      "path": .string(file.origin.description),
      "size": .number(file.size),
      "discarded": .string(RFC3339.text(file.discarded)),
      "state": .string(FileState.trashed.rawValue),
    ])
  }

  /// The object of an error.
  static func error(_ error: StoreError) -> JSONValue {
    .members([
      "kind": .string(error.kind.rawValue),
      "message": .string(error.description),
      "path": error.path.flatMap { $0.isRoot ? nil : .string($0.description) },
    ])
  }
}
