import Foundation

/// Pictures for uploads.
enum Pictures {
  private static let jpegText = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8yb\
    qmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAI\
    ABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAXEAEAAwAAAAAAAAAAAAAAAAAAAwVh/8QAFQEBAQAAAAAAAAAAAAAAAAAAAg\
    P/xAAYEQADAQEAAAAAAAAAAAAAAAAAAgMEUf/aAAwDAQACEQMRAD8Alir8VxV+AL1Ynls/T//Z
    """

  /// A whole JPEG of 16 x 8 pixels.
  static let jpeg = Array(Data(base64Encoded: jpegText) ?? Data())

  /// A PNG of noise, which is about `3 * width * height` bytes: its data are stored, not compressed.
  static func png(width: Int, height: Int) -> [UInt8] {
    var random = UInt64(width &* 31 &+ height)
    var rows: [UInt8] = []
    rows.reserveCapacity((width * 3 + 1) * height)
    for _ in 0..<height {
      rows.append(0)
      for _ in 0..<(width * 3) {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        rows.append(UInt8(truncatingIfNeeded: random >> 33))
      }
    }
    var data: [UInt8] = [0x78, 0x01]
    var (place, a, b) = (0, UInt32(1), UInt32(0))
    while place < rows.count {
      let part = rows[place..<min(place + 65_535, rows.count)]
      place += part.count
      let count = UInt16(part.count)
      data += [place == rows.count ? 1 : 0]
      data += [count, ~count].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      data += part
      for byte in part {
        a = (a + UInt32(byte)) % 65_521
        b = (b + a) % 65_521
      }
    }
    data += bigEndian(b << 16 | a)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0])
      + chunk("IDAT", data) + chunk("IEND", [])
  }

  private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(kind.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(checksum(body))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }
}
