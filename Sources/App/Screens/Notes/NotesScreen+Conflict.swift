internal import ClubServices
internal import FileStores
internal import Merge
internal import TextUI

/// A note that the member and someone else changed: choosing part by part. Nothing is written until Done.
extension NotesScreen {
  fileprivate static func runParts(
    _ command: CommandID, _ view: ConflictView, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    var view = view
    switch command {
    case .conflictMine: view.choose(.mine)
    case .conflictTheirs: view.choose(.theirs)
    case .conflictBoth:
      guard view.conflict.isText else {
        frame.say("These are no texts. \(frame.keys.name(of: .conflictCopy)) keeps both as two files.")
        return []
      }
      view.choose(.both)
    case .conflictAllMine: view.chooseAll(.mine)
    case .conflictAllTheirs: view.chooseAll(.theirs)
    case .conflictNext: if !view.step(by: 1) { frame.say("This is the last part.") }
    case .conflictPrevious: if !view.step(by: -1) { frame.say("This is the first part.") }
    case .conflictUndo: if !view.undo() { frame.say("No choice to undo.") }
    case .conflictRedo: if !view.undo(true) { frame.say("No choice to redo.") }
    case .conflictEdit: return beginPart(view, &state, &frame)
    case .conflictDone: return finish(view, &state, &frame)
    default: view.scroll(command)
    }
    state.replaceTop(view)
    return []
  }

  /// Commands on a note that someone else deleted or renamed.
  fileprivate static func runGone(
    _ command: CommandID, _ view: ConflictView, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    var view = view
    switch (command, view.conflict.kind) {
    case (.conflictMine, _), (.conflictAllMine, _): return resolve(view, .mine, &state, &frame)
    case (.conflictTheirs, .renamed(let entry)), (.conflictAllTheirs, .renamed(let entry)):
      return resolve(view, .renamed(entry), &state, &frame)
    case (.conflictTheirs, _), (.conflictAllTheirs, _):
      state.question = Question(
        "Discard your text of \"", naming: "\(view.conflict.path)",
        frame.isNarrow ? "\"?" : "\"? It stays in :waiting for a week.",
        answers: [.init("y", "discard it", .confirmedTheirs(view.conflict)), .init("n", "no", nil)])
    case (.conflictDone, _), (.conflictEdit, _), (.conflictBoth, _), (.conflictNext, _), (.conflictPrevious, _):
      frame.say(goneChoices(view, frame))
    default:
      view.scroll(command)
      state.replaceTop(view)
    }
    return []
  }

  private static func goneChoices(_ view: ConflictView, _ frame: Frame) -> String {
    let (mine, theirs) = (frame.keys.name(of: .conflictMine), frame.keys.name(of: .conflictTheirs))
    if case .renamed(let entry) = view.conflict.kind {
      return "\(theirs) saves your text as \"\(entry.path)\", \(mine) under the old name."
    }
    return "\(mine) saves your text as a new note, \(theirs) lets the note stay deleted."
  }

  /// Leaving writes nothing. The choices come back with the conflict.
  fileprivate static func leave(_ view: ConflictView, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    state.views.removeLast()
    state.resolutions[view.conflict.save] = view.resolution
    frame.say("Your text of \"\(view.conflict.path)\" is kept. Open the note or type :waiting to choose.")
    return drop(view, isKept: true)
  }

  private static func finish(_ view: ConflictView, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard let text = view.resolution.text else {
      var view = view
      let open = view.resolution.openCount
      view.go(to: view.resolution.nextOpen(from: view.part) ?? 0)
      state.replaceTop(view)
      let keys = [CommandID.conflictMine, .conflictTheirs, .conflictBoth, .conflictEdit].map(frame.keys.name)
      frame.say(
        "\(open == 1 ? "1 part needs" : "\(open) parts need") your choice: \(keys[0]) mine, \(keys[1]) theirs, "
          + "\(keys[2]) both, \(keys[3]) edit.")
      return []
    }
    return resolve(view, choice(of: text, view.conflict), &state, &frame)
  }

  private static func choice(of text: [UInt8], _ conflict: SaveConflict) -> ConflictChoice {
    text == conflict.mine ? .mine : text == conflict.theirs ? .theirs : .text(text)
  }

  static func resolve(
    _ view: ConflictView, _ choice: ConflictChoice, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    // Their text is in the club already.
    guard choice == .theirs || !frame.refusesChange() else { return [] }
    state.views.removeLast()
    state.savesUnderway += 1
    state.resolutions[view.conflict.save] = view.resolution
    var view = view
    switch choice {
    case .mine: view.written = view.conflict.mine
    case .text(let text): view.written = text
    case .theirs, .both, .renamed: break
    }
    state.resolving.append(view)
    return [.run(.resolve(view.conflict, choice, session: view.session))]
  }

  /// The service has taken a choice, or refused it: then the resolver comes back with all choices.
  static func endResolving(
    _ path: StorePath?, isRefused: Bool, _ state: inout NotesState, _ frame: Frame
  ) -> Commands {
    guard let index = state.resolving.firstIndex(where: { $0.conflict.path == path || $0.conflict.newPath == path })
    else { return [] }
    let view = state.resolving.remove(at: index)
    if isRefused {
      state.waiting.insert(view, at: 0)
      return []
    }
    // A reader below shows it at once; reading it again is no news.
    if let text = view.written, let reader = state.views.last as? NoteReader, reader.note.entry.path == path {
      show(OpenNote(entry: reader.note.entry, bytes: text, draft: nil), changes: nil, &state, frame)
    }
    return drop(view, isKept: false)
  }

