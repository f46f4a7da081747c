/// vi's keys over an editor: the mode, the keys of a command that is not complete, and the values that commands
/// remember. It edits only through the editor's own operations, so undo, drafts and word counts work as without it.
///
/// Keys become a `ViCommand` (`ViPending`), a command finds a place (`ViMotion`) or a region, and changes it.
public struct ViKeys: Sendable {
  public enum Mode: String, Hashable, Sendable {
    case normal = "NORMAL"
    case insert = "INSERT"
    case visual = "VISUAL"
    case visualLines = "VISUAL LINE"
  }

  /// The column to which vertical motions go.
  enum Column: Hashable, Sendable {
    case cells(Int)
    case end
  }

  public internal(set) var mode = Mode.normal
  /// A request of the last key.
  public internal(set) var request: Request?
  var pending = ViPending()
  var line: ViLine?
  /// The end of the selection at which the cursor is not.
  var anchor = 0
  var column: Column?
  var lastFind: ViFind?
  var lastWords: ViSearch?
  var lastChange: ViChange?
  var lastSelection: (anchor: Int, cursor: Int, mode: Mode)?
  var insertion: ViInsertMode?
  /// A search that has not seen enough of the text yet.
  var seek: ViSeek?
  var isRepeating = false
  private(set) var edits: [TextEdit] = []
  private var keepsRowColumn = false

  public init() {}

  /// The mode and the keys of a command that is not complete, for the screen.
  public var stateWords: String {
    pending.isEmpty ? seek == nil ? mode.rawValue : "\(mode.rawValue) looking" : "\(mode.rawValue) \(pending.shown)"
  }

  /// Nothing is under way that Escape would end.
  public var isIdle: Bool { mode == .normal && pending.isEmpty && line == nil && seek == nil }

  var isVisual: Bool { mode == .visual || mode == .visualLines }

  /// The open line: its label and field.
  public var openLine: (label: String, field: TextField)? { line.map { ($0.label, $0.field) } }

  /// A search goes on.
  public var isSeeking: Bool { seek != nil }

  mutating func handle(_ key: Key, _ editor: inout TextEditor) -> EditOutcome {
    begin()
    // Escape and a letter right behind it reach a terminal's reader as Alt with the letter.
    if key.modifiers.contains(.alt), case .character = key.code {
      take(Key(.escape), &editor)
      take(Key(key.code, key.modifiers.subtracting(.alt)), &editor)
    } else {
      take(key, &editor)
    }
    return end(&editor)
  }

  private mutating func take(_ key: Key, _ editor: inout TextEditor) {
    if line != nil {
      type(key, &editor)
    } else if mode == .insert {
      insert(key, &editor)
    } else {
      adopt(&editor)
      command(key, &editor)
    }
  }

  /// Typed text goes in where the mode has a place for it: into the open line, at the cursor, or behind it.
  mutating func paste(_ bytes: [UInt8], _ editor: inout TextEditor) -> EditOutcome {
    begin()
    if var line {
      _ = line.field.paste(bytes)
      self.line = line
    } else if mode == .insert {
      insert(.pasted(bytes), &editor)
    } else if !bytes.isEmpty {
      adopt(&editor)
      leaveVisual(&editor)
      pending = ViPending()
      run(ViCommand(action: .insert(.before)), &editor)
      insert(.pasted(bytes), &editor)
      leaveInsert(&editor)
    }
    return end(&editor)
  }

  private mutating func begin() {
    (edits, request, seek, keepsRowColumn) = ([], nil, nil, false)
  }

  mutating func end(_ editor: inout TextEditor) -> EditOutcome {
    defer { edits = [] }
    settle(&editor)
    return edits.isEmpty ? .moved : .edited(edits)
  }

