internal import Basics

/// A text with a cursor, a selection, a kill buffer and an undo history. Offsets count bytes.
/// The cursor stands between the characters that a reader sees: a letter with its marks, a family of emoji, an invalid
/// byte, or a carriage return with its line feed.
public struct EditableText: Sendable {
  public private(set) var buffer: TextBuffer
  public internal(set) var cursor = 0
  /// The end of the selection at which the cursor is not.
  public internal(set) var anchor: Int?
  /// The text that `yank` inserts: cut, copied or killed.
  public var killed: [UInt8] {
    get { clipboard.bytes }
    set { clipboard = Clipboard(newValue) }
  }
  public var clipboard = Clipboard()
  /// The cursor before the step that was undone or redone last.
  private(set) var cursorOfStep = 0
  /// nil for a text whose words are not counted.
  var words: WordCount?

  private var history = EditHistory()
  private var killsFollow = false
  private let lineEnd: LineBreak
  var lineBreak: [UInt8] { lineEnd.bytes }

  /// New line breaks follow the text's first one, also those of pasted text; for a part, that of the whole text.
  public init(_ bytes: [UInt8] = [], partOf whole: [UInt8]? = nil) {
    buffer = TextBuffer(bytes)
    lineEnd = LineBreak(of: whole ?? bytes)
  }

  /// Bytes from elsewhere, with the line breaks of this text.
  func fitting(_ bytes: [UInt8]) -> [UInt8] { lineEnd.fitting(bytes) }

  /// Undoing all changes makes the text unmodified.
  public var isModified: Bool { history.isModified }

  public mutating func markSaved() { history.markSaved() }

  /// The text stays modified, whatever is undone.
  public mutating func markUnsaved() { history.forgetSaved() }

  /// The next edit begins a new undo step.
  public mutating func endStep() { history.close() }

  /// All edits until `endGroup` are one undo step.
  mutating func beginGroup() { history.beginGroup() }

  mutating func endGroup() { history.endGroup() }

  /// The next edit begins a new step, even within a group.
  mutating func splitGroup() { history.splitGroup() }

  /// Not empty.
  public var selection: Range<Int>? {
    anchor.flatMap { $0 == cursor ? nil : min($0, cursor)..<max($0, cursor) }
  }

  /// Replaces the selection.
  public mutating func type(_ bytes: [UInt8]) -> TextEdit {
    let at = cursor
    return change(selection ?? at..<at, bytes, .typing)
  }

  /// `next` begins the new line.
  public mutating func breakLine(before next: [UInt8] = []) -> TextEdit { type(lineBreak + next) }

  /// Replaces the selection. The bytes are one undo step.
  public mutating func insert(_ bytes: [UInt8]) -> EditOutcome {
    guard !bytes.isEmpty else { return .moved }
    let at = cursor
    return .edited([change(selection ?? at..<at, bytes, .other)])
  }

