internal import TextUI

/// Paints over ncurses' cells what ncurses cannot show: hyperlinks (OSC 8), lines through text, grapheme clusters of more
/// than five scalars or other columns than theirs, and 24-bit colour, which costs a tenth of ncurses' own direct colour.
struct OverlayWriter {
  private let encoder: CellEncoder
  private var overlay = Overlay(colors: false, links: false)
  private var bytes: ContiguousArray<UInt8> = []
  private var style: Style?
  private var link: UInt16 = 0
  private var isEmpty = true
  /// A cluster that the terminal counts wider than it said does not go on in the next row.
  private var isCut = false

  private static let decimals: [[UInt8]] = (0..<256).map { Array(String($0).utf8) }

  init(_ encoder: CellEncoder) { self.encoder = encoder }

  mutating func begin(_ overlay: Overlay) {
    self.overlay = overlay
    bytes.removeAll(keepingCapacity: true)
    style = nil
    link = 0
    isEmpty = true
    isCut = false
  }

  /// Paints cells of the overlay, and those that were in it in `old` and therefore differ from ncurses' record. Unless
  /// the row is new as a whole, cells stay that ncurses cannot have written. Cells behind a cluster are painted as far as
  /// its parts would reach, for a terminal that has promised too much.
  mutating func paint(
    _ row: UnsafeBufferPointer<Cell>, over old: UnsafeBufferPointer<Cell>?, isWhole: Bool, y: Int, _ grid: Grid
  ) {
    var next = -1
    var reached = 0
    var column = 0
    var unchanged = 0..<0
    while column < row.count {
      let cell = row[column]
      let width = cell.width == 2 && column + 1 < row.count ? 2 : 1
      defer { column += width }
      guard column < reached || overlay.covers(cell) || old.map({ overlay.covers($0[column]) }) == true else {
        continue
      }
      if let old, !isWhole, column >= reached {
        if !unchanged.contains(column) { unchanged = Self.unchanged(row, old, around: column) }
        if unchanged.contains(column), Self.stays(cell, in: unchanged, width: row.count) { continue }
      }
      if next != column { move(to: column, y) }
      next = column + width
      let shown = overlay.colors ? cell.style.shown : encoder.reduced(cell.style)
      if style != shown { apply(shown) }
      if overlay.links, link != cell.link { open(cell.link, grid.links) }
      if let text = grid.graphemes[cell], Int(cell.width) == width {
        cluster(text, width: width, at: column, y)
        reached = max(reached, column + max(width, Self.columnsOfParts(text)))
        next = -1
      } else {
        glyph(cell, width: width)
      }
    }
  }

  /// The terminal may count fewer columns: the others are blank, and the cursor is placed behind all of them.
  private mutating func cluster(_ text: [UInt8], width: Int, at column: Int, _ y: Int) {
    if !isCut { append("\u{1B}[?7l") }
    isCut = true
    for _ in 0..<width { bytes.append(0x20) }
    move(to: column, y)
    bytes.append(contentsOf: text)
  }

  /// In terminals that draw each scalar by itself; some draw half a flag in two columns.
  private static func columnsOfParts(_ text: [UInt8]) -> Int {
    String(decoding: text, as: UTF8.self).unicodeScalars.reduce(0) { columns, scalar in
      columns + ((0x1F1E6...0x1F1FF).contains(scalar.value) ? 2 : max(0, GlyphWidth.columns(of: scalar)))
    }
  }

  /// ncurses writes a row from its first to its last change, without longer stretches between two changes: going over a
  /// stretch costs it a byte a cell, moving the cursor ten at most. It clears blanks up to an end of the row.
  /// Source: ncurses, `PutRange` and `TransformLine` in ncurses/tty/tty_update.c.
  private static func stays(_ cell: Cell, in unchanged: Range<Int>, width: Int) -> Bool {
    cell.base > 0x20 && (unchanged.lowerBound == 0 || unchanged.upperBound == width || unchanged.count > 16)
  }

  /// Between the differences before and behind a column; empty at a difference. A wide glyph is whole.
  private static func unchanged(
    _ row: UnsafeBufferPointer<Cell>, _ old: UnsafeBufferPointer<Cell>, around column: Int
  ) -> Range<Int> {
    var (start, end) = (column, column)
    while end < row.count, row[end] == old[end] { end += 1 }
    while end > column, end < row.count, row[end].width == 0 { end -= 1 }
    while end > column, start > 0, row[start - 1] == old[start - 1] { start -= 1 }
    return start..<end
  }

  /// Ends the synchronized update that began before ncurses' output.
  static let ending = Array("\u{1B}[?2026l".utf8)

  /// Passes the bytes, with those of pictures at the end, to `write`. Colours and cursor position are then as ncurses
  /// left them.
  /// Saves and restores no cursor (DECSC, DECRC): terminals use the same slot for the switch to the full screen, and
  /// leaving it would restore a hidden cursor at a wrong place.
  mutating func finish(
    cursor: (row: Int, column: Int), pictures: [UInt8], _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    if link != 0 { append("\u{1B}]8;;\u{1B}\\") }
    if !pictures.isEmpty {
      bytes.append(contentsOf: pictures)
      isEmpty = false
    }
    if isCut { append("\u{1B}[?7h") }
    if !isEmpty {
      append("\u{1B}[0m")
      move(to: cursor.column, cursor.row)
    }
    // So terminals show ncurses' output and this as one change.
    bytes += Self.ending
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

  /// The number as `id` makes terminals highlight the lines of a wrapped link together.
  /// Source: "Hyperlinks in terminal emulators", https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
  private mutating func open(_ number: UInt16, _ links: Hyperlinks) {
    if let address = links[number] {
      append("\u{1B}]8;id=")
      append(Int(number))
      bytes.append(0x3B)
      bytes.append(contentsOf: address.utf8)
    } else {
      append("\u{1B}]8;;")
    }
    append("\u{1B}\\")
    link = number
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
      if new.attributes.contains(.italic) { append(";3") }
      if new.attributes.contains(.underline) { append(";4") }
      if new.attributes.contains(.reverse) { append(";7") }
      if new.attributes.contains(.strikethrough) { append(";9") }
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
      bytes.append(0xE2)
      bytes.append(UInt8(0x80 | cell.base >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | cell.base & 0x3F))
    } else if let scalar = Unicode.Scalar(cell.base), Int(cell.width) == width, cell.grapheme == nil,
      GlyphWidth.columns(of: scalar) == width
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
