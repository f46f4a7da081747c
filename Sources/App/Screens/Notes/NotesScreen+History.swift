internal import ClubServices
internal import FileStores
internal import TextUI

/// The history of a note: reading and restoring versions.
extension NotesScreen {
  static func openHistory(_ path: StorePath, _ state: inout NotesState, _ frame: Frame) -> Commands {
    state.views.append(NoteHistory(path, height: frame.bodyHeight))
    return [.run(.history(path), key: "notes.history")]
  }

  static func openVersion(_ history: NoteHistory, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard let version = history.chosen, let revision = version.revision else { return [] }
    if !version.isKept {
      frame.complain(notKept)
      return []
    }
    return begin(
      OpeningText(
        path: history.path, effect: .version(history.path, revision), key: "notes.history", newest: history.newest),
      &state)
  }

  static func askToRestore(
    _ version: FileEntry, of path: StorePath, over newest: Revision?, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    guard let revision = version.revision else { return [] }
    if !version.isKept {
      frame.complain(notKept)
      return []
    }
    guard revision != newest else {
      frame.say("This is already the newest version.")
      return []
    }
    let age = version.modified.map { Age.text(of: Int($0.seconds), now: Int(frame.now)) }
    state.question = Question(
      "Restore \"", naming: "\(path)", "\"\(NotesScreen.moment(age))?",
      answers: [
        .init(
          "y", "restore it; the current text stays in the history", .confirmedRestore(path, revision, over: newest)),
        .init("n", "no", nil),
      ])
    return []
  }

  static let notKept = "The server did not keep the text of this version."

  /// Takes the service's answer about a history.
  static func happenToHistory(_ state: inout NotesState, _ action: NotesAction, _ frame: inout Frame) -> Commands {
    switch action {
    case .historyListed(let path, let versions, let offsets):
      changeHistory(of: path, &state) { $0.tell(versions, offsets) }
    case .failed(.history(let path), let error):
      if var history = state.views.last as? NoteHistory, history.path == path, history.versions == nil {
        if error.isTemporary {
          history.problem = Problem(error, now: frame.now)
          state.replaceTop(history)
          return []
        }
        state.views.removeLast()
      }
      if error.kind != .cancelled {
        frame.complain("byteclub could not read the history of \"\(path)\". \(error)")
      }
    case .versionRead(let note):
      guard let opening = state.views.last as? OpeningText, opening.path == note.entry.path,
        case .version(_, let revision) = opening.effect, revision == note.entry.revision
      else { return [] }
      let reader = NoteReader(note, frame, isRaw: true)
      state.replaceTop(NoteVersion(reader: reader, newest: opening.newest))
    case .differenceRead(let read):
      guard let opening = state.views.last as? OpeningText, opening.path == read.path,
        case .difference(_, let version, _) = opening.effect, version == read.version
      else { return [] }
      state.replaceTop(DifferenceView(read, newest: opening.newest, frame: frame))
    case .versionSeen(let seen): changeHistory(of: seen.difference.path, &state) { $0.take(seen) }
    case .failed(.lookAtVersion(let path, let version, _), let error):
      guard error.kind != .cancelled else { return [] }
      changeHistory(of: path, &state) { $0.fail(version, "byteclub could not read this version. \(error)") }
    case .blamed(let blame): show(blame, &state)
    case .failed(.blame(let path), let error):
      guard error.kind != .cancelled, let view = state.views.last as? BlameView, view.path == path else { return [] }
      state.views.removeLast()
      frame.complain("byteclub could not find who wrote the lines of \"\(path)\". \(error)")
    case .confirmedRestore(let path, let revision, let newest):
      frame.say("Restoring a version of \"\(path)\".")
      return [.run(.restoreVersion(path, revision, over: newest))]
    case .restoredVersion(let entry):
      state.removeViews { isAbout(entry.path, $0) }
      state.files.add(entry, isChosen: true)
      state.restored = entry.revision
      frame.say("Restored \"\(entry.path)\". The previous text is in the history.")
      return rereadTop(state)
    case .failed(.restoreVersion(let path, _, _), let error):
      guard error.kind == .conflict else {
        frame.complain("\"\(path)\" was not restored. \(error)")
        return []
      }
      frame.complain("\"\(path)\" was changed in the meantime. Nothing was restored. Look again.")
      if let version = state.views.last as? NoteVersion, !version.reader.isFinding { state.views.removeLast() }
      return historyIndex(of: path, state) == nil ? [] : [.run(.history(path), key: "notes.history")]
    default: break
    }
    return []
  }

