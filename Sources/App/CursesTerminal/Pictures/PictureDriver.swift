internal import TextUI

/// One graphics protocol. It remembers what the terminal shows and knows.
protocol PictureDriver {
  /// The terminal keeps a picture in its cells: writing a cell erases that part of the picture, and nothing else does.
  var isInCells: Bool { get }
  /// Shows these parts and no others. The result is written after the text of the frame.
  mutating func show(_ parts: [PicturePart], _ frame: PictureFrame) -> [UInt8]
  /// The terminal has lost all pictures, or may have.
  mutating func forget()
  /// Removes all pictures that the terminal would keep beyond the full screen. Short: it is also written at a crash.
  var leaving: [UInt8] { get }
}

extension PictureDriver {
  var leaving: [UInt8] { [] }
}

struct PictureFrame {
  let pictures: [UInt32: CanvasPicture]
  /// In pixels.
  let cell: Size
  /// In cells.
  let size: Size

  func pixels(of part: PicturePart) -> PicturePixels? { pictures[part.mark]?.pixels() }
}

extension [UInt8] {
  mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// Moves the cursor to a cell.
  mutating func append(moveTo point: Point) { append("\u{1B}[\(point.y + 1);\(point.x + 1)H") }
}

/// Strings for the terminal around tmux, which tmux passes on if `allow-passthrough` is on.
enum TmuxPassthrough {
  static func wrapped(_ bytes: [UInt8]) -> [UInt8] {
    var wrapped = Array("\u{1B}Ptmux;".utf8)
    wrapped.reserveCapacity(bytes.count + 16)
    for byte in bytes {
      if byte == 0x1B { wrapped.append(0x1B) }
      wrapped.append(byte)
    }
    wrapped.append("\u{1B}\\")
    return wrapped
  }
}
