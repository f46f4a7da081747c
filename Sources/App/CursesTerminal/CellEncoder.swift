internal import CNcurses
internal import TextUI

struct CellEncoder {
  /// 0, 8, 16 or 256.
  let colors: Int

  init(_ abilities: TerminalAbilities.Colors, ncursesColors: Int) {
    switch abilities {
    case .none: colors = 0
    case .sixteen: colors = min(16, ncursesColors)
    case .palette, .trueColor: colors = min(256, ncursesColors)
    }
  }

  /// Appends the cells of some columns to `line`, one a glyph.
  @inline(__always)
  func encode(_ row: UnsafeBufferPointer<Cell>, _ columns: Range<Int>, into line: inout ContiguousArray<cn_cell>) {
    var style = Style.plain
    var encoded = look(of: style)
    for column in columns {
      let cell = row[column].grapheme == nil ? row[column] : Overlay.placeholder(of: row[column])
      if cell.width == 0 {
        if column > columns.lowerBound, row[column - 1].width == 2 { continue }
      }
      if cell.style != style {
        style = cell.style
        encoded = look(of: style)
      }
      let isWide = cell.width == 2 && column + 1 < columns.upperBound
      let isWhole = isWide || cell.width == 1
      line.append(
        cn_cell(
          base: isWhole ? cell.base : 0x20, mark1: isWhole ? cell.mark1 : 0, mark2: isWhole ? cell.mark2 : 0,
          look: encoded, width: isWide ? 2 : 1))
    }
  }

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

  /// The style in the colours that ncurses uses for it.
  func reduced(_ style: Style) -> Style {
    let look = look(of: style)
    func color(_ entry: Int16) -> Color { entry < 0 ? .standard : .palette(UInt8(truncatingIfNeeded: entry)) }
    return Style(
      Style.Attributes(rawValue: look.attributes).union(style.attributes.intersection(.strikethrough)),
      foreground: color(look.foreground), background: color(look.background))
  }

  private func wrap(_ entry: Int16) -> Int16 { entry < 0 ? entry : entry & 7 }

  private func entry(_ color: Color) -> Int16 {
    guard colors > 0 else { return -1 }
    if let index = color.paletteIndex {
      return index < 16 || colors >= 256
        ? Int16(index) : Int16(Palette.nearest(to: Palette.rgb(of: index), ofFirst: colors))
    }
    guard let rgb = color.rgbValue else { return -1 }
    if colors >= 256, let entry = color.replacement { return Int16(entry) }
    return Int16(colors >= 256 ? Palette.nearest(to: rgb) : Palette.nearest(to: rgb, ofFirst: colors))
  }
}

/// The cells that ncurses cannot show as they are.
struct Overlay {
  /// The terminal has 24-bit colour.
  let colors: Bool
  /// The terminal has hyperlinks.
  let links: Bool
  /// This frame or the last one has clusters that the terminal draws whole.
  var graphemes = false

  @inline(__always)
  func covers(_ cell: Cell) -> Bool {
    colors && cell.style.isTrueColor || links && cell.link != 0 || graphemes && cell.grapheme != nil
  }
}

extension Style {
  /// ncurses cannot show 24-bit colours, and lines through text.
  @inline(__always)
  var isTrueColor: Bool {
    foreground.code | background.code >= 0x0200_0000 || attributes.contains(.strikethrough)
  }
}

extension Cell {
  @inline(__always)
  var isPrintableASCII: Bool { base &- 0x20 < 0x5F && mark1 == 0 && width == 1 }
}
