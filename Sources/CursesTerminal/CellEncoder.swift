internal import CNcurses
internal import TextUI

/// Makes ncurses' cells of ours, with the colours that the terminal has.
struct CellEncoder {
  /// How many colours are used: 0, 8, 16 or 256.
  let colors: Int

  /// With what the terminal shows and what ncurses knows of it.
  init(_ abilities: TerminalAbilities.Colors, ncursesColors: Int) {
    switch abilities {
    case .none: colors = 0
    case .sixteen: colors = min(16, ncursesColors)
    case .palette, .trueColor: colors = min(256, ncursesColors)
    }
  }

  /// The cells from `columns` of a row, a glyph each, appended to `line`.
  /// - Returns: whether one of them has 24-bit colour.
  @inline(__always)
  func encode(_ row: UnsafeBufferPointer<Cell>, _ columns: Range<Int>, into line: inout ContiguousArray<cn_cell>)
    -> Bool
  {
    var hasTrueColor = false
    var style = Style.plain
    var encoded = look(of: style)
    for column in columns {
      let cell = row[column]
      if cell.width == 0 {
        // The right half of the glyph before, unless that is not there.
        if column > columns.lowerBound, row[column - 1].width == 2 { continue }
      }
      if cell.style != style {
        style = cell.style
        encoded = look(of: style)
        hasTrueColor = hasTrueColor || style.isTrueColor
      }
      let isWide = cell.width == 2 && column + 1 < columns.upperBound
      let isWhole = isWide || cell.width == 1
      line.append(
        cn_cell(
          base: isWhole ? cell.base : 0x20, mark1: isWhole ? cell.mark1 : 0, mark2: isWhole ? cell.mark2 : 0,
          look: encoded, width: isWide ? 2 : 1))
    }
    return hasTrueColor
  }

  /// A style in ncurses' terms.
  func look(of style: Style) -> cn_look {
    var attributes = style.shown.attributes.rawValue
    let foreground = entry(style.foreground)
    let background = entry(style.background)
    // Terminals of eight colours show the bright ones as bold.
    if colors == 8, foreground >= 8 { attributes |= Style.Attributes.bold.rawValue }
    return cn_look(
      foreground: colors == 8 ? wrap(foreground) : foreground, background: colors == 8 ? wrap(background) : background,
      attributes: attributes)
  }

  private func wrap(_ entry: Int16) -> Int16 { entry < 0 ? entry : entry & 7 }

  private func entry(_ color: Color) -> Int16 {
    guard colors > 0 else { return -1 }
    if let index = color.paletteIndex {
      return index < 16 || colors >= 256
        ? Int16(index) : Int16(Palette.nearest(to: Palette.rgb(of: index), ofFirst: colors))
    }
    guard let rgb = color.rgbValue else { return -1 }
    return Int16(colors >= 256 ? Palette.nearest(to: rgb) : Palette.nearest(to: rgb, ofFirst: colors))
  }
}

extension Style {
  /// Whether it has 24-bit colour.
  @inline(__always)
  var isTrueColor: Bool { (foreground.code | background.code) & 0x0200_0000 != 0 }
}

extension Cell {
  /// Whether it is one byte, for every terminal.
  @inline(__always)
  var isPrintableASCII: Bool { base &- 0x20 < 0x5F && mark1 == 0 && width == 1 }
}
