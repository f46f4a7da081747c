/// The full-screen editor, wrapped at words. It never fails and reads only the text near the cursor and the view.
/// Call `resize` with the canvas's size; drawing keeps the cursor in view even without it.
public struct TextEditor: Sendable {
  public typealias Outcome = EditOutcome

  public internal(set) var text: EditableText
  public private(set) var size = Size(80, 24)
  public internal(set) var search: TextSearch?

  /// vi's keys; nil for emacs's.
  public internal(set) var vi: ViKeys?

  fileprivate var top = 0
  private var wanted: Int?

  /// `whole` is the text that these bytes are a part of, or a line break of it.
  public init(_ bytes: [UInt8] = [], partOf whole: [UInt8]? = nil) {
    text = EditableText(bytes, partOf: whole)
    text.words = WordCount()
    countOn()
  }

  public var isModified: Bool { text.isModified }

  public mutating func markSaved() { text.markSaved() }

  /// The text stays modified, whatever is undone.
  public mutating func markUnsaved() { text.markUnsaved() }

  /// nil until all of a long text is counted.
  public var wordCount: Int? { text.words.flatMap { $0.counted < text.buffer.count ? nil : $0.count } }

  /// Counts the words of the next slice of the text.
  public mutating func countOn() { text.words?.countOn(in: text.buffer) }

  /// Text that `yank` inserts.
  public var killed: [UInt8] {
    get { text.killed }
    set { text.killed = newValue }
  }

  public var clipboard: Clipboard {
    get { text.clipboard }
    set { text.clipboard = newValue }
  }

  /// The next edit begins a new undo step.
  public mutating func endStep() { text.endStep() }

  /// Keeps the selection for `yank`; false without one.
  public mutating func copy() -> Bool { text.copy() }

  public mutating func cut() -> Outcome { settle(text.cut()) }

  public mutating func yank() -> Outcome { settle(text.yank()) }

  public var bytes: [UInt8] { text.buffer.bytes }

  public mutating func resize(_ size: Size) {
    self.size = size
    top = visibleTop(for: size)
  }

  /// Tab inserts a tab, or indents the selected lines; Escape, Ctrl-S and others are ignored. Shift selects.
  public mutating func handle(_ key: Key) -> Outcome {
    if let outcome = withVi({ $0.handle(key, &$1) }) { return outcome }
    let outcome = perform(key)
    if outcome != .ignored { top = visibleTop(for: size) }
    return outcome
  }

  /// The bytes stay unchanged and are one undo step.
  public mutating func paste(_ bytes: [UInt8]) -> Outcome {
    let fitting = text.fitting(bytes)
    return withVi { $0.paste(fitting, &$1) } ?? settle(text.insert(fitting))
  }

  /// False, without a change, if the text is too short.
  public mutating func apply(_ edit: TextEdit) -> Bool {
    guard text.apply(edit) else { return false }
    _ = settle(.moved)
    return true
  }

  /// Applies edits in their order, as one undo step.
  public mutating func apply(_ edits: [TextEdit]) -> Outcome {
    text.splitGroup()
    defer { text.splitGroup() }
    return settle(text.apply(edits))
  }

  public mutating func undo() -> Outcome { settle(text.undo()) }

  public mutating func redo() -> Outcome { settle(text.redo()) }

  public mutating func move(to offset: Int) {
    text.move(to: offset)
    _ = settle(.moved)
  }

  /// The row of the offset becomes the first.
  public mutating func open(at offset: Int) {
    text.move(to: offset)
    wanted = nil
    top = wrap.row(at: text.cursor, in: text.buffer).start
  }

  public var topOffset: Int { top }

  /// The row of the offset is the first, as far as the cursor stays in view.
  mutating func stay(at offset: Int) {
    top = offset
    _ = settle(.moved, keepsColumn: true)
  }

  public mutating func click(_ point: Point) {
    if let place = place(at: point) { move(to: place) }
  }

  /// Selects from the last click to a place. Above or below the view it scrolls by a row.
  public mutating func drag(to point: Point) {
    let anchor = text.anchor ?? text.cursor
    if point.y < 0 {
      _ = vertical(-1)
    } else if point.y >= size.height {
      _ = vertical(1)
    } else if let place = place(at: point) {
      text.move(to: place)
    }
    let place = text.cursor
    text.move(to: anchor)
    text.select(to: place)
    _ = settle(.moved)
  }

