internal import ClubServices
internal import FileStores
internal import Markdown
internal import TextUI

/// Commands on the note that is read: its links and check boxes, its neighbours, and the note as a file.
extension NotesScreen {
  static func run(
    _ command: CommandID, onPageOf reader: NoteReader, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    switch command {
    case .pageNextLink, .pagePreviousLink:
      let way = command == .pageNextLink ? "below" : "above"
      var step = MarkdownPages.LinkStep.noMore
      changeReader(&state) { step = $0.page?.focusLink(forward: command == .pageNextLink) ?? .noMore }
      switch step {
      case .found: break
      case .noMore: frame.say("No link or check box \(way).")
      case .noneNear: frame.say("No link or check box nearby \(way).")
      }
    case .pageFollow:
      guard let link = reader.focused else { return beginEditing(reader, &state, &frame) }
      return follow(link, reader, &state, &frame)
    case .pageToggle:
      if let link = reader.focused, case .check(let check) = link.kind {
        return toggle(check, reader, &state, &frame)
      }
      changeReader(&state) { $0.scroll(.readerPageDown) }
    default: break
    }
    return []
  }

  static func run(
    _ command: CommandID, onNoteOf reader: NoteReader, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    let path = reader.note.entry.path
    switch command {
    case .readerBack:
      // A tag's list leads back as well.
      guard state.views.count > 1 || !state.tagSteps.isEmpty else {
        frame.say("No link led here. \(frame.keys.name(of: .close)) leads back to the list.")
        return []
      }
      return closeReader(&state, frame)
    case .readerRaw:
      guard reader.isMarkdown else {
        frame.say("\"\(path)\" is plain text.")
        return []
      }
      changeReader(&state) { $0.toggleRaw() }
    case .readerOutline: openOutline(reader, &state, &frame)
    case .readerBacklinks:
      state.views.append(NoteBacklinks(path, height: frame.bodyHeight))
      return [.run(.backlinks(path), key: "notes.backlinks")]
    case .readerNextNote: return step(by: 1, from: path, &state, &frame)
    case .readerPreviousNote: return step(by: -1, from: path, &state, &frame)
    case .readerHistory: return openHistory(path, &state, frame)
    case .readerBlame: return openBlame(reader, &state, frame)
    case .readerTrash:
      state.question = Question(
        "Move \"", naming: "\(path)", "\" to the trash?",
        answers: [.init("y", "yes", .confirmedTrash(path)), .init("n", "no", nil)])
    case .readerLink: state.question = state.files.linkQuestion(path)?.map(NotesAction.files)
    case .readerRename:
      state.files.openAlbum(of: path)
      state.files.reveal(path)
      guard state.files.selected == path else {
        frame.complain("\"\(path)\" is not in the list of notes, so byteclub cannot rename it.")
        return []
      }
      state.views.removeAll()
      return [.cancel(key: "notes.open")] + list(state.files.run(.notesRename, &frame))
    default: break
    }
    return []
  }

  /// Closes the topmost reader. A note below it is read again, because it may have changed meanwhile.
  static func closeReader(_ state: inout NotesState, _ frame: Frame) -> Commands {
    let closed = state.views.removeLast() as? NoteReader
    fit(&state, frame)
    // A link, the news or a search led to a note of another folder.
    if !state.hasView, let path = closed?.note.entry.path, state.files.table?.row(of: path) == nil {
      state.files.showInAlbum(path)
    }
    return rereadTop(state)
  }

  /// Reads the note of the topmost view again.
  static func rereadTop(_ state: NotesState) -> Commands {
    guard let below = state.views.last as? NoteReader, !state.hasUnsent(below.note.entry.path) else { return [] }
    return [.run(.open(below.note.entry.path, .reread), key: "notes.open")]
  }

  private static func openOutline(_ reader: NoteReader, _ state: inout NotesState, _ frame: inout Frame) {
    guard reader.page != nil else {
      frame.say(
        reader.isMarkdown
          ? "The outline works in a rendered note: \(frame.keys.name(of: .readerRaw)) renders it."
          : "\"\(reader.note.entry.path)\" is plain text: it has no headings.")
      return
    }
    var headings: [MarkdownHeading] = []
    changeReader(&state) { headings = $0.page?.headings() ?? [] }
    guard !headings.isEmpty else { return frame.say("This note has no headings.") }
    state.views.append(
      NoteOutline("\(reader.note.entry.path)", headings, at: reader.topOffset, height: frame.bodyHeight))
  }

