internal import ClubServices
internal import TextUI

/// Find in the text of a note or of one of its versions.
extension NotesScreen {
  static func run(_ command: CommandID, inTextOf reader: inout NoteReader, _ frame: inout Frame) {
    switch command {
    case .find: reader.beginFind()
    case .interrupt: reader.endFind()
    case .readerFindNext, .readerFindPrevious:
      let isForward = command == .readerFindNext
      switch reader.text.search == nil ? nil : reader.text.find(forward: isForward) {
      case nil: frame.say("Press \(frame.keys.name(of: .find)) and type what to find first.")
      case .shown?: break
      case .wrapped?: frame.say(isForward ? "Past the end: on from the top." : "Past the top: on from the end.")
      case .none?: frame.say("This text does not contain \"\(reader.find.string)\".")
      case .pending?: frame.say("Still looking through the text.")
      }
    default:
      let top = reader.text.topOffset
      reader.text.move(command)
      if reader.text.topOffset != top { reader.before = nil }
    }
  }

  /// A key while words to find in a text are typed.
  static func typeFind(_ key: Key, _ reader: inout NoteReader) {
    switch key.code {
    case .escape: reader.endFind()
    case .enter: reader.keepFind()
    case .up: _ = reader.text.find(forward: false)
    case .down: _ = reader.text.find(forward: true)
    case .pageUp, .pageDown: reader.text.move(key.code == .pageUp ? .readerPageUp : .readerPageDown)
    default: if reader.find.handle(key) != .ignored { reader.search() }
    }
  }

  /// The next slice of a long text, after keys have had their turn.
  static func lookOn(_ state: inout NotesState) -> Commands {
    changeReader(&state) { $0.text.findOn() }
    return looking(state)
  }

  /// Goes on with a search that is not over.
  static func looking(_ state: NotesState) -> Commands {
    state.reader?.text.search?.isOver == false ? [.run(.lookOn, key: "notes.find")] : []
  }

  /// Changes the text that is read, when one is the topmost view. It leaves the state meanwhile.
  static func changeReader(_ state: inout NotesState, _ change: (inout NoteReader) -> Void) {
    switch state.views.last {
    case .reader(var reader):
      change(&reader)
      replaceTop(.reader(reader), &state)
    case .version(var version):
      change(&version.reader)
      replaceTop(.version(version), &state)
    default: break
    }
  }
}

extension NotesState {
  /// The text that is read, when one is the topmost view.
  var reader: NoteReader? {
    switch views.last {
    case .reader(let reader): reader
    case .version(let version): version.reader
    default: nil
    }
  }
}

extension NoteReader {
  mutating func beginFind() {
    if text.search == nil { before = text.topOffset }
    isFinding = true
    resize(size)
  }

  /// What is typed now, from where find began.
  mutating func search() { text.find(find.string, from: before ?? text.topOffset) }

  /// The places stay shown.
  mutating func keepFind() {
    isFinding = false
    if text.search == nil { before = nil }
    resize(size)
  }

  /// No places are shown any more; the text is where it was, unless the member has scrolled since.
  mutating func endFind() {
    isFinding = false
    resize(size)
    text.endSearch()
    find.clear()
    if let before { text.scroll(to: before) }
    before = nil
  }

  /// Finds the same in this text as in an older one.
  mutating func find(as old: NoteReader) {
    (find, before, isFinding) = (old.find, old.before, old.isFinding)
    resize(size)
    text.find(as: old.text)
  }

  /// Shows what a search found, its words marked as find marks them.
  mutating func show(_ sought: SoughtPlace?) {
    guard let sought else { return }
    find = TextField(sought.words.joined(separator: " "))
    text.find(anyOf: sought.words, fromLine: sought.line)
  }

  /// Where find stands, in a few words.
  var findWords: String {
    guard let search = text.search else { return "" }
    guard search.found != nil else { return search.isOver ? "not found" : "looking" }
    let count = "\(search.count)\(search.isOver && !search.isCut ? "" : "+")"
    return search.number.map { "\($0) of \(count)" } ?? "\(count) places"
  }
}
