internal import Basics
internal import ClubServices
internal import FileStores
internal import TextUI

/// Commands in the views over the list.
extension NotesScreen {
  static func run(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard !frame.refuses(command) else { return [] }
    return state.runInView(command, &frame) ?? runInList(command, &state, &frame)
  }

  static func close(_ opening: OpeningText, _ state: inout NotesState) -> Commands {
    state.views.removeLast()
    return [.cancel(key: opening.key)]
  }

  /// The number of notes that Backspace leads back through.
  static let mostReaders = 24

  /// Shows that a text is being opened, and opens it.
  static func begin(_ opening: OpeningText, _ state: inout NotesState) -> Commands {
    // Links may lead on and on; the way back has an end.
    let readers = state.views.indices.filter { state.views[$0] is NoteReader }
    if readers.count >= mostReaders { state.views.remove(at: readers[0]) }
    state.views.append(opening)
    return [opening.command]
  }

  /// The text is Latin-1 or UTF-16 in the club, and whole in UTF-8.
  static func isShownInUTF8(_ note: OpenNote) -> Bool {
    note.content == .notUTF8 && TextEncoding(note.bytes) == .utf8 && !note.bytes.contains(0)
      && !String(decoding: note.bytes, as: UTF8.self).unicodeScalars.contains("\u{FFFD}")
  }

  static func beginEditing(_ reader: NoteReader, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard !frame.refusesChange() else { return [] }
    let path = reader.note.entry.path
    switch reader.note.content {
    case .text: break
    case _ where isShownInUTF8(reader.note):
      state.question = Question(
        "Edit \"", naming: "\(path)", "\" as UTF-8?",
        answers: [.init("y", "edit it", .confirmedUTF8), .init("n", "no", nil)])
      return []
    case .notUTF8, .binary:
      frame.complain("\"\(path)\" is not UTF-8 text: read-only. Its bytes stay as they are.")
      return []
    }
    state.views.append(NoteEditor(reader, session: takeSession(&state)))
    return []
  }
}