  /// Opens a neighbour in the list in place of the topmost note.
  private static func step(
    by rows: Int, from path: StorePath, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    state.files.openAlbum(of: path)
    guard state.files.table?.row(of: path) != nil else {
      frame.say("\"\(path)\" is not in the list as it is now, so it has no neighbours.")
      return []
    }
    state.files.choose(path)
    state.files.select(state.files.rows.selection + rows)
    guard let next = state.files.selected, next != path else {
      frame.say(rows > 0 ? "This is the last note of the list." : "This is the first note of the list.")
      return []
    }
    state.views.removeLast()
    return open(next, &state, sought: state.files.sought(at: next))
  }

  /// Toggles a check box: an edit of one byte, saved as from the editor, over the revision that the member sees.
  static func toggle(
    _ check: MarkdownCheck, _ reader: NoteReader, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    guard !frame.refusesChange() else { return [] }
    let edit = TextEdit(
      offset: check.offset, removed: 1, inserted: Array((check.isChecked ? " " : "x").utf8))
    var editor = NoteEditor(reader, session: takeSession(&state))
    guard editor.text.apply(edit) else { return [] }
    let commands = editor.record(.edited([edit])) + save(editor, changes: reader.changes, &state, &frame)
    changeReader(&state) { $0.look(as: reader) }
    return commands
  }

}

extension NoteReader: NotesView {
  /// The link in focus, if it is in view.
  var focused: MarkdownLink? { page?.visibleFocus }

  var places: [KeyCommand.Place] { takesKeys ? [] : page == nil ? [.openNote, .reader] : [.page, .openNote, .reader] }
  var canFind: Bool { true }
  var takesText: Bool { takesKeys }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case _ where quote != nil: NotesScreen.changeReader(&state) { $0.endQuote() }
    case .pageFollow, .pageNextLink, .pagePreviousLink, .pageToggle:
      return NotesScreen.run(command, onPageOf: self, &state, &frame)
    case .readerBack, .readerRaw, .readerOutline, .readerBacklinks, .readerNextNote, .readerPreviousNote,
      .readerLink, .readerRename, .readerTrash, .readerHistory, .readerBlame:
      return NotesScreen.run(command, onNoteOf: self, &state, &frame)
    case .readerEdit: return NotesScreen.beginEditing(self, &state, &frame)
    case .readerExternal: return [.run(.beginEdit(note.entry.path))]
    case .readerNextChange, .readerPreviousChange:
      NotesScreen.changeReader(&state) { $0.goToChange(backwards: command == .readerPreviousChange, &frame) }
    case .close where text.search != nil || isFinding: NotesScreen.changeReader(&state) { $0.endFind() }
    case .close, .quit:
      return (isBehind ? [.cancel(key: "notes.open")] : []) + NotesScreen.closeReader(&state, frame)
    default: NotesScreen.changeReader(&state) { NotesScreen.run(command, inTextOf: &$0, &frame) }
    }
    return []
  }

  /// A press on a link follows it.
  func point(_ mouse: InputEvent.Mouse, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard mouse.kind == .press, let link = page?.link(atColumn: mouse.point.x, row: mouse.point.y - 1) else {
      return []
    }
    NotesScreen.changeReader(&state) { $0.page?.focusLink(link) }
    return NotesScreen.follow(link, self, &state, &frame)
  }

  mutating func resize(_ frame: Frame) {
    use(frame.abilities)
    resize(frame.viewSize)
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    command == .refresh ? "A note that is read follows the club by itself." : end(of: command)
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let path = note.entry.path
    draw(
      now: frame.now, word: state.word(of: path), here: frame.present.words(at: path, note.entry.revision),
      isMissing: { state.lacksNote(of: $0, from: path) }, on: &canvas)
  }

  var footer: [CommandID] {
    let follow: CommandID? = focused.map { if case .check = $0.kind { .pageToggle } else { .pageFollow } }
    if text.search != nil {
      return [.readerFindNext, .readerFindPrevious, follow ?? .readerEdit, .find, .help, .quit]
    }
    guard note.content == .text else { return [.readerPageDown, .find, .help, .quit] }
    guard let page else {
      let raw: [CommandID] = isMarkdown ? [.readerRaw] : []
      return [.readerEdit, .readerExternal, .readerPageDown, .find, .talk] + raw + [.help, .quit]
    }
    return [follow ?? .readerEdit] + (page.hasLinks ? [.pageNextLink] : []) + [
      .readerPageDown, .find, .talk, .readerRaw, .readerExternal, .help, .quit,
    ]
  }
}
