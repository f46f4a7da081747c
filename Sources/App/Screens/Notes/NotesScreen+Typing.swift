internal import ClubServices
internal import TextUI

/// Typing: each edit goes to the draft's log at once.
extension NotesScreen {
  /// Typing after a pause of so many seconds is an undo step of its own.
  private static let pause: Int64 = 2

  static func type(_ key: Key, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    if !state.hasView {
      let commands = list(state.files.type(key))
      let find = state.files.find
      return commands + (find.isTyping ? askTags(for: find.field.string, &state, frame) : [])
    }
    if state.typeInMovePrompt({ $0.type(key) }) { return [] }
    if let opening = state.opening { return collect(.key(key), opening, &state) }
    if let commands = takeInPrompt(.key(key), &state) { return commands }
    if state.reader?.quote != nil {
      quote(key, &state, &frame)
      return []
    }
    if state.reader?.isFinding == true {
      changeReader(&state) { typeFind(key, &$0) }
      return looking(state)
    }
    if var form = state.views.last as? NewNoteForm, key.code == .enter, !form.isInText {
      (form.isInText, form.completion) = (true, nil)
      state.replaceTop(form)
      return fillForm(&state, frame.now)
    }
    let count = state.linkedText?.text.text.buffer.count
    let commands =
      write(&state, frame.now, { $0.handle(key) }, inName: { $0.handle(key) }) + meetRequest(&state, &frame)
    guard let count, let (text, _, list) = state.linkedText else { return commands }
    if text.text.buffer.count != count { return commands + complete(&state) }
    // A key that only moves the cursor closes the list.
    return list == nil ? commands : commands + show(nil, &state)
  }

  static func paste(_ bytes: [UInt8], _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    if !state.hasView { return list(state.files.paste(bytes)) }
    if state.typeInMovePrompt({ $0.paste(bytes) }) { return [] }
    if let opening = state.opening { return collect(.paste(bytes), opening, &state) }
    if let commands = takeInPrompt(.paste(bytes), &state) { return commands }
    if state.reader?.isFinding == true {
      changeReader(&state) { reader in
        if reader.find.paste(bytes) != .ignored { reader.search() }
      }
      return looking(state)
    }
    return write(&state, frame.now, { $0.paste(bytes) }, inName: { $0.paste(bytes) }) + meetRequest(&state, &frame)
      + lookForPicture(bytes, state)
  }

  /// The topmost view takes a key or pasted text, if it is a prompt.
  private static func takeInPrompt(_ event: InputEvent, _ state: inout NotesState) -> Commands? {
    guard let prompt = state.views.last as? any NotesPrompt else { return nil }
    return prompt.taking(event, &state)
  }

