/// A text, a cursor in it, what was killed, and what can be undone; without a place on the screen.
///
/// The cursor stands between glyphs as `GlyphReader` shows them: a base with its marks is one, an invalid byte is
/// one, a carriage return with its line feed is one.
public struct EditableText: Sendable {
  /// The bytes.
  public private(set) var buffer: TextBuffer
  /// Where text is typed, in bytes.
  public internal(set) var cursor = 0
  /// What `yank` inserts.
  public private(set) var killed: [UInt8] = []

  private var history = EditHistory()
  private var killsFollow = false
  private let lineBreak: [UInt8]

  /// A text, unmodified, with the cursor at its start. Line breaks typed into it are as its first one.
  public init(_ bytes: [UInt8] = []) {
    buffer = TextBuffer(bytes)
    let newline = buffer.newline(from: 0)
    let hasReturn = newline.map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false
    lineBreak = hasReturn ? [0x0D, 0x0A] : [0x0A]
  }

  /// Whether the text differs from the one it was made of or from when it was marked as saved. Undoing all changes
  /// makes it unmodified.
  public var isModified: Bool { history.isModified }

  /// The text as it is now is the saved one.
  public mutating func markSaved() { history.markSaved() }

  /// Inserts what a key typed.
  public mutating func type(_ bytes: [UInt8]) -> TextEdit {
    let at = cursor
    return change(at..<at, bytes, .typing)
  }

  /// Inserts a line break.
  public mutating func breakLine() -> TextEdit { type(lineBreak) }

  /// Inserts bytes as one step.
  public mutating func insert(_ bytes: [UInt8]) -> EditOutcome {
    guard !bytes.isEmpty else { return .moved }
    let at = cursor
    return .edited([change(at..<at, bytes, .other)])
  }

  /// Removes the glyph before the cursor.
  public mutating func deleteBackward() -> EditOutcome {
    let start = buffer.glyphStart(before: cursor)
    guard start < cursor else { return .moved }
    return .edited([change(start..<cursor, [], .backspace)])
  }

  /// Removes the glyph at the cursor.
  public mutating func deleteForward() -> EditOutcome {
    let end = buffer.glyphEnd(after: cursor)
    guard end > cursor else { return .moved }
    return .edited([change(cursor..<end, [], .delete)])
  }

  /// Removes what lies between the cursor and a place, for `yank`. Kills that follow each other are joined.
  public mutating func kill(to place: Int) -> EditOutcome {
    let place = min(max(0, place), buffer.count)
    let range = min(cursor, place)..<max(cursor, place)
    guard !range.isEmpty else { return .moved }
    let bytes = buffer.bytes(in: range)
    if !killsFollow {
      killed = bytes
    } else if place < cursor {
      killed.insert(contentsOf: bytes, at: 0)
    } else {
      killed += bytes
    }
    let edit = change(range, [], .other)
    killsFollow = true
    return .edited([edit])
  }

  /// Inserts what was killed last.
  public mutating func yank() -> EditOutcome { insert(killed) }

  /// Applies an edit that was reported before, such as from a log; it can be undone. False, and nothing happens,
  /// when the text does not have what the edit takes away.
  public mutating func apply(_ edit: TextEdit) -> Bool {
    guard edit.fits(buffer.count) else { return false }
    if edit.removed > 0 || !edit.inserted.isEmpty {
      _ = change(edit.offset..<(edit.offset + edit.removed), edit.inserted, .other)
    }
    return true
  }

  /// Takes back the last step.
  public mutating func undo() -> EditOutcome {
    guard let step = history.undo() else { return .moved }
    killsFollow = false
    buffer.replace(step.offset..<(step.offset + step.inserted.count), with: step.removed)
    cursor = min(step.cursor, buffer.count)
    return .edited([TextEdit(offset: step.offset, removed: step.inserted.count, inserted: step.removed)])
  }

  /// Does the step again that was taken back last.
  public mutating func redo() -> EditOutcome {
    guard let step = history.redo() else { return .moved }
    killsFollow = false
    buffer.replace(step.offset..<(step.offset + step.removed.count), with: step.inserted)
    cursor = step.offset + step.inserted.count
    return .edited([TextEdit(offset: step.offset, removed: step.removed.count, inserted: step.inserted)])
  }

  /// Puts the cursor somewhere; what is typed then is a step of its own.
  public mutating func move(to place: Int) {
    cursor = min(max(0, place), buffer.count)
    history.close()
    killsFollow = false
  }

  private mutating func change(_ range: Range<Int>, _ inserted: [UInt8], _ kind: EditHistory.Kind) -> TextEdit {
    let before = cursor
    let removed = buffer.replace(range, with: inserted)
    cursor = range.lowerBound + inserted.count
    killsFollow = false
    history.record(
      EditHistory.Step(offset: range.lowerBound, removed: removed, inserted: inserted, cursor: before), kind)
    return TextEdit(offset: range.lowerBound, removed: range.count, inserted: inserted)
  }
}