  /// As one undo step. The range is clamped to the text.
  public mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) -> EditOutcome {
    let range = range.clamped(to: 0..<buffer.count)
    guard !range.isEmpty || !bytes.isEmpty else { return .moved }
    return .edited([change(range, bytes, .other)])
  }

  /// Keeps the selection for `yank`; false without one.
  public mutating func copy() -> Bool {
    guard let selection else { return false }
    killed = buffer.bytes(in: selection)
    killsFollow = false
    return true
  }

  /// Removes the selection for `yank`.
  public mutating func cut() -> EditOutcome {
    guard copy() else { return .moved }
    return deleteSelection()
  }

  private mutating func deleteSelection() -> EditOutcome {
    selection.map { .edited([change($0, [], .other)]) } ?? .moved
  }

  public mutating func deleteBackward() -> EditOutcome {
    if selection != nil { return deleteSelection() }
    let start = buffer.backspaceStart(before: cursor)
    guard start < cursor else { return .moved }
    return .edited([change(start..<cursor, [], .backspace)])
  }

  public mutating func deleteForward() -> EditOutcome {
    if selection != nil { return deleteSelection() }
    let end = buffer.glyphEnd(after: cursor)
    guard end > cursor else { return .moved }
    return .edited([change(cursor..<end, [], .delete)])
  }

  /// Removes bytes up to `place` for `yank`. Successive kills are joined.
  public mutating func kill(to place: Int) -> EditOutcome {
    let place = min(max(0, place), buffer.count)
    let range = min(cursor, place)..<max(cursor, place)
    guard !range.isEmpty else { return .moved }
    let bytes = buffer.bytes(in: range)
    if !killsFollow {
      killed = bytes
    } else if place < cursor {
      clipboard.bytes.insert(contentsOf: bytes, at: 0)
    } else {
      clipboard.bytes += bytes
    }
    let edit = change(range, [], .other)
    killsFollow = true
    return .edited([edit])
  }

  public mutating func yank() -> EditOutcome { insert(fitting(killed)) }

  /// Applies a recorded edit; undo reverts it. Returns false, without a change, if the text is too short.
  public mutating func apply(_ edit: TextEdit) -> Bool {
    guard edit.fits(buffer.count) else { return false }
    if edit.removed > 0 || !edit.inserted.isEmpty {
      _ = change(edit.offset..<(edit.offset + edit.removed), edit.inserted, .other)
    }
    return true
  }

  /// Applies edits in their order, as one undo step; the cursor and its text stay together. Edits that do not fit are
  /// left out.
  public mutating func apply(_ edits: [TextEdit]) -> EditOutcome {
    var place = cursor
    var done: [TextEdit] = []
    for edit in edits where edit.fits(buffer.count) && !edit.isEmpty {
      let end = edit.offset + edit.removed
      let more = edit.inserted.count - edit.removed
      done.append(change(edit.offset..<end, edit.inserted, .other, continues: !done.isEmpty))
      if end <= place { place += more } else if edit.offset < place { place = cursor }
    }
    guard !done.isEmpty else { return .moved }
    cursor = buffer.glyphBorder(at: place)
    return .edited(done)
  }

  public mutating func undo() -> EditOutcome {
    let edits = history.undo().map { step in
      defer { cursorOfStep = cursor }
      return swap(step.offset, step.inserted, for: step.removed, cursor: step.cursor)
    }
    return edits.isEmpty ? .moved : .edited(edits)
  }

  public mutating func redo() -> EditOutcome {
    let steps = history.redo()
    let edits = steps.map { step in
      swap(step.offset, step.removed, for: step.inserted, cursor: step.offset + step.inserted.count)
    }
    cursorOfStep = buffer.glyphBorder(at: steps.first?.cursor ?? cursor)
    return edits.isEmpty ? .moved : .edited(edits)
  }

  private mutating func swap(_ offset: Int, _ old: [UInt8], for new: [UInt8], cursor place: Int) -> TextEdit {
    killsFollow = false
    anchor = nil
    buffer.replace(offset..<(offset + old.count), with: new)
    words?.replaced(old, at: offset, with: new, in: buffer)
    // Others' edits may have put it into a character.
    cursor = buffer.glyphBorder(at: place)
    return TextEdit(offset: offset, removed: old.count, inserted: new)
  }

  /// Ends the selection. Text typed afterwards is a new undo step.
  public mutating func move(to place: Int) {
    cursor = min(max(0, place), buffer.count)
    anchor = nil
    history.close()
    killsFollow = false
  }

  /// Moves the cursor; the selection begins where it was, or goes on.
  public mutating func select(to place: Int) {
    let from = anchor ?? cursor
    move(to: place)
    anchor = from
  }

  /// The cursor is at the end of the selection.
  public mutating func select(_ range: Range<Int>) {
    move(to: range.lowerBound)
    select(to: range.upperBound)
  }

  /// Cursor, selection and killed text stay as they are; `each` gets every edit that fits, before it is made.
  /// nil if the text stays as it is.
  mutating func replaceUnrecorded(_ edits: [TextEdit], each: (TextEdit, EditableText) -> Void) -> Int? {
    var steps: [EditHistory.Step] = []
    let joined = max(1, (edits.count + history.mostEdits - 1) / history.mostEdits)
    for first in stride(from: 0, to: edits.count, by: joined) {
      let old = buffer
      // The part of the text that these edits change, before and after them.
      var (range, end) = (0..<0, 0)
      for edit in edits[first..<min(first + joined, edits.count)] where edit.fits(buffer.count) && !edit.isEmpty {
        each(edit, self)
        let removed = buffer.replace(edit.offset..<(edit.offset + edit.removed), with: edit.inserted)
        words?.replaced(removed, at: edit.offset, with: edit.inserted, in: buffer)
        if range.isEmpty, end == range.lowerBound { (range, end) = (edit.offset..<edit.offset, edit.offset) }
        let more = max(0, edit.offset + edit.removed - end)
        range = min(range.lowerBound, edit.offset)..<(range.upperBound + more)
        end += more + edit.inserted.count - edit.removed
      }
      let inserted = buffer.bytes(in: range.lowerBound..<end)
      let step = EditHistory.Step(
        offset: range.lowerBound, removed: old.bytes(in: range), inserted: inserted, cursor: range.lowerBound)
      if !step.isEmpty { steps.append(step) }
    }
    return steps.isEmpty ? nil : history.takeIn(steps)
  }

  private mutating func change(
    _ range: Range<Int>, _ inserted: [UInt8], _ kind: EditHistory.Kind, continues: Bool = false
  ) -> TextEdit {
    let before = cursor
    let removed = buffer.replace(range, with: inserted)
    words?.replaced(removed, at: range.lowerBound, with: inserted, in: buffer)
    cursor = range.lowerBound + inserted.count
    anchor = nil
    killsFollow = false
    history.record(
      EditHistory.Step(
        offset: range.lowerBound, removed: removed, inserted: inserted, cursor: before, continues: continues), kind)
    return TextEdit(offset: range.lowerBound, removed: range.count, inserted: inserted)
  }
}