  /// Ends the draft of edited parts.
  private static func drop(_ view: ConflictView, isKept: Bool) -> Commands {
    view.draft.map { [.run(.dropDraft(session: $0, isKept: isKept))] } ?? []
  }

  /// A conflict comes up once, however often its save was tried, with the choices that still fit.
  static func show(_ conflict: SaveConflict, _ session: Int?, _ state: inout NotesState, _ frame: inout Frame) {
    var earlier = state.resolutions[conflict.save]
    func isSame(_ view: any TabView<NotesState>) -> Bool { (view as? ConflictView)?.conflict.save == conflict.save }
    if let index = state.views.firstIndex(where: isSame), let old = state.views[index] as? ConflictView {
      // A part that is being edited stays; Done finds the newer text.
      guard old.editing == nil else { return }
      earlier = old.resolution
      var view = ConflictView(conflict, session: session, frame: frame, earlier: earlier)
      view.draft = old.draft
      state.views[index] = view
      return
    }
    state.waiting.removeAll(where: isSame)
    state.waiting.append(ConflictView(conflict, session: session, frame: frame, earlier: earlier))
  }
}

// MARK: The editor of a part

extension NotesScreen {
  private static func beginPart(_ view: ConflictView, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard view.conflict.isText else {
      frame.say("These are no texts. \(frame.keys.name(of: .conflictCopy)) keeps both as two files.")
      return []
    }
    var view = view
    view.editing = PartEditor(view, session: takeSession(&state))
    state.replaceTop(view)
    return []
  }

  fileprivate static func edit(
    _ command: CommandID, _ view: ConflictView, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    switch command {
    case .editorSave, .editorDone: return endPart(view, isTaken: true, &state)
    case .interrupt where endVi(&state, &frame): return []
    case .editorCancel, .close, .interrupt:
      guard view.editing?.text.isModified == true else { return endPart(view, isTaken: false, &state) }
      state.question = Question(
        "Discard the edit of this part?",
        answers: [.init("y", "discard it", .confirmedCancel), .init("n", "go on editing", nil)])
      return []
    default: return edit(command, &state, &frame)
    }
  }

  /// Leaves the editor of a part. An edited part is in the newest draft, which replaces the one before.
  static func endPart(_ view: ConflictView, isTaken: Bool, _ state: inout NotesState) -> Commands {
    guard let editor = view.editing else { return [] }
    var view = view
    view.editing = nil
    var commands: Commands = []
    if isTaken {
      view.choose(.edited(editor.text.bytes))
      if editor.hasDraft {
        commands = drop(view, isKept: false)
        view.draft = editor.session
      }
    } else {
      commands = editor.dropping(isKept: false)
    }
    state.replaceTop(view)
    return commands
  }
}

extension ConflictView: NotesView {
  var places: [KeyCommand.Place] { editing == nil ? [.conflict, .reader] : [.editor] }
  var footer: [CommandID] {
    if editing != nil { return [.editorDone, .help, .editorUndo, .editorRedo, .editorCancel] }
    guard hasParts else { return [.conflictMine, .conflictTheirs, .conflictCopy, .conflictLater, .help] }
    return resolution.openCount == 0
      ? [
        .conflictDone, .conflictUndo, .conflictNext, .conflictEdit, .conflictMine, .conflictTheirs, .help,
        .conflictLater,
      ]
      : [
        .conflictMine, .conflictTheirs, .conflictDone, .conflictBoth, .conflictEdit, .conflictNext, .help,
        .conflictUndo, .conflictAllMine, .conflictAllTheirs, .conflictCopy, .conflictLater,
      ]
  }
  var takesText: Bool { editing != nil }
  var vi: ViKeys? { editing?.text.vi }
  var hasUnsavedText: Bool { editing?.hasDraft ?? false }
  var staysOnTop: Bool { true }
  var closesForSearch: Bool { false }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    if editing != nil { return NotesScreen.edit(command, self, &state, &frame) }
    switch command {
    case .conflictCopy: return NotesScreen.resolve(self, .both, &state, &frame)
    case .conflictLater, .close, .quit: return NotesScreen.leave(self, &state, &frame)
    case .readerFindNext, .readerFindPrevious:
      frame.say("Find works in lists and notes.")
      return []
    default:
      return hasParts
        ? NotesScreen.runParts(command, self, &state, &frame) : NotesScreen.runGone(command, self, &state, &frame)
    }
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    guard editing == nil else { return nil }
    let parts = resolution.parts
    let isSettled = parts.indices.contains(part) && [nil, part].contains(resolution.nextOpen(from: part))
    switch command {
    case .readerEdit, .readerExternal: return "\(frame.keys.name(of: .conflictEdit)) edits this part."
    case .conflictUndo, .conflictRedo: return hasParts ? nil : "No choice to undo."
    case .conflictMine where isSettled && parts[part].choice == .mine: return "This part is mine."
    case .conflictTheirs where isSettled && parts[part].choice == .theirs: return "This part is theirs."
    case .conflictBoth where isSettled && parts[part].choice == .both: return "This part has both."
    default:
      var moved = self
      moved.scroll(command)
      return TextReader.end(of: command, isAtTop: moved.top == top, isAtEnd: moved.top == top)
    }
  }
}

extension SaveConflict {
  /// The path of the note after someone renamed it.
  fileprivate var newPath: StorePath? { if case .renamed(let entry) = kind { entry.path } else { nil } }
}
