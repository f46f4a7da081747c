import Basics
import FileStores
import JSON
import TextUI
import Transfers

struct Record: Sendable, Equatable {
  let json: JSONValue
  /// Bytes, because names need not be UTF-8; empty for an item that only scripts see.
  let lines: [[UInt8]]
  /// A QR code, only for a terminal, below the lines.
  var picture: [String] = []

  init(_ json: JSONValue, line: [UInt8]?) {
    self.json = json
    lines = line.map { [$0] } ?? []
  }

  init(_ json: JSONValue, lines: [String]) {
    self.json = json
    self.lines = lines.map { Array($0.utf8) }
  }

  init(_ json: JSONValue, line: String) {
    self.init(json, line: Array(line.utf8))
  }

  /// The document of a file with its text.
  /// - Parameter subject: of the sentence that refuses bytes that are no text.
  init(_ file: JSONValue, text: [UInt8], of subject: String, path: StorePath? = nil) throws(StoreError) {
    guard let text = String(validating: text, as: UTF8.self) else {
      throw StoreError(
        .badInput, "\(subject) is not UTF-8, so JSON cannot hold it.", remedy: "Leave out --json.", path: path)
    }
    self.init(file.adding([JSONMember("text", .string(text))]), line: nil)
  }
}

enum FileState: String, CaseIterable, Sendable {
  case stored
  case gone
  case draft
  case unsent
  case conflict
  case discarded
  case trashed

  var meaning: String {
    switch self {
    case .stored: "the store has it"
    case .gone: "the server no longer has it; the local copy keeps it until you agree (`sync now --accept`)"
    case .draft: "the store has it, and this machine has an unsaved draft of it"
    case .unsent: "a save of it waits on this machine to be sent"
    case .conflict: "a save of it waits on this machine, and someone else changed it in the meantime"
    case .discarded: "its text was discarded and is kept on this machine for a week"
    case .trashed: "it is in the trash"
    }
  }
}

extension JSONValue {
  /// `shown` replaces the last component of the path as its name.
  static func file(_ entry: FileEntry, state: FileState = .stored, shown: String? = nil) -> JSONValue {
    .members([
      "name": .string(shown ?? String(decoding: entry.path.name, as: UTF8.self)),
      "path": .string(entry.path.description),
      "size": entry.size.map { .number($0) },
      "modified": entry.modified.map { .string(RFC3339.text($0)) },
      "revision": entry.revision.map { .string($0.value) },
      "contentHash": entry.contentHash.map { .string($0.hex) },
      "member": entry.member.map { .string($0) },
      "state": .string(state.rawValue),
    ])
  }

  /// A folder with the number of its notes or of all its files, at any depth, and the time of the newest note.
  static func folder(
    _ path: StorePath, count: Int? = nil, files: Int? = nil, newest: Timestamp? = nil
  ) -> JSONValue {
    .members([
      "name": .string(String(decoding: path.name, as: UTF8.self)),
      "path": .string(path.description),
      "kind": .string("\(FileEntry.Kind.folder)"),
      "notes": count.map { .number($0) },
      "files": files.map { .number($0) },
      "modified": newest.map { .string(RFC3339.text($0)) },
    ])
  }

  /// A file's object in a list; `isNew` if another member added or changed it since this member last looked at it.
  static func listed(_ file: JSONValue, isNew: Bool) -> JSONValue {
    file.adding([JSONMember("isNew", .bool(isNew))])
  }

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

  static func error(_ error: StoreError) -> JSONValue {
    .members([
      "kind": .string(error.kind.rawValue),
      "message": .string(error.description.withoutAddressPasswords),
      "path": error.path.flatMap { $0.isRoot ? nil : .string($0.description) },
    ])
  }
}

enum FileLine {
  /// With `isLong`, after size and time.
  static func bytes(_ entry: FileEntry, isLong: Bool, shown: [UInt8]? = nil) -> [UInt8] {
    let shown = shown ?? entry.path.bytes
    return isLong ? Array(columns(size: entry.size, time: entry.modified).utf8) + shown : shown
  }

  static func columns(size: UInt64?, time: Timestamp?) -> String {
    columns(size.map { ByteCount.text($0) } ?? "-", time: time)
  }

  private static func columns(_ size: String, time: Timestamp?) -> String {
    let time = time.map { RFC3339.text(Timestamp(seconds: $0.seconds)) } ?? "-"
    return pad(size, 10) + "  " + time + String(repeating: " ", count: max(0, 20 - time.count)) + "  "
  }

  /// A folder with the number of its notes: in place of the size with `isLong`, else behind the name.
  static func bytes(folder path: StorePath, count: Int, newest: Timestamp?, isLong: Bool) -> [UInt8] {
    guard isLong else { return path.bytes + Array("/  \(count)".utf8) }
    return Array(columns(count == 1 ? "1 note" : "\(count) notes", time: newest).utf8) + path.bytes + Array("/".utf8)
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension JSONValue {
  /// `rate` is in bytes a second.
  static func transfer(_ transfer: Transfer) -> JSONValue {
    .members([
      "id": .string(transfer.id),
      "direction": .string(transfer.direction.rawValue),
      "name": .string(transfer.name),
      "path": .string(transfer.path.description),
      "club": .string(transfer.club),
      "local": .string(transfer.local),
      "place": transfer.place.map { .string($0) },
      "state": .string(transfer.state.word),
      "sent": .number(transfer.sent),
      "total": transfer.total.map { .number($0) },
      "rate": transfer.rate.map { .number(UInt64(max(0, $0))) },
      "secondsLeft": transfer.secondsLeft.map { .number($0) },
      "attempts": .number(transfer.attempts),
      "restarts": .number(transfer.restarts),
      "resumesAt": transfer.resumesAt.map { .string(RFC3339.text($0)) },
      "keptUntil": transfer.keptUntil.map { .string(RFC3339.text($0)) },
      "error": transfer.error.map { .error($0) },
    ])
  }
}