  /// An editing command with a key of its own.
  static func edit(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case .editorInsert:
      openInsertions(&state, &frame)
      return []
    case .editorCopy: return copy(&state, &frame)
    case .editorCut:
      let copied = copy(&state, &frame)
      return write(&state, frame.now, { $0.cut() }, inName: { _ in .ignored }) + copied
    case .editorFind, .editorGoTo, .editorFindNext, .editorFindPrevious, .editorFindField, .editorFindAll,
      .editorFindClose:
      switch state.views.last {
      case is NewNoteForm: frame.say("\(frame.keys.name(of: .formSave)) saves the note first; then you can find in it.")
      case is ConflictView:
        frame.say("A part has no find. \(frame.keys.name(of: .editorDone)) leads back to the whole note.")
      default: break
      }
      return changeEditor(&state) { run(inBarOf: &$0, command, &frame) } + looking(state)
    default:
      var reason: String?
      let commands = write(
        &state, frame.now,
        { text in
          let cursor = text.text.cursor
          let outcome = text.perform(command) ?? .ignored
          if case .edited = outcome {} else if text.text.cursor == cursor { reason = reasonInText(against: command) }
          return outcome
        }, inName: { _ in .ignored })
      if let reason { frame.say(reason) }
      return commands
    }
  }

  /// A sentence for a command that has changed nothing in a text. A cursor at its end is seen.
  private static func reasonInText(against command: CommandID) -> String? {
    switch command {
    case .editorUndo: "Nothing to undo."
    case .editorRedo: "Nothing to redo."
    case .editorDeleteWord: "Nothing is before the cursor."
    case .editorKill: "Nothing is behind the cursor."
    case .editorYank: "Nothing was cut or copied."
    case .editorUnindent: "The line is not indented."
    default: nil
    }
  }

  /// Offers the selection to the terminal's clipboard, and keeps it for all notes.
  static func copy(_ state: inout NotesState, _ frame: inout Frame) -> Commands {
    var copied: [UInt8]?
    _ = write(
      &state, frame.now,
      { text in
        copied = text.copy() ? text.killed : nil
        return .moved
      }, inName: { _ in .ignored })
    guard let copied else {
      frame.say("Nothing is selected. Shift with the arrows selects.")
      return []
    }
    return offer(copied, &frame)
  }

  /// Offers copied text to the terminal's clipboard.
  static func offer(_ copied: [UInt8], _ frame: inout Frame) -> Commands {
    guard copied.count <= TerminalAbilities.mostCopiedBytes else {
      frame.say("Copied inside byteclub: the text is too long for the terminal's clipboard.")
      return []
    }
    frame.say("Copied \(ByteCount.text(copied.count)).")
    return [.copy(String(decoding: copied, as: UTF8.self))]
  }

  /// Changes the topmost editor, which leaves the state meanwhile: two references to one text would make each key copy
  /// it.
  static func changeEditor(_ state: inout NotesState, _ change: (inout NoteEditor) -> Commands) -> Commands {
    guard var editor = state.views.last as? NoteEditor else { return [] }
    state.views.removeLast()
    editor.text.clipboard = state.clipboard
    let commands = change(&editor)
    state.clipboard = editor.text.clipboard
    state.views.append(editor)
    return commands
  }

  /// Edits the topmost view, which leaves the state meanwhile.
  static func write(
    _ state: inout NotesState, _ now: Int64, _ inText: (inout TextEditor) -> EditOutcome,
    inName: (inout TextField) -> EditOutcome
  ) -> Commands {
    if (state.views.last as? NoteEditor)?.bar.field != nil {
      return changeEditor(&state) {
        type(inBarOf: &$0, inName)
        return []
      } + looking(state)
    }
    var commands: Commands = []
    if state.views.last is NoteEditor {
      return changeEditor(&state) { editor in
        if now - editor.editedAt >= pause { editor.text.endStep() }
        editor.editedAt = now
        return editor.record(inText(&editor.text))
      }
    } else if var form = state.views.last as? NewNoteForm {
      state.views.removeLast()
      if form.isInText {
        form.text.clipboard = state.clipboard
        let outcome = inText(&form.text)
        state.clipboard = form.text.clipboard
        commands = form.record(outcome)
      } else if form.saving == nil, case .edited = inName(&form.name) {
        commands = form.recordName()
        form.completeFolder(among: state.files.table)
      }
      state.views.append(form)
    } else if var view = state.views.last as? ConflictView, var editor = view.editing {
      state.views.removeLast()
      view.editing = nil
      editor.text.clipboard = state.clipboard
      let outcome = inText(&editor.text)
      state.clipboard = editor.text.clipboard
      commands = editor.recordPart(outcome)
      view.editing = editor
      state.views.append(view)
    }
    return commands
  }
}

extension TextEditor {
  /// Runs an editor command, whatever its key in the config; nil for other commands.
  mutating func perform(_ command: CommandID) -> EditOutcome? {
    switch command {
    case .editorUndo: undo()
    case .editorRedo: redo()
    case .editorLineStart: handle(Key(.character("a"), .control))
    case .editorLineEnd: handle(Key(.character("e"), .control))
    case .editorWordBack: handle(Key(.character("b"), .alt))
    case .editorWordForward: handle(Key(.character("f"), .alt))
    case .editorDeleteWord: handle(Key(.character("w"), .control))
    case .editorKill: handle(Key(.character("k"), .control))
    case .editorYank: handle(Key(.character("y"), .control))
    case .editorIndent: handle(Key(.tab))
    case .editorUnindent: handle(Key(.backTab))
    default: nil
    }
  }
}
