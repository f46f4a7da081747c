internal import Imaging
internal import TextUI

/// Draws pictures: their blocks in colour, or characters by brightness without colour, and where the terminal can the
/// picture itself.
enum PictureCells {
  private static let upperHalf: UInt32 = 0x2580

  static func draw(
    _ picture: ShownPicture, x: Int, y: Int, _ abilities: TerminalAbilities, on canvas: inout Canvas
  ) {
    for row in 0..<min(picture.rows, canvas.size.height - y) {
      draw(picture, row: row, x: x, y: y + row, abilities, on: &canvas)
    }
  }

  static func draw(
    _ picture: ShownPicture, row: Int, x: Int, y: Int, _ abilities: TerminalAbilities, on canvas: inout Canvas
  ) {
    draw(picture.blocks, picture.picture, row: row, x: x, y: y, abilities, on: &canvas)
  }

  /// Without `picture` the blocks alone.
  static func draw(
    _ blocks: HalfBlockPicture, _ picture: CanvasPicture? = nil, x: Int, y: Int, _ abilities: TerminalAbilities,
    on canvas: inout Canvas
  ) {
    for row in 0..<min(blocks.rows, canvas.size.height - y) {
      draw(blocks, picture, row: row, x: x, y: y + row, abilities, on: &canvas)
    }
  }

  static func draw(
    _ blocks: HalfBlockPicture, _ picture: CanvasPicture? = nil, row: Int, x: Int, y: Int,
    _ abilities: TerminalAbilities, on canvas: inout Canvas
  ) {
    let isPlain = abilities.colors == .none || abilities.asciiOnly
    let characters = isPlain ? blocks.characters() : []
    func block(_ column: Int) -> Cell {
      let index = row * blocks.columns + column
      return isPlain
        ? Cell(base: UInt32(characters[index]))
        : Cell(
          base: blocks.glyphs.isEmpty ? upperHalf : blocks.glyphs[index],
          style: style(blocks, row, column, abilities.colors))
    }
    if let picture, abilities.graphics.hasPixels {
      return canvas.picture(picture, row: row, x: x, y: y, block)
    }
    for column in 0..<min(blocks.columns, canvas.size.width - x) { canvas.cell(block(column), x: x + column, y: y) }
  }

  private static func style(
    _ blocks: HalfBlockPicture, _ row: Int, _ column: Int, _ colors: TerminalAbilities.Colors
  ) -> Style {
    let index = row * blocks.columns + column
    func shown(_ pixel: UInt32, y: Int) -> UInt32 {
      switch colors {
      case .sixteen: Dither.shifted(pixel, x: column, y: y)
      case .palette: Dither.entry(pixel, x: column, y: y)
      case .none, .trueColor: pixel
      }
    }
    return .pixels(shown(blocks.tops[index], y: 2 * row), over: shown(blocks.bottoms[index], y: 2 * row + 1))
  }
}
