internal import ClubServices
internal import TextUI

/// The line below an editor's text: words to find and their replacement, or the number of a line to go to.
struct EditorBar: Sendable {
  enum Field: Sendable { case find, replacement, line }

  /// The field that takes keys; nil while the bar is closed.
  var field: Field?
  var find = TextField()
  var replacement = TextField()
  var line = TextField()
  /// The cursor when the bar was opened.
  var origin = 0
  /// The member has asked to replace all, and the search goes on.
  var replacesAll = false

  /// The field's text and the words before it.
  var shown: (label: String, field: TextField)? {
    switch field {
    case .find: ("Find: ", find)
    case .replacement: ("Replace by: ", replacement)
    case .line: ("Line: ", line)
    case nil: nil
    }
  }
}

/// Find, replace and go to a line.
extension NotesScreen {
  static func run(inBarOf editor: inout NoteEditor, _ command: CommandID, _ frame: inout Frame) -> Commands {
    if command != .editorFindAll { editor.bar.replacesAll = false }
    switch command {
    case .editorFind:
      editor.bar.origin = editor.text.text.selection?.lowerBound ?? editor.text.text.cursor
      if let words = editor.selectedLine { editor.bar.find = TextField(bytes: words) }
      editor.bar.field = .find
      editor.bar.find.offer()
      editor.bar.replacement.offer()
      editor.searchWords()
    case .editorGoTo:
      (editor.bar.line, editor.bar.origin) = (TextField(placeholder: "number"), editor.text.text.cursor)
      editor.bar.field = .line
    case .editorFindClose, .interrupt, .close: editor.closeBar()
    case .editorFindField:
      if editor.bar.field != .line { editor.bar.field = editor.bar.field == .find ? .replacement : .find }
    case .editorFindNext where editor.bar.field == .line: editor.closeBar()
    case .editorFindNext where editor.bar.field == .replacement: return replace(in: &editor, &frame)
    case .editorFindNext, .editorFindPrevious:
      guard editor.bar.field != .line else { return [] }
      editor.bar.find.take()
      let isForward = command == .editorFindNext
      switch editor.text.find(forward: isForward) {
      case .shown: break
      case .wrapped: frame.say(isForward ? "Past the end: on from the top." : "Past the top: on from the end.")
      case .none: frame.say("This text does not contain \"\(editor.bar.find.string)\".")
      case .pending: frame.say("Still looking through the text.")
      }
    case .editorFindAll:
      guard editor.bar.field != .line, editor.text.search != nil else { return [] }
      editor.bar.replacesAll = true
      return replaceAll(in: &editor, &frame)
    default: break
    }
    return []
  }

  /// Gives typed or pasted text to the bar's field.
  static func type(inBarOf editor: inout NoteEditor, _ change: (inout TextField) -> EditOutcome) {
    editor.bar.replacesAll = false
    switch editor.bar.field {
    case .find: if case .edited = change(&editor.bar.find) { editor.searchWords() }
    case .replacement: _ = change(&editor.bar.replacement)
    case .line:
      guard case .edited = change(&editor.bar.line) else { return }
      if let line = Int(editor.bar.line.string), line > 0 {
        editor.text.go(toLine: line)
      } else {
        editor.text.move(to: editor.bar.origin)
      }
    case nil: break
    }
  }

  private static func replace(in editor: inout NoteEditor, _ frame: inout Frame) -> Commands {
    let outcome = editor.text.replaceFound(with: editor.bar.replacement.bytes)
    if outcome == .ignored {
      let found = editor.text.find(forward: true)
      if found == .none { frame.say("This text does not contain \"\(editor.bar.find.string)\".") }
    }
    return editor.record(outcome)
  }

  /// Replaces all once the search has seen the whole text.
  static func replaceAll(in editor: inout NoteEditor, _ frame: inout Frame) -> Commands {
    guard editor.bar.replacesAll, let search = editor.text.search, search.isOver else { return [] }
    editor.bar.replacesAll = false
    let (outcome, count) = editor.text.replaceAll(with: editor.bar.replacement.bytes)
    guard count > 0 else {
      frame.say("This text does not contain \"\(editor.bar.find.string)\".")
      return []
    }
    let undo = frame.keys.name(of: .editorUndo)
    frame.say("Replaced \(count.grouped)\(search.isCut ? ", and there are more" : ""). \(undo) undoes.")
    return editor.record(outcome)
  }
}

extension NoteEditor {
  /// Searches for the typed words, from the place where the bar was opened.
  fileprivate mutating func searchWords() { text.find(bar.find.string, from: bar.origin) }

  fileprivate mutating func closeBar() {
    bar.field = nil
    text.endFind()
  }

  /// The selection, if it is a short part of a line.
  fileprivate var selectedLine: [UInt8]? {
    guard let selection = text.text.selection, selection.count <= 200 else { return nil }
    let bytes = text.text.buffer.bytes(in: selection)
    return bytes.contains(0x0A) ? nil : bytes
  }

  /// The state of the search, in a few words.
  var findWords: String {
    guard bar.field != nil, bar.field != .line, let search = text.search else { return "" }
    guard search.found != nil else { return search.isOver ? "not found" : "looking" }
    let count = "\(search.count.grouped)\(search.isOver && !search.isCut ? "" : "+")"
    return search.number.map { "\($0.grouped) of \(count)" } ?? "\(count) places"
  }
}
