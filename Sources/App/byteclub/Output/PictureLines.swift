import Imaging

/// Coloured half blocks (ECMA-48, SGR), for output that scrolls.
enum PictureLines {
  private static let escape: [UInt8] = [0x1B, 0x5B]
  /// U+2580, the upper half block.
  private static let block: [UInt8] = [0xE2, 0x96, 0x80]

  /// Each line ends with a colour reset.
  static func bytes(_ picture: HalfBlockPicture, _ colors: ColorAbility) -> [UInt8] {
    switch colors {
    case .none: plain(picture)
    case .sixteen:
      lines(picture, picture.indices16()) {
        "\($0 < 8 ? 30 + Int($0) : 82 + Int($0));\($1 < 8 ? 40 + Int($1) : 92 + Int($1))"
      }
    case .palette: lines(picture, picture.indices256()) { "38;5;\($0);48;5;\($1)" }
    case .trueColor: lines(picture, (picture.tops, picture.bottoms)) { "38;2;\(channels($0));48;2;\(channels($1))" }
    }
  }

  private static func plain(_ picture: HalfBlockPicture) -> [UInt8] {
    var bytes: [UInt8] = []
    let characters = picture.characters()
    for row in 0..<picture.rows {
      bytes += characters[(row * picture.columns)..<((row + 1) * picture.columns)]
      bytes.append(0x0A)
    }
    return bytes
  }

  private static func lines<Value: Equatable>(
    _ picture: HalfBlockPicture, _ cells: (tops: [Value], bottoms: [Value]), _ code: (Value, Value) -> String
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<picture.rows {
      var last: (Value, Value)?
      for index in (row * picture.columns)..<((row + 1) * picture.columns) {
        let colors = (cells.tops[index], cells.bottoms[index])
        if last.map({ $0 != colors }) ?? true {
          bytes += escape
          bytes += code(colors.0, colors.1).utf8
          bytes.append(0x6D)
          last = colors
        }
        bytes += block
      }
      bytes += escape + [0x30, 0x6D, 0x0A]
    }
    return bytes
  }

  private static func channels(_ color: UInt32) -> String { "\(color >> 16);\(color >> 8 & 0xFF);\(color & 0xFF)" }
}
