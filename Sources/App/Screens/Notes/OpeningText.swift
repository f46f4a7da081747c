internal import FileStores
internal import TextUI

/// A text that is being opened: a note, a version, or a text of the member that is not in the club.
struct OpeningText: NotesView {
  let path: StorePath
  /// The effect that opens it, and the key that cancels the effect.
  let effect: NotesEffect
  let key: String
  /// The note's newest revision in the history; nil unless this is a version.
  var newest: Revision?
  /// The place that a search found.
  var sought: SoughtPlace?
  /// The heading that a link names.
  var heading: String?
  /// The reason why it could not be opened.
  var problem: Problem?
  /// The bytes that have come.
  var read = 0
  /// The beginning of a long text, to be read while the rest comes. Nothing can be done with it before it is whole.
  var head: TextReader?
  /// Collected keys; nil until the member asks for a prompt.
  var ahead: TypeAhead?

  /// The command that opens it.
  var command: NotesScreen.Commands.Element { .run(effect, key: key) }

  /// True if the view that opens has find.
  var canFind: Bool {
    switch effect {
    case .open, .readWaiting, .version: true
    default: false
    }
  }

  /// True if keys are collected: the member has asked for a prompt, or the text opens in the editor.
  var takesText: Bool {
    if case .open(_, .write) = effect, problem == nil { return true }
    return ahead != nil
  }

  var places: [KeyCommand.Place] { [] }
  var footer: [CommandID] {
    takesText ? [.pathCancel] : problem == nil ? [.help, .quit] : [.refresh, .help, .quit]
  }
  var isLoading: Bool { problem == nil && !takesText }
  var isFinding: Bool { ahead?.command == .find }
  var refreshes: Bool { true }
  var staysOnTop: Bool { problem == nil }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    var opening = self
    switch command {
    case .close, .quit, .interrupt: return NotesScreen.close(self, &state)
    case .find, .readerEdit, .readerRename:
      guard canFind, ahead == nil else { return [] }
      opening.ahead = TypeAhead(command)
      state.replaceTop(opening)
      return []
    case .refresh:
      opening.problem?.tryNow()
      state.replaceTop(opening)
      return [opening.command]
    default: return []
    }
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    canvas.text("\(path)", x: 1, y: 0, style: canvas[.title], width: max(0, canvas.size.width - 2))
    if let problem {
      problem.draw("byteclub could not open \"\(path)\".", frame, on: &canvas, y: 2)
    } else {
      let table = state.files.table
      let size = table?.row(of: path).flatMap { table?.size(at: $0) }
      if let head, frame.awayText == nil {
        let area = canvas.size
        canvas.inside(Rect(1, 1, area.width - 2, area.height - 2)) { head.draw(on: &$0) }
        let words = LoadingSteps.words("Loading", read, of: size)
        canvas.text(" \(words).", x: 0, y: area.height - 1, style: canvas[.dim])
      } else {
        LoadingSteps.draw(frame, read: read, of: size, on: &canvas)
      }
    }
    if let ahead { FieldLine.draw(ahead.label, ahead.field, on: &canvas) }
  }
}