extension EditableText {
  /// Keys common to fields and editors: characters, emacs keys, Left, Right, Home, End, Delete, Backspace. Shift does
  /// not change a movement.
  mutating func handle(_ key: Key) -> EditOutcome {
    let isPlain = key.modifiers.subtracting(.shift).isEmpty
    switch key.code {
    case .character(let scalar): return character(scalar, key.modifiers)
    case .left: return move(isPlain ? buffer.glyphStart(before: cursor) : buffer.wordStart(before: cursor))
    case .right: return move(isPlain ? buffer.glyphEnd(after: cursor) : buffer.wordEnd(after: cursor))
    case .home: return move(buffer.lineStart(at: cursor))
    case .end: return move(buffer.lineEnd(at: cursor))
    case .backspace:
      return isPlain ? deleteBackward() : kill(to: buffer.wordStart(before: cursor))
    case .delete: return isPlain ? deleteForward() : kill(to: buffer.wordEnd(after: cursor))
    default: return .ignored
    }
  }

  private mutating func character(_ scalar: Unicode.Scalar, _ modifiers: Key.Modifiers) -> EditOutcome {
    switch (modifiers.subtracting(.shift), scalar) {
    case ([], _):
      guard scalar.value >= 0x20, scalar.value != 0x7F else { return .ignored }
      return .edited([type(Array(String(Character(scalar)).utf8))])
    case (.control, "a"): return move(buffer.lineStart(at: cursor))
    case (.control, "e"): return move(buffer.lineEnd(at: cursor))
    case (.control, "b"): return move(buffer.glyphStart(before: cursor))
    case (.control, "f"): return move(buffer.glyphEnd(after: cursor))
    case (.control, "d"): return deleteForward()
    case (.control, "h"): return deleteBackward()
    case (.control, "k"): return killLine()
    case (.control, "u"): return kill(to: buffer.lineStart(at: cursor))
    case (.control, "w"): return selection == nil ? kill(to: buffer.wordStart(before: cursor)) : cut()
    case (.control, "y"): return yank()
    case (.control, "_"), (.alt, "u"): return undo()
    case (.alt, "_"), ([.alt, .control], "_"), (.alt, "r"), (.control, "r"): return redo()
    case (.alt, "b"): return move(buffer.wordStart(before: cursor))
    case (.alt, "f"): return move(buffer.wordEnd(after: cursor))
    case (.alt, "d"): return kill(to: buffer.wordEnd(after: cursor))
    default: return .ignored
    }
  }

  /// At a line end, kills the line break.
  private mutating func killLine() -> EditOutcome {
    let end = buffer.lineEnd(at: cursor)
    return kill(to: end > cursor ? end : buffer.glyphEnd(after: cursor))
  }

  private mutating func move(_ place: Int) -> EditOutcome {
    move(to: place)
    return .moved
  }
}

/// The text that was cut or copied last.
public struct Clipboard: Hashable, Sendable {
  public var bytes: [UInt8]
  /// Whole lines, which vi's keys paste between lines.
  public var isLines: Bool

  /// By default, bytes that end in a line feed are lines.
  public init(_ bytes: [UInt8] = [], isLines: Bool? = nil) {
    self.bytes = bytes
    self.isLines = isLines ?? (bytes.last == 0x0A)
  }
}

public enum EditOutcome: Hashable, Sendable {
  case edited([TextEdit])
  /// The text is unchanged; the cursor may have moved.
  case moved
  case ignored
}

/// A change that can be logged and replayed on the same text. `offset` and `removed` count bytes.
public struct TextEdit: Hashable, Sendable {
  /// In bytes from the start of the text.
  public var offset: Int
  /// In bytes.
  public var removed: Int
  public var inserted: [UInt8]

  public init(offset: Int, removed: Int = 0, inserted: [UInt8] = []) {
    self.offset = offset
    self.removed = removed
    self.inserted = inserted
  }

  /// One edit that makes a text of another; empty for equal texts.
  public init(from old: [UInt8], to new: [UInt8]) {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
    self.init(offset: start, removed: old.count - start - end, inserted: Array(new[start..<(new.count - end)]))
  }

  var isEmpty: Bool { removed == 0 && inserted.isEmpty }

  public func fits(_ count: Int) -> Bool {
    offset >= 0 && removed >= 0 && offset <= count && removed <= count - offset
  }
}
