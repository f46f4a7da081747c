internal import ClubServices
internal import TextUI

/// Typing: each edit goes to the draft's log at once.
extension NotesScreen {
  static func type(_ key: Key, _ state: inout NotesState) -> Commands {
    if !state.hasView { state.files.type(key) }
    if state.reader?.isFinding == true {
      changeReader(&state) { typeFind(key, &$0) }
      return looking(state)
    }
    if case .form(var form) = state.views.last, key.code == .enter, !form.isInText {
      form.isInText = true
      replaceTop(.form(form), &state)
      return []
    }
    return write(&state, { $0.handle(key) }, inName: { $0.handle(key) })
  }

  static func paste(_ bytes: [UInt8], _ state: inout NotesState) -> Commands {
    if !state.hasView { state.files.paste(bytes) }
    if state.reader?.isFinding == true {
      changeReader(&state) { reader in
        if reader.find.paste(bytes) != .ignored { reader.search() }
      }
      return looking(state)
    }
    return write(&state, { $0.paste(bytes) }, inName: { $0.paste(bytes) })
  }

  /// An editing command with a key of its own.
  static func edit(_ command: CommandID, _ state: inout NotesState) -> Commands {
    write(&state, { $0.perform(command) ?? .ignored }, inName: { _ in .ignored })
  }

  /// Writes in the topmost view, which leaves the state meanwhile: two holders of one text would make each key copy it.
  private static func write(
    _ state: inout NotesState, _ inText: (inout TextEditor) -> EditOutcome, inName: (inout TextField) -> EditOutcome
  ) -> Commands {
    var commands: Commands = []
    switch state.views.popLast() {
    case .editor(var editor):
      let outcome = inText(&editor.text)
      commands = editor.record(outcome)
      state.views.append(.editor(editor))
    case .form(var form):
      if form.isInText {
        let outcome = inText(&form.text)
        commands = form.record(outcome)
      } else if case .edited = inName(&form.name) {
        commands = form.recordName()
      }
      state.views.append(.form(form))
    case let view?: state.views.append(view)
    case nil: break
    }
    return commands
  }
}
