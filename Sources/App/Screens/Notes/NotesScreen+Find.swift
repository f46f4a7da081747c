internal import ClubServices
internal import Markdown
internal import TextUI

/// Find in the text of a note or of a version.
extension NotesScreen {
  static func run(_ command: CommandID, inTextOf reader: inout NoteReader, _ frame: inout Frame) {
    switch command {
    case .find: reader.beginFind()
    case .interrupt: reader.endFind()
    case .readerFindNext, .readerFindPrevious:
      let isForward = command == .readerFindNext
      let finding = reader.text.search == nil ? nil : reader.text.find(forward: isForward)
      reader.showFound()
      switch finding {
      case nil: frame.say("Press \(frame.keys.name(of: .find)) and type what to find first.")
      case .shown?: break
      case .wrapped?: frame.say(isForward ? "Past the end: on from the top." : "Past the top: on from the end.")
      case .none?: frame.say("This text does not contain \"\(reader.find.string)\".")
      case .pending?: frame.say("Still looking through the text.")
      }
    default:
      reader.scroll(command)
    }
  }

  /// Handles a key while search words are typed.
  static func typeFind(_ key: Key, _ reader: inout NoteReader) {
    switch key.code {
    case .escape: reader.endFind()
    case .enter: reader.keepFind()
    case .up, .down:
      reader.find.take()
      _ = reader.text.find(forward: key.code == .down)
      reader.showFound()
    case .pageUp, .pageDown: reader.scroll(key.code == .pageUp ? .readerPageUp : .readerPageDown)
    default: if reader.find.handle(key) != .ignored { reader.search() }
    }
  }

  /// Searches the next slice of a long text, after pending keys.
  static func lookOn(_ state: inout NotesState, _ frame: inout Frame) -> Commands {
    let replaced = changeEditor(&state) { editor in
      editor.text.countOn()
      editor.text.findOn()
      return replaceAll(in: &editor, &frame)
    }
    changeReader(&state) { reader in
      let found = reader.text.search?.found
      reader.text.findOn()
      if found == nil { reader.showFound() }
    }
    let sought = seekOn(&state, &frame)
    return replaced + (sought.isEmpty ? looking(state) : sought)
  }

  /// Continues an unfinished search, or counting the words of an edited text.
  static func looking(_ state: NotesState) -> Commands {
    if state.vi?.isSeeking == true { return [.run(.lookOn, key: "notes.find")] }
    if let editor = state.views.last as? NoteEditor {
      let isDone = editor.text.wordCount != nil && editor.text.search?.isOver != false
      return isDone ? [] : [.run(.lookOn, key: "notes.find")]
    }
    return state.reader?.text.search?.isOver == false ? [.run(.lookOn, key: "notes.find")] : []
  }

  /// Changes the text in the topmost view, if there is one.
  static func changeReader(_ state: inout NotesState, _ change: (inout NoteReader) -> Void) {
    switch state.views.last {
    case var reader as NoteReader:
      change(&reader)
      state.replaceTop(reader)
    case var version as NoteVersion:
      change(&version.reader)
      state.replaceTop(version)
    default: break
    }
  }
}

extension NotesState {
  /// The reader in the topmost view, if there is one.
  var reader: NoteReader? {
    views.last as? NoteReader ?? (views.last as? NoteVersion)?.reader
  }
}

extension NoteReader {
  mutating func beginFind() {
    if text.search == nil { before = topOffset }
    find.offer()
    isFinding = true
    resize(size)
  }

  /// Searches for the typed words, from the place where find began.
  mutating func search() {
    let origin = before ?? topOffset
    text.find(find.string, from: origin)
    page?.scroll(to: origin)
    showFound()
  }

  /// Stops typing; matches stay visible.
  mutating func keepFind() {
    isFinding = false
    if text.search == nil { before = nil }
    resize(size)
  }

  /// Hides the matches, and scrolls back unless the member has scrolled since.
  mutating func endFind() {
    isFinding = false
    resize(size)
    text.endSearch()
    find.clear()
    if let before { scroll(to: before) }
    before = nil
  }

  /// Takes over the search of an older text.
  mutating func find(as old: NoteReader) {
    (find, before, isFinding) = (old.find, old.before, old.isFinding)
    resize(size)
    text.find(as: old.text)
  }

  /// Shows the place that a search found, with its words marked.
  mutating func show(_ sought: SoughtPlace?) {
    guard let sought else { return }
    find = TextField(sought.words.joined(separator: " "))
    text.find(anyOf: sought.words, fromLine: sought.line)
    page?.scroll(to: text.topOffset)
    showFound()
  }

  /// The state of find, in a few words.
  var findWords: String {
    guard let search = text.search else { return "" }
    guard search.found != nil else { return search.isOver ? "not found" : "looking" }
    let count = "\(search.count)\(search.isOver && !search.isCut ? "" : "+")"
    return search.number.map { "\($0) of \(count)" } ?? "\(count) places"
  }
}
