public struct TextField: Sendable {
  public var placeholder: String
  private var text: EditableText
  private let keepsLines: Bool
  private static let shownBytes = 16 << 10

  /// As `init(bytes:placeholder:keepsLines:)`.
  public init(_ text: String = "", placeholder: String = "", keepsLines: Bool = false) {
    self.init(bytes: Array(text.utf8), placeholder: placeholder, keepsLines: keepsLines)
  }

  /// Puts the cursor at the end. Line ends become spaces; with `keepsLines` they become line feeds, which have a symbol.
  public init(bytes: [UInt8], placeholder: String = "", keepsLines: Bool = false) {
    let line = Self.line(bytes, keepsLines)
    text = EditableText(line)
    text.move(to: line.count)
    (self.placeholder, self.keepsLines) = (placeholder, keepsLines)
  }

  public var bytes: [UInt8] { text.buffer.bytes }

  /// Invalid UTF-8 is replaced.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  public var isEmpty: Bool { text.buffer.count == 0 }

  public var cursor: Int { text.cursor }

  /// Enter, Escape, Tab, Up and Down are ignored.
  public mutating func handle(_ key: Key) -> EditOutcome { text.handle(key) }

  /// Line ends become what they are in `init`.
  public mutating func paste(_ bytes: [UInt8]) -> EditOutcome { text.insert(Self.line(bytes, keepsLines)) }

  /// Clamps the range to the text, and moves the cursor behind the new bytes.
  public mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) -> EditOutcome {
    let range = range.clamped(to: 0..<text.buffer.count)
    let edit = TextEdit(offset: range.lowerBound, removed: range.count, inserted: Self.line(bytes, keepsLines))
    return text.apply(edit) ? .edited([edit]) : .moved
  }

  /// Clamped to the text.
  public mutating func move(to offset: Int) { text.move(to: min(max(0, offset), text.buffer.count)) }

  /// Undo restores the text.
  public mutating func clear() { _ = replace(0..<text.buffer.count, with: []) }

  /// Offers an earlier text: the first typed letter replaces it, an arrow or End goes on with it.
  public mutating func offer() { text.select(0..<text.buffer.count) }

  /// The offered text is taken: letters go on with it.
  public mutating func take() { if text.selection != nil { text.move(to: text.cursor) } }

  public mutating func click(x: Int, width: Int) {
    let part = part
    let start = part.visibleStart(width: width)
    var column = part.offset + start > 0 ? 1 : 0
    var place = start
    var reader = GlyphReader(part.bytes[start...])
    while let glyph = reader.next(), column + glyph.width <= max(0, x) {
      column += glyph.width
      place = glyph.range.upperBound
    }
    // A click between the parts of a character is one before it.
    text.move(to: text.buffer.glyphBorder(at: part.offset + place))
  }

  /// Draws the part around the cursor, with `<` and `>` for cut text and a cursor if focused.
  public func draw(on canvas: inout Canvas, style: Style = .plain, isFocused: Bool = true) {
    let width = canvas.size.width
    guard width > 0, canvas.size.height > 0 else { return }
    guard !isEmpty else {
      canvas.text(placeholder, x: 0, y: 0, style: canvas[.dim])
      if isFocused { canvas.showCursor(x: 0, y: 0) }
      return
    }
    let part = part
    let offered = text.selection ?? 0..<0
    let start = part.visibleStart(width: width)
    var x = 0
    if part.offset + start > 0 { x += canvas.text("<", x: 0, y: 0, style: canvas[.dim]) }
    var cursor = x
    var reader = GlyphReader(part.bytes[start...])
    while let glyph = reader.next() {
      let goesOn = part.offset + glyph.range.upperBound < text.buffer.count
      if x + glyph.width > (goesOn ? width - 1 : width) {
        canvas.text(">", x: width - 1, y: 0, style: canvas[.dim])
        break
      }
      if glyph.width == 2, part.bytes[glyph.range].elementsEqual("\n".utf8) {
        x += canvas.text("\(canvas.symbol(.lineEnd)) ", x: x, y: 0, style: canvas[.dim])
      } else {
        let isOffered = offered.contains(part.offset + glyph.range.lowerBound)
        x += canvas.glyph(glyph, x: x, y: 0, style: isOffered ? canvas[.selection] : style)
      }
      if glyph.range.upperBound <= part.cursor { cursor = x }
    }
    if isFocused { canvas.showCursor(x: min(cursor, width - 1), y: 0) }
  }

  /// All of the text, or about 16 KiB around the cursor.
  private var part: Part {
    // A segment ends with its line.
    let isShort = text.buffer.count <= TextField.shownBytes
    let range = isShort ? 0..<text.buffer.count : text.buffer.segment(at: text.cursor).range
    return Part(bytes: text.buffer.bytes(in: range), offset: range.lowerBound, cursor: text.cursor - range.lowerBound)
  }

  private struct Part {
    var bytes: [UInt8]
    var offset: Int
    var cursor: Int

    /// 0 if that shows the cursor, else a byte that puts the cursor near the right border.
    func visibleStart(width: Int) -> Int {
      var ends: [(end: Int, column: Int)] = []
      var column = 0
      var cursorColumn = 0
      var atCursor = 1
      for glyph in GlyphReader(bytes[...]) {
        if glyph.range.lowerBound == cursor { atCursor = glyph.width }
        column += glyph.width
        if glyph.range.upperBound > cursor { continue }
        cursorColumn = column
        ends.append((glyph.range.upperBound, column))
      }
      // The glyph at the cursor stays visible, and `>` may follow it.
      let behind = cursor >= bytes.count ? 1 : atCursor + 1
      if offset == 0, cursorColumn + behind <= width || column <= width && cursor < bytes.count { return 0 }
      let room = max(0, width - 1 - behind)
      if offset > 0, cursorColumn <= room { return 0 }
      return ends.first { cursorColumn - $0.column <= room }?.end ?? cursor
    }
  }

  private static func line(_ bytes: [UInt8], _ keepsLines: Bool) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0A, index > 0, bytes[index - 1] == 0x0D { continue }
      line.append(byte == 0x0A || byte == 0x0D ? (keepsLines ? 0x0A : 0x20) : byte)
    }
    return line
  }
}
