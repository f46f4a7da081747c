/// The blocks that Samsung's phones append to a JPEG: data, then a directory from `SEFH`, its length, and `SEFT` at the
/// very end (ExifTool, `Samsung.pm`).
enum SamsungTrailer {
  private static let panorama = 0x08E0
  private static let film = 0x0A30
  private static let maxEntries = 256

  /// `bytes` must reach to the end of the file.
  static func isPanorama(_ bytes: UnsafeRawBufferPointer) -> Bool {
    entries(bytes).contains { $0.kind == panorama }
  }

  /// The length of the film `MotionPhoto_Data`; nil without one. `bytes` as for `isPanorama`.
  static func filmBytes(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let entry = entries(bytes).first(where: { $0.kind == film }) else { return nil }
    // A block has its kind, the length of its name, the name and the data.
    let name = ByteReader(bytes, littleEndian: true).long(entry.start + 4) ?? 0
    return max(0, entry.length - 8 - name)
  }

  /// The offset of the first block, where the picture ends; nil without a trailer.
  static func start(_ bytes: UnsafeRawBufferPointer) -> Int? {
    entries(bytes).map(\.start).min().flatMap { $0 > 0 ? $0 : nil }
  }

  private static func entries(_ bytes: UnsafeRawBufferPointer) -> [(kind: Int, start: Int, length: Int)] {
    let reader = ByteReader(bytes, littleEndian: true)
    guard reader.has(Array("SEFT".utf8), at: bytes.count - 4), let length = reader.long(bytes.count - 8) else {
      return []
    }
    let start = bytes.count - 8 - length
    guard length >= 12, reader.has(Array("SEFH".utf8), at: start), let count = reader.long(start + 8),
      count <= maxEntries, 12 + 12 * count <= length
    else { return [] }
    return (0..<count).compactMap { index in
      // A block's offset counts back from the directory.
      let at = start + 12 + 12 * index
      guard let kind = reader.short(at + 2), let back = reader.long(at + 4), let length = reader.long(at + 8)
      else { return nil }
      return (kind, start - back, length)
    }
  }
}
