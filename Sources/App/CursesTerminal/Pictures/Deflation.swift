internal import CZlib
internal import TextUI

/// zlib streams, for kitty's `o=z` and for PNG.
enum Deflation {
  /// The fastest: a frame is sent once.
  private static let level: Int32 = 1

  /// nil if memory is short.
  static func stream(of bytes: [UInt8]) -> [UInt8]? {
    let stream = [UInt8](unsafeUninitializedCapacity: cz_deflated_bound(bytes.count)) { target, count in
      count = cz_deflate(bytes, bytes.count, level, target.baseAddress, target.count)
    }
    return stream.isEmpty ? nil : stream
  }

  static func checksum(of bytes: [UInt8]) -> UInt32 { cz_crc32(0, bytes, bytes.count) }
}

/// Writes RGB as PNG (ISO/IEC 15948), each row as the differences from its left neighbours: that halves a photo.
enum PNGWriter {
  /// nil if memory is short.
  static func file(of pixels: PicturePixels) -> [UInt8]? {
    let stride = 3 * pixels.width
    var rows: [UInt8] = []
    rows.reserveCapacity((stride + 1) * pixels.height)
    pixels.bytes.withUnsafeBufferPointer { bytes in
      for y in 0..<pixels.height {
        rows.append(1)
        let row = UnsafeBufferPointer(rebasing: bytes[(y * stride)..<((y + 1) * stride)])
        rows.append(contentsOf: row.prefix(3))
        for x in 3..<max(3, stride) { rows.append(row[x] &- row[x - 3]) }
      }
    }
    guard let stream = Deflation.stream(of: rows) else { return nil }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // Eight bits a channel, RGB, the only compression, the only filtering, not interlaced.
    chunk("IHDR", number(pixels.width) + number(pixels.height) + [8, 2, 0, 0, 0], into: &file)
    chunk("IDAT", stream, into: &file)
    chunk("IEND", [], into: &file)
    return file
  }

  private static func chunk(_ kind: String, _ bytes: [UInt8], into file: inout [UInt8]) {
    let content = Array(kind.utf8) + bytes
    file += number(bytes.count) + content + number(Int(Deflation.checksum(of: content)))
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
