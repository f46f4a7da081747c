internal import Basics
internal import ClubServices
internal import FileStores
internal import TextUI

/// Commands in the views over the list.
extension NotesScreen {
  static func run(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard !frame.refuses(command) else { return [] }
    if var rows = state.views.last?.rows, rows.move(command) {
      state.views[state.views.count - 1].rows = rows
      return []
    }
    switch state.views.last {
    case nil: return runInList(command, &state, &frame)
    case .opening(let opening): return run(command, opening, &state)
    case .reader(var reader):
      switch command {
      case _ where reader.quote != nil: changeReader(&state) { $0.endQuote() }
      case .pageFollow, .pageNextLink, .pagePreviousLink, .pageToggle:
        return run(command, onPageOf: reader, &state, &frame)
      case .readerBack, .readerRaw, .readerOutline, .readerBacklinks, .readerNextNote, .readerPreviousNote,
        .readerLink, .readerRename, .readerTrash, .readerHistory, .readerBlame:
        return run(command, onNoteOf: reader, &state, &frame)
      case .readerEdit: return beginEditing(reader, &state, &frame)
      case .readerExternal: return [.run(.beginEdit(reader.note.entry.path))]
      case .readerNextChange, .readerPreviousChange:
        reader.goToChange(backwards: command == .readerPreviousChange, &frame)
        replaceTop(.reader(reader), &state)
      case .close where reader.text.search != nil || reader.isFinding: changeReader(&state) { $0.endFind() }
      case .close, .quit:
        return (reader.isBehind ? [.cancel(key: "notes.open")] : []) + closeReader(&state, frame)
      default:
        run(command, inTextOf: &reader, &frame)
        replaceTop(.reader(reader), &state)
      }
    case .outline(let outline): run(command, outline, &state)
    case .backlinks(let backlinks): return run(command, backlinks, &state)
    case .editor(let editor): return run(command, editor, &state, &frame)
    case .form(let form): return run(command, form, &state, &frame)
    case .conflict(let view): return run(command, view, &state, &frame)
    case .draft(let offer): return run(command, offer, &state, &frame)
    case .waiting(let list): return run(command, list, &state, &frame)
    case .history(let history): return run(command, history, &state, &frame)
    case .version(let version): return run(command, version, &state, &frame)
    case .difference(let view): return run(command, view, &state, &frame)
    case .blame(let view): return run(command, view, &state, &frame)
    case .trash(let view): return run(command, view, &state, &frame)
    }
    return []
  }

  private static func run(_ command: CommandID, _ opening: OpeningText, _ state: inout NotesState) -> Commands {
    var opening = opening
    switch command {
    case .close, .quit, .interrupt: return close(opening, &state)
    case .find, .readerEdit, .readerRename:
      guard opening.canFind, opening.ahead == nil else { return [] }
      opening.ahead = TypeAhead(command)
      replaceTop(.opening(opening), &state)
      return []
    case .refresh:
      opening.problem?.tryNow()
      replaceTop(.opening(opening), &state)
      return [opening.command]
    default: return []
    }
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
    let readers = state.views.indices.filter { if case .reader = state.views[$0] { true } else { false } }
    if readers.count >= mostReaders { state.views.remove(at: readers[0]) }
    state.views.append(.opening(opening))
    return [opening.command]
  }

  static func replaceTop(_ view: NotesView, _ state: inout NotesState) {
    guard !state.views.isEmpty else { return }
    state.views[state.views.count - 1] = view
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
    state.views.append(.editor(NoteEditor(reader, session: takeSession(&state))))
    return []
  }

  private static func run(_ command: CommandID, _ offer: DraftOffer, _ state: inout NotesState, _ frame: inout Frame)
    -> Commands
  {
    switch command {
    case .draftOpen:
      return offer.drafts.first.map { open($0, &state) } ?? []
    case .draftDiscard: if let draft = offer.drafts.first { askToDiscard(draft, &state, frame) }
    case .draftLater, .close: dropOffer(&state)
    default: break
    }
    return []
  }

  /// Removes the first draft from the offer, and an empty offer from the screen.
  static func dropOffer(_ state: inout NotesState) {
    guard let index = state.views.lastIndex(where: { if case .draft = $0 { true } else { false } }),
      case .draft(var offer) = state.views[index]
    else { return }
    offer.drafts.removeFirst()
    if offer.drafts.isEmpty {
      state.views.remove(at: index)
    } else {
      state.views[index] = .draft(offer)
    }
  }
}
