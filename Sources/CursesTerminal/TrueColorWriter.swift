internal import TextUI

/// Paints cells with 24-bit colour over what ncurses has drawn there in 256 colours. ncurses knows nothing of it, and
/// it costs a tenth of what ncurses' own direct colour costs.
struct TrueColorWriter {
  /// What `finish` returned last or is being written.
  private var bytes: ContiguousArray<UInt8> = []
  private var style: Style?
  private var isEmpty = true

  private static let decimals: [[UInt8]] = (0..<256).map { Array(String($0).utf8) }

  /// Begins anew; memory is kept.
  mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    style = nil
    isEmpty = true
  }

  /// Paints what has 24-bit colour in a row, or had it in `old` and so differs from what ncurses believes.
  mutating func paint(_ row: UnsafeBufferPointer<Cell>, over old: UnsafeBufferPointer<Cell>?, y: Int) {
    var next = -1
    var column = 0
    while column < row.count {
      let cell = row[column]
      let width = cell.width == 2 && column + 1 < row.count ? 2 : 1
      defer { column += width }
      guard cell.style.isTrueColor || old.map({ $0[column].style.isTrueColor }) == true else { continue }
      if next != column { move(to: column, y) }
      next = column + width
      if style != cell.style.shown { apply(cell.style.shown) }
      glyph(cell, width: width)
    }
  }

  /// Ends, and gives the bytes to `write`. Colours and place of the cursor are then as ncurses left them.
  ///
  /// Never by saving and restoring the cursor (DECSC, DECRC): terminals keep one place for that and for the switch to
  /// the full screen, and leaving it would bring back a hidden cursor, somewhere amid what was there before.
  mutating func finish(cursor: (row: Int, column: Int), _ write: (UnsafeRawBufferPointer) -> Void) {
    if !isEmpty {
      append("\u{1B}[0m")
      move(to: cursor.column, cursor.row)
    }
    // Ends what was begun before ncurses' part: terminals show both as one change.
    append("\u{1B}[?2026l")
    bytes.withUnsafeBytes(write)
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ number: Int) {
    if number < 256 {
      bytes.append(contentsOf: Self.decimals[number])
    } else {
      bytes.append(contentsOf: String(number).utf8)
    }
  }

  private mutating func move(to column: Int, _ row: Int) {
    isEmpty = false
    append("\u{1B}[")
    append(row + 1)
    bytes.append(0x3B)
    append(column + 1)
    bytes.append(0x48)
  }

  private mutating func apply(_ new: Style) {
    append("\u{1B}[")
    if let old = style, old.attributes == new.attributes {
      if old.foreground != new.foreground {
        color(new.foreground, base: 30)
        if old.background != new.background { bytes.append(0x3B) }
      }
      if old.background != new.background { color(new.background, base: 40) }
    } else {
      append("0")
      if new.attributes.contains(.bold) { append(";1") }
      if new.attributes.contains(.dim) { append(";2") }
      if new.attributes.contains(.underline) { append(";4") }
      if new.attributes.contains(.reverse) { append(";7") }
      bytes.append(0x3B)
      color(new.foreground, base: 30)
      bytes.append(0x3B)
      color(new.background, base: 40)
    }
    bytes.append(0x6D)
    style = new
  }

  private mutating func color(_ color: Color, base: Int) {
    if let rgb = color.rgbValue {
      append(base + 8)
      append(";2;")
      append(Int(rgb >> 16))
      bytes.append(0x3B)
      append(Int(rgb >> 8 & 0xFF))
      bytes.append(0x3B)
      append(Int(rgb & 0xFF))
    } else if let index = color.paletteIndex {
      append(base + 8)
      append(";5;")
      append(Int(index))
    } else {
      append(base + 9)
    }
  }

  private mutating func glyph(_ cell: Cell, width: Int) {
    if cell.base >= 0x20, cell.base < 0x7F, cell.width == 1 {
      bytes.append(UInt8(cell.base))
    } else if cell.base >= 0x2500, cell.base < 0x25A0, cell.width == 1 {
      // Boxes and blocks: one column everywhere.
      bytes.append(0xE2)
      bytes.append(UInt8(0x80 | cell.base >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | cell.base & 0x3F))
    } else if let scalar = Unicode.Scalar(cell.base), Int(cell.width) == width, GlyphWidth.columns(of: scalar) == width
    {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      for value in [cell.mark1, cell.mark2] where value != 0 {
        guard let mark = Unicode.Scalar(value), GlyphWidth.columns(of: mark) == 0 else { continue }
        bytes.append(contentsOf: UTF8.encode(mark) ?? UTF8.encodedReplacementCharacter)
      }
    } else {
      bytes.append(0x20)
      if width == 2 { bytes.append(0x20) }
    }
  }
}
