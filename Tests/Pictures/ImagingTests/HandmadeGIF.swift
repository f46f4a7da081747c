/// Writes GIF files of every kind. The codes are plain: each is one pixel, and the table is cleared before it grows.
struct HandmadeGIF {
  struct Frame {
    var left = 0
    var top = 0
    var width: Int
    var height: Int
    var isInterlaced = false
    /// The colours of this frame alone.
    var colours: [UInt32] = []
    /// Also the index of the see-through colour.
    var control: (flags: Int, clear: Int)?
    var pixel: (_ x: Int, _ y: Int) -> Int = { _, _ in 0 }
  }

  var width: Int
  var height: Int
  /// A power of two of them; 0xRRGGBB.
  var colours: [UInt32] = []
  /// Whole blocks before the first frame.
  var blocks: [UInt8] = []
  var frames: [Frame] = []
  /// Bits of a pixel.
  var depth = 2

  func bytes() -> [UInt8] {
    let screen = little(width) + little(height) + [flags(colours), 0, 0]
    return Array("GIF89a".utf8) + screen + table(colours) + blocks + frames.flatMap(bytes) + [0x3B]
  }

  static func block(_ kind: UInt8, _ pieces: [[UInt8]]) -> [UInt8] {
    [0x21, kind] + pieces.flatMap { [UInt8($0.count)] + $0 } + [0]
  }

  private func bytes(_ frame: Frame) -> [UInt8] {
    var out: [UInt8] = []
    if let control = frame.control { out += Self.block(0xF9, [[UInt8(control.flags), 0, 0, UInt8(control.clear)]]) }
    out += [0x2C] + little(frame.left) + little(frame.top) + little(frame.width) + little(frame.height)
    out += [flags(frame.colours) | (frame.isInterlaced ? 0x40 : 0)] + table(frame.colours) + [UInt8(depth)]
    let starts = frame.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    let rows = starts.flatMap { Array(stride(from: $0.0, to: frame.height, by: $0.1)) }
    let data = codes(rows.flatMap { y in (0..<frame.width).map { frame.pixel($0, y) } })
    for at in stride(from: 0, to: data.count, by: 255) {
      let piece = data[at..<min(data.count, at + 255)]
      out += [UInt8(piece.count)] + piece
    }
    return out + [0]
  }

  private func codes(_ pixels: [Int]) -> [UInt8] {
    let clear = 1 << depth
    var codes: [Int] = []
    for (index, pixel) in pixels.enumerated() {
      if index % (clear - 2) == 0 { codes.append(clear) }
      codes.append(pixel)
    }
    var (out, bits, count) = ([UInt8](), 0, 0)
    for code in codes + [clear + 1] {
      bits |= code << count
      count += depth + 1
      while count >= 8 {
        out.append(UInt8(bits & 255))
        (bits, count) = (bits >> 8, count - 8)
      }
    }
    return count > 0 ? out + [UInt8(bits & 255)] : out
  }

  private func flags(_ colours: [UInt32]) -> UInt8 {
    colours.isEmpty ? 0 : UInt8(0x80 | (colours.count.trailingZeroBitCount - 1))
  }

  private func table(_ colours: [UInt32]) -> [UInt8] {
    colours.flatMap { colour in [16, 8, 0].map { UInt8(colour >> $0 & 255) } }
  }

  private func little(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }
}
