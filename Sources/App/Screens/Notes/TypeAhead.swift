internal import TextUI

/// Keys for a text that is still being read, from the key that asked for a prompt on. They are handled once the text
/// is there: a typed word never runs as commands, however long the store takes.
struct TypeAhead: Sendable {
  /// The command of the first key; nil for an editor that opens by itself.
  let command: CommandID?
  private(set) var events: [InputEvent] = []
  /// The typed text, to show it.
  private(set) var field = TextField()

  init(_ command: CommandID? = nil) { self.command = command }

  var label: String { command == .find ? "Find: " : "Typed: " }

  mutating func add(_ event: InputEvent) {
    events.append(event)
    switch event {
    case .key(let key): _ = field.handle(key.code == .enter ? Key(.character(" ")) : key)
    case .paste(let bytes): _ = field.paste(bytes)
    default: break
    }
  }

  /// The commands that ask for a text in the views that a store fills.
  static func begins(with command: CommandID) -> Bool {
    [.find, .readerEdit, .readerRename].contains(command)
  }
}

extension NotesState {
  /// The text that is being opened in the topmost view.
  var opening: OpeningText? { views.last as? OpeningText }
}

extension NotesScreen {
  /// Collects a key or a pasted text. Esc drops what was collected, or else stops opening.
  static func collect(_ event: InputEvent, _ opening: OpeningText, _ state: inout NotesState) -> Commands {
    var opening = opening
    if event == .key(Key(.escape)) {
      guard opening.ahead != nil else { return close(opening, &state) }
      opening.ahead = nil
    } else {
      opening.ahead = opening.ahead ?? TypeAhead()
      opening.ahead?.add(event)
    }
    state.replaceTop(opening)
    return []
  }

  /// Handles what was typed for a text, once a view of it has taken the place of `opening`.
  static func handle(typedFor opening: OpeningText?, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard let ahead = opening?.ahead, state.opening == nil else { return [] }
    // Nothing was typed yet: a draft of the note is offered first.
    if ahead.command == .readerEdit, ahead.events.isEmpty, !state.waiting.isEmpty { return [] }
    var commands = ahead.command.map { step(&state, .input(.command($0)), &frame) } ?? []
    // A read-only note has no editor.
    guard state.takesText else { return commands }
    for event in ahead.events {
      guard let action = state.action(for: event, frame.keys) else { continue }
      commands += step(&state, action, &frame)
    }
    return commands
  }
}