  private static func changeHistory(
    of path: StorePath, _ state: inout NotesState, _ body: (inout NoteHistory) -> Void
  ) {
    guard let index = historyIndex(of: path, state), var history = state.views[index] as? NoteHistory else { return }
    body(&history)
    state.views[index] = history
  }

  static func historyIndex(of path: StorePath, _ state: NotesState) -> Int? {
    state.views.lastIndex { ($0 as? NoteHistory)?.path == path }
  }

  private static func isAbout(_ path: StorePath, _ view: any TabView<NotesState>) -> Bool {
    switch view {
    case let history as NoteHistory: history.path == path
    case let version as NoteVersion: version.path == path
    case let view as DifferenceView: view.path == path && !view.isMerge
    default: false
    }
  }

  /// An age as the end of a question: `1 min` becomes " as it was 1 min ago".
  private static func moment(_ age: String?) -> String {
    switch age {
    case nil: ""
    case "now": " as it was a moment ago"
    case let age? where age.contains(" "): " as it was \(age) ago"
    case let date?: " as of \(date)"
    }
  }
}

extension NoteHistory {
  func lookBeside(_ state: inout NotesState) -> Commands {
    var history = self
    guard let version = history.wantedVersion() else { return [] }
    state.replaceTop(history)
    return [.run(.lookAtVersion(path, version, before: before), key: "notes.look")]
  }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case .listOpen: return NotesScreen.openVersion(self, &state, &frame)
    case .historyDifference: return NotesScreen.openDifference(self, &state, &frame)
    case .historyRestore:
      guard let chosen else { return [] }
      return NotesScreen.askToRestore(chosen, of: path, over: newest, &state, &frame)
    case .refresh:
      var history = self
      history.problem?.tryNow()
      state.replaceTop(history)
      return [.run(.history(path), key: "notes.history")]
    case .close, .quit:
      state.views.removeLast()
      return [.cancel(key: "notes.history")] + (asked == nil ? [] : [.cancel(key: "notes.look")])
    default: return []
    }
  }
}

/// An old version of a note, which is read-only.
struct NoteVersion: NotesView {
  var reader: NoteReader
  /// The note's newest revision when the history was loaded.
  let newest: Revision?

  var path: StorePath { reader.note.entry.path }

  var places: [KeyCommand.Place] { isFinding ? [] : [.history, .scrub, .reader] }
  var footer: [CommandID] {
    reader.text.search == nil
      ? [.historyDifference, .scrubOlder, .historyRestore, .readerPageDown, .find, .help, .quit]
      : [.readerFindNext, .readerFindPrevious, .historyRestore, .find, .help, .quit]
  }
  var canFind: Bool { true }
  var isFinding: Bool { reader.isFinding }
  var takesText: Bool { reader.takesKeys }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case .historyRestore:
      return NotesScreen.askToRestore(reader.note.entry, of: path, over: newest, &state, &frame)
    case .scrubOlder, .scrubNewer:
      return NotesScreen.scrub(command, from: path, toDifference: false, &state, &frame)
    case .historyDifference:
      guard let index = NotesScreen.historyIndex(of: path, state), let history = state.views[index] as? NoteHistory
      else { return [] }
      state.views.removeLast()
      return NotesScreen.openDifference(history, &state, &frame)
    case .readerEdit, .readerExternal:
      let key = frame.keys.name(of: .historyRestore)
      frame.say("This is an older version: read-only. \(key) restores it.")
    case .close where reader.text.search != nil || isFinding: NotesScreen.changeReader(&state) { $0.endFind() }
    case .close, .quit: state.views.removeLast()
    default: NotesScreen.changeReader(&state) { NotesScreen.run(command, inTextOf: &$0, &frame) }
    }
    return []
  }

  mutating func scroll(by rows: Int) { reader.scroll(by: rows) }
  mutating func resize(_ frame: Frame) { reader.resize(frame.viewSize) }
  func reason(against command: CommandID, _ frame: Frame) -> String? { reader.end(of: command) }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    reader.draw(now: frame.now, isOld: true, on: &canvas)
  }
}
