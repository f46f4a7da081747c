/// Writes PNG files of every kind, uncompressed, for what the encoder does not write.
struct HandmadePNG {
  var width: Int
  var height: Int
  var depth = 8
  /// 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha.
  var colourType = 2
  var isInterlaced = false
  /// Chunks between IHDR and IDAT: a name and its data.
  var chunks: [(String, [UInt8])] = []
  /// The samples of a pixel, in order.
  var pixel: (_ x: Int, _ y: Int) -> [Int] = { _, _ in [0, 0, 0] }

  func bytes() -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk(
      "IHDR", big(width, 4) + big(height, 4) + [UInt8(depth), UInt8(colourType), 0, 0, isInterlaced ? 1 : 0])
    for (name, data) in chunks { file += Self.chunk(name, data) }
    file += Self.chunk("IDAT", Self.stored(rows()))
    return file + Self.chunk("IEND", [])
  }

  private func rows() -> [UInt8] {
    guard isInterlaced else { return pass(0, 0, 1, 1) }
    // Adam7: first column, first row, steps.
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]
    return passes.flatMap { pass($0.0, $0.1, $0.2, $0.3) }
  }

  private func pass(_ left: Int, _ top: Int, _ across: Int, _ down: Int) -> [UInt8] {
    var out: [UInt8] = []
    for y in stride(from: top, to: height, by: down) where left < width {
      out.append(0)
      var bits = 0
      var count = 0
      for x in stride(from: left, to: width, by: across) {
        for sample in pixel(x, y) {
          bits = bits << depth | sample
          count += depth
          while count >= 8 {
            out.append(UInt8(bits >> (count - 8) & 255))
            count -= 8
          }
          bits &= (1 << count) - 1
        }
      }
      if count > 0 { out.append(UInt8(bits << (8 - count) & 255)) }
    }
    return out
  }

  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return big(data.count, 4) + body + big(Int(~crc), 4)
  }

  /// A zlib stream of stored blocks.
  static func stored(_ data: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var at = 0
    repeat {
      let length = min(65535, data.count - at)
      out += [at + length == data.count ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
      out += [UInt8(~length & 255), UInt8(~length >> 8 & 255)]
      out += data[at..<(at + length)]
      at += length
    } while at < data.count
    var (low, high) = (1, 0)
    for byte in data {
      low = (low + Int(byte)) % 65521
      high = (high + low) % 65521
    }
    return out + big(high << 16 | low, 4)
  }
}

/// A number with its highest byte first.
func big(_ number: Int, _ length: Int) -> [UInt8] {
  (0..<length).map { UInt8(truncatingIfNeeded: number >> (8 * (length - 1 - $0))) }
}