  /// Selects the word at a place.
  public mutating func clickWord(_ point: Point) {
    guard let place = place(at: point) else { return }
    text.select(text.buffer.word(at: place))
    _ = settle(.moved)
  }

  private func place(at point: Point) -> Int? {
    let rows = wrap.rows(from: visibleTop(for: size), count: max(1, min(point.y + 1, size.height)), in: text.buffer)
    return rows.last.map { offset(atColumn: max(0, point.x), in: $0) }
  }

  /// Never within a character: a row may begin in one that is wider.
  private func offset(atColumn column: Int, in row: WrappedRow) -> Int {
    let offset = wrap.offset(atColumn: column, in: row, of: text.buffer)
    let border = text.buffer.glyphBorder(at: offset)
    return border < row.start ? text.buffer.glyphEnd(after: border) : border
  }

  public mutating func scroll(by rows: Int) {
    _ = vertical(rows)
    _ = settle(.moved, keepsColumn: true)
  }

  /// Moves the view; the cursor stays in it.
  mutating func scroll(_ scroll: ViScroll) {
    let height = max(1, size.height)
    let buffer = text.buffer
    switch scroll {
    case .cursorToTop: top = wrap.row(at: text.cursor, in: buffer).start
    case .cursorToMiddle: top = wrap.start(height / 2, rowsAbove: text.cursor, in: buffer)
    case .cursorToBottom: top = wrap.start(height - 1, rowsAbove: text.cursor, in: buffer)
    case .rowDown:
      let rows = wrap.rows(from: visibleTop(for: size), count: 2, in: buffer)
      guard rows.count > 1 else { return }
      top = rows[1].start
      if text.cursor < top { _ = vertical(1) }
    case .rowUp:
      let first = visibleTop(for: size)
      guard first > 0 else { return }
      top = wrap.start(1, rowsAbove: first, in: buffer)
      if visibleTop(for: size) != top { _ = vertical(-1) }
    }
  }

  /// Brings the cursor to a third of the height unless it is in view.
  mutating func center() {
    wanted = nil
    let visible = visibleTop(for: size)
    if visible != top { top = wrap.start(size.height / 3, rowsAbove: text.cursor, in: text.buffer) }
    top = visibleTop(for: size)
  }

  mutating func settle(_ outcome: Outcome, keepsColumn: Bool = false) -> Outcome {
    if !keepsColumn { wanted = nil }
    top = visibleTop(for: size)
    return outcome
  }

  mutating func perform(_ key: Key) -> Outcome {
    let (anchor, cursor) = (text.anchor, text.cursor)
    let outcome = performUnselected(key)
    guard key.modifiers.contains(.shift), outcome == .moved, key.isMovement else { return outcome }
    let place = text.cursor
    text.move(to: anchor ?? cursor)
    text.select(to: place)
    return .moved
  }

  private mutating func performUnselected(_ key: Key) -> Outcome {
    let page = max(1, size.height - 1)
    let modifiers = key.modifiers.subtracting(.shift)
    switch (key.code, modifiers) {
    case (.up, []), (.character("p"), .control): return vertical(-1)
    case (.down, []), (.character("n"), .control): return vertical(1)
    case (.pageUp, _), (.character("v"), .alt): return vertical(-page)
    case (.pageDown, _): return vertical(page)
    default: break
    }
    let column = wanted
    wanted = nil
    switch (key.code, modifiers) {
    case (.home, .control): text.move(to: 0)
    case (.end, .control): text.move(to: text.buffer.count)
    case (.enter, []): return breakLine()
    case (.tab, []): return selectsLines ? indent() : .edited([text.type([0x09])])
    case (.backTab, _): return unindent()
    case (.left, []) where text.selection != nil && !key.modifiers.contains(.shift):
      text.move(to: text.selection?.lowerBound ?? text.cursor)
    case (.right, []) where text.selection != nil && !key.modifiers.contains(.shift):
      text.move(to: text.selection?.upperBound ?? text.cursor)
    default:
      let outcome = text.handle(key)
      if outcome == .ignored { wanted = column }
      return outcome
    }
    return .moved
  }

