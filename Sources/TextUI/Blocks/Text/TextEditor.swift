/// The full-screen editor: an `EditableText`, wrapped at words, with a part of it in view.
///
/// It never fails and never looks at more of the text than is near the cursor and the view. Tell it the size of the
/// canvas that it is drawn on by `resize`; drawing keeps the cursor in view even when that was forgotten.
public struct TextEditor: Sendable {
  /// What a key did.
  public typealias Outcome = EditOutcome

  /// The text and its cursor.
  public private(set) var text: EditableText
  /// Columns and rows that it is drawn on.
  public private(set) var size = Size(80, 24)

  /// Where the first visible row begins.
  fileprivate var top = 0
  /// The column that Up and Down want to be in.
  private var wanted: Int?

  /// An editor over a text, with the cursor at its first character.
  public init(_ bytes: [UInt8] = []) {
    text = EditableText(bytes)
  }

  /// Whether the text differs from the saved one.
  public var isModified: Bool { text.isModified }

  /// The text as it is now is the saved one.
  public mutating func markSaved() { text.markSaved() }

  /// A copy of all bytes.
  public var bytes: [UInt8] { text.buffer.bytes }

  /// The canvas has another size.
  public mutating func resize(_ size: Size) {
    self.size = size
    top = visibleTop(for: size)
  }

  /// Does what a key says. Tab inserts a tab; Escape, Ctrl-S and others are ignored.
  public mutating func handle(_ key: Key) -> Outcome {
    let outcome = perform(key)
    if outcome != .ignored { top = visibleTop(for: size) }
    return outcome
  }

  /// Inserts pasted text as it came, as one step of undoing.
  public mutating func paste(_ bytes: [UInt8]) -> Outcome { settle(text.insert(bytes)) }

  /// Applies an edit that was reported before. False, and nothing happens, when it does not fit the text.
  public mutating func apply(_ edit: TextEdit) -> Bool {
    guard text.apply(edit) else { return false }
    _ = settle(.moved)
    return true
  }

  /// Takes back the last step.
  public mutating func undo() -> Outcome { settle(text.undo()) }

  /// Does the step again that was taken back last.
  public mutating func redo() -> Outcome { settle(text.redo()) }

  /// Puts the cursor at an offset in bytes.
  public mutating func move(to offset: Int) {
    text.move(to: offset)
    _ = settle(.moved)
  }

  /// Puts the cursor at an offset, and its row on top.
  public mutating func open(at offset: Int) {
    text.move(to: offset)
    wanted = nil
    top = wrap.row(at: text.cursor, in: text.buffer).start
  }

  /// The offset of the first row in view.
  public var topOffset: Int { top }

  /// Puts the cursor where the mouse was pressed, relative to the canvas.
  public mutating func click(_ point: Point) {
    let rows = wrap.rows(from: visibleTop(for: size), count: max(1, min(point.y + 1, size.height)), in: text.buffer)
    guard let row = rows.last else { return }
    move(to: wrap.offset(atColumn: max(0, point.x), in: row, of: text.buffer))
  }

  /// Moves the cursor by rows, as the mouse's wheel does; negative is up.
  public mutating func scroll(by rows: Int) {
    _ = vertical(rows)
    _ = settle(.moved, keepsColumn: true)
  }

  private mutating func settle(_ outcome: Outcome, keepsColumn: Bool = false) -> Outcome {
    if !keepsColumn { wanted = nil }
    top = visibleTop(for: size)
    return outcome
  }

  private mutating func perform(_ key: Key) -> Outcome {
    let page = max(1, size.height - 1)
    let modifiers = key.modifiers.subtracting(.shift)
    switch (key.code, modifiers) {
    case (.up, []), (.character("p"), .control): return vertical(-1)
    case (.down, []), (.character("n"), .control): return vertical(1)
    case (.pageUp, _), (.character("v"), .alt): return vertical(-page)
    case (.pageDown, _), (.character("v"), .control): return vertical(page)
    default: break
    }
    let column = wanted
    wanted = nil
    switch (key.code, modifiers) {
    case (.home, .control): text.move(to: 0)
    case (.end, .control): text.move(to: text.buffer.count)
    case (.enter, []): return .edited([text.breakLine()])
    case (.tab, []): return .edited([text.type([0x09])])
    default:
      let outcome = text.handle(key)
      if outcome == .ignored { wanted = column }
      return outcome
    }
    return .moved
  }

  private mutating func vertical(_ distance: Int) -> Outcome {
    let buffer = text.buffer
    let row = wrap.row(at: text.cursor, in: buffer)
    let column = wanted ?? wrap.column(of: text.cursor, in: row, of: buffer)
    if distance < 0 {
      let start = wrap.start(-distance, rowsAbove: text.cursor, in: buffer)
      if start == row.start {
        text.move(to: start)
        wanted = nil
        return .moved
      }
      text.move(to: wrap.offset(atColumn: column, in: wrap.row(at: start, in: buffer), of: buffer))
    } else {
      let rows = wrap.rows(from: text.cursor, count: distance + 1, in: buffer)
      guard rows.count > 1, let target = rows.last else {
        text.move(to: buffer.count)
        wanted = nil
        return .moved
      }
      text.move(to: wrap.offset(atColumn: column, in: target, of: buffer))
    }
    wanted = column
    return .moved
  }
}

extension TextEditor {
  /// The last column is for a cursor behind a full row.
  var wrap: SoftWrap { wrap(for: size) }

  func wrap(for size: Size) -> SoftWrap { SoftWrap(width: size.width - 1, hasRowForCursor: true) }

  /// The start of the first row to show: as before, or as near to it as brings the cursor into view.
  func visibleTop(for size: Size) -> Int {
    let buffer = text.buffer
    let wrap = wrap(for: size)
    let height = max(1, size.height)
    let cursor = wrap.row(at: text.cursor, in: buffer).start
    let first = wrap.row(at: top, in: buffer).start
    if cursor <= first { return cursor }
    // The row that would be the first if the cursor's were the last.
    let highest = wrap.start(height - 1, rowsAbove: cursor, in: buffer)
    return max(first, highest)
  }
}
