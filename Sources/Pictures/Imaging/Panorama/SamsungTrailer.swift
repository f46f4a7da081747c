/// The blocks that Samsung's phones append to a JPEG: data, then a directory from `SEFH`, its length, and `SEFT` at the
/// very end (ExifTool, `Samsung.pm`).
enum SamsungTrailer {
  private static let panorama = 0x08E0
  private static let maxEntries = 256

  /// `bytes` must reach to the end of the file.
  static func isPanorama(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let reader = ByteReader(bytes, littleEndian: true)
    guard reader.has(Array("SEFT".utf8), at: bytes.count - 4), let length = reader.long(bytes.count - 8) else {
      return false
    }
    let start = bytes.count - 8 - length
    guard length >= 12, reader.has(Array("SEFH".utf8), at: start), let count = reader.long(start + 8),
      count <= maxEntries, 12 + 12 * count <= length
    else { return false }
    return (0..<count).contains { reader.short(start + 12 + 12 * $0 + 2) == panorama }
  }
}