  mutating func vertical(_ distance: Int) -> Outcome {
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
      text.move(to: offset(atColumn: column, in: wrap.row(at: start, in: buffer)))
    } else {
      let rows = wrap.rows(from: text.cursor, count: distance + 1, in: buffer)
      guard rows.count > 1, let target = rows.last else {
        text.move(to: buffer.count)
        wanted = nil
        return .moved
      }
      text.move(to: offset(atColumn: column, in: target))
    }
    wanted = column
    return .moved
  }
}

extension TextEditor {
  /// The last column is for a cursor after a full row.
  var wrap: SoftWrap { wrap(for: size) }

  func wrap(for size: Size) -> SoftWrap { SoftWrap(width: size.width - 1, hasRowForCursor: true) }

  /// Unchanged, or the nearest row that brings the cursor into view.
  func visibleTop(for size: Size) -> Int {
    let buffer = text.buffer
    let wrap = wrap(for: size)
    let height = max(1, size.height)
    let cursor = wrap.row(at: text.cursor, in: buffer).start
    let first = wrap.row(at: top, in: buffer).start
    if cursor <= first { return cursor }
    let highest = wrap.start(height - 1, rowsAbove: cursor, in: buffer)
    return max(first, highest)
  }
}

extension TextEditor {
  public struct Position: Hashable, Sendable {
    public var line: Int
    /// In characters as a reader sees them, or in bytes after the first 64 KiB of a line; from 1.
    public var column: Int

    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  public var position: Position {
    let start = text.buffer.lineStart(at: text.cursor)
    let line = text.buffer.line(at: text.cursor) + 1
    guard text.cursor - start <= 0x10000 else { return Position(line: line, column: text.cursor - start + 1) }
    let before = text.buffer.bytes(in: start..<text.cursor)
    let isPlain = before.allSatisfy { $0 < 0x80 }
    return Position(line: line, column: 1 + (isPlain ? before.count : Graphemes.starts(in: before).count))
  }

  /// The part of the text that a drawing of this size shows.
  public func visibleRange(for size: Size) -> Range<Int> {
    let rows = wrap(for: size).rows(from: visibleTop(for: size), count: max(1, size.height), in: text.buffer)
    return (rows.first?.start ?? 0)..<(rows.last?.end ?? 0)
  }

  /// `roles` are parts of the text in their order, without overlaps; a selection and matches are drawn over them.
  public func draw(on canvas: inout Canvas, style: Style = .plain, roles: [TextRole] = []) {
    let size = canvas.size
    guard size.width > 0, size.height > 0 else { return }
    let wrap = wrap(for: size)
    let rows = wrap.rows(from: visibleTop(for: size), count: size.height, in: text.buffer)
    let selection = text.selection ?? vi?.selection(in: text)
    let (selected, match) = (canvas[.selection], canvas[.match])
    let styles = roles.map { canvas[$0.role] }
    var role = 0
    for (y, row) in rows.enumerated() {
      let places = search?.places(in: row.start..<row.end) ?? []
      canvas.row(text.buffer.bytes(in: row.start..<row.end), y: y, tabWidth: wrap.tabWidth) { index in
        let offset = row.start + index
        if selection?.contains(offset) == true { return selected }
        if places.contains(where: { $0.contains(offset) }) { return match }
        while role < roles.count, roles[role].range.upperBound <= offset { role += 1 }
        return role < roles.count && roles[role].range.contains(offset) ? styles[role] : style
      }
      // A selected line end has a cell.
      if let selection, selection.contains(row.end), !row.isBroken, row.next != nil {
        let column = wrap.column(of: row.end, in: row, of: text.buffer)
        canvas.fill(Rect(column, y, 1, 1), style: selected)
      }
      let isHere = text.cursor >= row.start && (text.cursor < row.end || text.cursor <= row.end && !row.isBroken)
      let isInBreak = text.cursor > row.end && text.cursor < row.next ?? .max
      if isHere || isInBreak {
        let column = wrap.column(of: text.cursor, in: row, of: text.buffer)
        canvas.showCursor(x: min(column, size.width - 1), y: y)
      }
    }
  }
}

/// A part of a text that is drawn in a role.
public struct TextRole: Hashable, Sendable {
  /// In bytes.
  public var range: Range<Int>
  public var role: Role

  public init(_ range: Range<Int>, _ role: Role) {
    self.range = range
    self.role = role
  }
}

extension Key {
  var isMovement: Bool {
    switch code {
    case .up, .down, .left, .right, .home, .end, .pageUp, .pageDown: true
    default: false
    }
  }
}
