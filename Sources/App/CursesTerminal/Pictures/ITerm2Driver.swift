internal import Basics
internal import TextUI

/// iTerm2's inline images (https://iterm2.com/documentation-images.html): a whole PNG for each change.
struct ITerm2Driver: PictureDriver {
  private var shown: Set<PicturePart> = []

  var isInCells: Bool { true }

  mutating func show(_ parts: [PicturePart], _ frame: PictureFrame) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts where !shown.contains(part) {
      guard let whole = frame.pixels(of: part) else { continue }
      // The terminal stretches.
      let pixels = part.pixels(of: whole, extent: Size(part.source.width, part.source.height))
      guard let file = PNGWriter.file(of: pixels) else { continue }
      bytes.append(moveTo: Point(part.cells.x, part.cells.y))
      let (width, height) =
        part.isStretched
        ? ("\(part.cells.width)", "\(part.cells.height)") : ("\(pixels.width)px", "\(pixels.height)px")
      bytes.append(
        "\u{1B}]1337;File=inline=1;size=\(file.count);width=\(width);height=\(height);preserveAspectRatio=0;"
          + "doNotMoveCursor=1:")
      bytes += Base64.encoded(file)
      bytes.append(0x07)
    }
    shown = Set(parts)
    return bytes
  }

  mutating func forget() { shown = [] }
}
