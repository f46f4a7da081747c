internal import Imaging
internal import TextUI

/// Puts a picture into cells: half-blocks in colour, or characters by brightness where there is none.
enum PictureCells {
  private static let upperHalf: UInt32 = 0x2580

  static func draw(
    _ picture: HalfBlockPicture, x: Int, y: Int, _ abilities: TerminalAbilities, on canvas: inout Canvas
  ) {
    let isPlain = abilities.colors == .none || abilities.asciiOnly
    let characters = isPlain ? picture.characters() : []
    for row in 0..<min(picture.rows, canvas.size.height - y) {
      for column in 0..<min(picture.columns, canvas.size.width - x) {
        let index = row * picture.columns + column
        let cell =
          isPlain
          ? Cell(base: UInt32(characters[index]))
          : Cell(
            base: upperHalf,
            style: Style(foreground: .rgb(picture.tops[index]), background: .rgb(picture.bottoms[index])))
        canvas.cell(cell, x: x + column, y: y + row)
      }
    }
  }
}
