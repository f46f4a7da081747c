internal import ClubServices
internal import FileStores
internal import TextUI

/// The history of a note: reading and restoring versions.
extension NotesScreen {
  static func openHistory(_ path: StorePath, _ state: inout NotesState, _ frame: Frame) -> Commands {
    state.views.append(.history(NoteHistory(path, height: frame.bodyHeight)))
    return [.run(.history(path), key: "notes.history")]
  }

  static func run(_ command: CommandID, _ history: NoteHistory, _ state: inout NotesState, _ frame: inout Frame)
    -> Commands
  {
    var history = history
    switch command {
    case .listOpen:
      return openVersion(history, &state, &frame)
    case .historyDifference: return openDifference(history, &state, &frame)
    case .historyRestore:
      guard let version = history.chosen else { return [] }
      return askToRestore(version, of: history.path, over: history.newest, &state, &frame)
    case .refresh:
      history.problem?.tryNow()
      replaceTop(.history(history), &state)
      return [.run(.history(history.path), key: "notes.history")]
    case .close, .quit:
      state.views.removeLast()
      return [.cancel(key: "notes.history")] + (history.asked == nil ? [] : [.cancel(key: "notes.look")])
    default: break
    }
    return []
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

  static func run(_ command: CommandID, _ version: NoteVersion, _ state: inout NotesState, _ frame: inout Frame)
    -> Commands
  {
    var version = version
    switch command {
    case .historyRestore:
      return askToRestore(version.reader.note.entry, of: version.path, over: version.newest, &state, &frame)
    case .scrubOlder, .scrubNewer:
      return scrub(command, from: version.path, toDifference: false, &state, &frame)
    case .historyDifference:
      guard let index = historyIndex(of: version.path, state), case .history(let history) = state.views[index] else {
        return []
      }
      state.views.removeLast()
      return openDifference(history, &state, &frame)
    case .readerEdit, .readerExternal:
      let key = frame.keys.name(of: .historyRestore)
      frame.say("This is an older version: read-only. \(key) restores it.")
    case .close where version.reader.text.search != nil || version.reader.isFinding:
      changeReader(&state) { $0.endFind() }
    case .close, .quit: state.views.removeLast()
    default:
      run(command, inTextOf: &version.reader, &frame)
      replaceTop(.version(version), &state)
    }
    return []
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
      guard let index = historyIndex(of: path, state), case .history(var history) = state.views[index] else {
        return []
      }
      history.tell(versions, offsets)
      state.views[index] = .history(history)
    case .failed(.history(let path), let error):
      if case .history(var history) = state.views.last, history.path == path, history.versions == nil {
        if error.isTemporary {
          history.problem = Problem(error, now: frame.now)
          replaceTop(.history(history), &state)
          return []
        }
        state.views.removeLast()
      }
      if error.kind != .cancelled {
        frame.complain("byteclub could not read the history of \"\(path)\". \(error)")
      }
    case .versionRead(let note):
      guard case .opening(let opening) = state.views.last, opening.path == note.entry.path,
        case .version(_, let revision) = opening.effect, revision == note.entry.revision
      else { return [] }
      let reader = NoteReader(note, frame, isRaw: true)
      replaceTop(.version(NoteVersion(reader: reader, newest: opening.newest)), &state)
    case .differenceRead(let read):
      guard case .opening(let opening) = state.views.last, opening.path == read.path,
        case .difference(_, let version, _) = opening.effect, version == read.version
      else { return [] }
      replaceTop(.difference(DifferenceView(read, newest: opening.newest, frame: frame)), &state)
    case .versionSeen(let seen): changeHistory(of: seen.difference.path, &state) { $0.take(seen) }
    case .failed(.lookAtVersion(let path, let version, _), let error):
      guard error.kind != .cancelled else { return [] }
      changeHistory(of: path, &state) { $0.fail(version, "byteclub could not read this version. \(error)") }
    case .blamed(let blame): show(blame, &state)
    case .failed(.blame(let path), let error):
      guard error.kind != .cancelled, case .blame(let view) = state.views.last, view.path == path else { return [] }
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
      if case .version(let version) = state.views.last, !version.reader.isFinding { state.views.removeLast() }
      return historyIndex(of: path, state) == nil ? [] : [.run(.history(path), key: "notes.history")]
    default: break
    }
    return []
  }

  private static func changeHistory(of path: StorePath, _ state: inout NotesState, _ body: (inout NoteHistory) -> Void)
  {
    guard let index = historyIndex(of: path, state), case .history(var history) = state.views[index] else { return }
    body(&history)
    state.views[index] = .history(history)
  }

  /// Asks for the difference of the chosen version, if the screen has room for it beside the history.
  static func lookAtVersion(_ state: inout NotesState, _ frame: Frame) -> Commands {
    guard SideFace.listWidth(frame.size.width) != nil, case .history(var history) = state.views.last,
      let version = history.wantedVersion()
    else { return [] }
    replaceTop(.history(history), &state)
    return [.run(.lookAtVersion(history.path, version, before: history.before), key: "notes.look")]
  }

  static func historyIndex(of path: StorePath, _ state: NotesState) -> Int? {
    state.views.lastIndex { if case .history(let history) = $0 { history.path == path } else { false } }
  }

  private static func isAbout(_ path: StorePath, _ view: NotesView) -> Bool {
    switch view {
    case .history(let history): history.path == path
    case .version(let version): version.path == path
    case .difference(let view): view.path == path && !view.isMerge
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