  /// Keeps the cursor on a character, outside of insert mode.
  mutating func settle(_ editor: inout TextEditor) {
    if mode != .insert {
      var text = ViText(editor.text.buffer)
      let place = isVisual ? text.selectable(editor.text.cursor) : text.onCharacter(editor.text.cursor)
      if isVisual { anchor = text.selectable(anchor) }
      if place != editor.text.cursor || editor.text.anchor != nil { editor.text.move(to: place) }
    }
    _ = editor.settle(.moved, keepsColumn: keepsRowColumn)
  }

  /// A selection by mouse becomes one of visual mode.
  private mutating func adopt(_ editor: inout TextEditor) {
    var text = ViText(editor.text.buffer)
    guard let selection = editor.text.selection else {
      if !isVisual { editor.text.move(to: text.onCharacter(editor.text.cursor)) }
      return
    }
    let last = text.isLineStart(selection.upperBound) ? selection.upperBound - 1 : text.before(selection.upperBound)
    let isForward = editor.text.cursor == selection.upperBound
    anchor = isForward ? selection.lowerBound : last
    mode = .visual
    editor.text.move(to: isForward ? last : selection.lowerBound)
  }

  private mutating func command(_ key: Key, _ editor: inout TextEditor) {
    let isEscape = [Key(.escape), Key(.character("c"), .control), Key(.character("["), .control)].contains(key)
    if isEscape {
      if pending.isEmpty { leaveVisual(&editor) }
      pending = ViPending()
      return
    }
    switch pending.take(key, isVisual: isVisual) {
    case .more: break
    case .none(let sentence):
      pending = ViPending()
      if let sentence { request = .say(sentence) }
    case .done(let command):
      pending = ViPending()
      run(command, &editor)
    }
  }

  mutating func run(_ command: ViCommand, _ editor: inout TextEditor) {
    switch command.action {
    case .move: move(command, &editor)
    case .operate, .replace, .toggleCase, .join, .put: change(command, &editor)
    case .insert(let insertion): beginInsert(insertion, command, &editor)
    case .undo: step(command.times, &editor) { $0.undo() }
    case .redo: step(command.times, &editor) { $0.redo() }
    case .repeatLast: repeatChange(command.count, &editor)
    case .select(let isLines): select(isLines: isLines, editor)
    case .reselect: reselect(&editor)
    case .swapEnds:
      let place = editor.text.cursor
      editor.text.move(to: anchor)
      (anchor, column) = (place, nil)
    case .extend(let object): extend(object, command.times, &editor)
    case .line(let kind): line = ViLine(kind: kind)
    case .ask(let request): self.request = request
    case .scroll(let scroll): editor.scroll(scroll)
    }
  }

  /// Edits the text as one undo step, or as a part of the present group.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8], _ editor: inout TextEditor) {
    note(editor.text.replace(range, with: bytes))
    column = nil
  }

  mutating func note(_ outcome: EditOutcome) {
    if case .edited(let more) = outcome { edits += more }
  }

  mutating func keepRowColumn() { keepsRowColumn = true }

  /// Undoes or redoes; the cursor goes to where the change began.
  private mutating func step(
    _ count: Int, _ editor: inout TextEditor, _ step: (inout EditableText) -> EditOutcome
  ) {
    for _ in 0..<count {
      guard case .edited(let more) = step(&editor.text) else { break }
      edits += more
      var text = ViText(editor.text.buffer)
      let first = min(more.map(\.offset).min() ?? 0, text.count)
      let place = text.onCharacter(editor.text.cursorOfStep)
      let isNear = text.lineStart(place) == text.lineStart(first) || text.nextLine(place) == text.lineStart(first)
      editor.text.move(to: isNear ? place : text.firstText(first))
    }
    column = nil
    leaveVisual(&editor)
  }
}

extension ViText {
  /// A place at which a selection may end: as a cursor, and behind the last character of a line.
  mutating func selectable(_ place: Int) -> Int {
    let at = onCharacter(place)
    let border = buffer.glyphBorder(at: min(max(0, place), count))
    return border > at && lineStart(border) == lineStart(at) && isLineEnd(border) ? border : at
  }
}
