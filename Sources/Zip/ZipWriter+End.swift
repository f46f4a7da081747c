extension ZipWriter {
  /// 4.5: what a reader must know of that reads numbers of 64 bits.
  static let largeVersion: UInt16 = 45

  /// The end of an archive with the true numbers of what does not fit into `appendEnd`'s (4.3.14), and where that is
  /// (4.3.15).
  static func appendLargeEnd(_ count: UInt64, directory start: UInt64, _ size: UInt64, to bytes: inout [UInt8]) {
    bytes.append(little: ZipMark.zip64End)
    // The bytes that follow in this record.
    bytes.append(little: 44 as UInt64)
    for _ in 0..<2 { bytes.append(little: largeVersion) }
    // This disk, and the directory's.
    for _ in 0..<2 { bytes.append(little: 0 as UInt32) }
    // Entries on this disk, and in all.
    for _ in 0..<2 { bytes.append(little: count) }
    bytes.append(little: size)
    bytes.append(little: start)

    bytes.append(little: ZipMark.zip64Locator)
    bytes.append(little: 0 as UInt32)
    bytes.append(little: start + size)
    bytes.append(little: 1 as UInt32)
  }

  /// The end of an archive (4.3.16). What does not fit has all bits set.
  static func appendEnd(_ count: UInt64, directory start: UInt64, _ size: UInt64, to bytes: inout [UInt8]) {
    bytes.append(little: ZipMark.end)
    for _ in 0..<2 { bytes.append(little: 0 as UInt16) }
    for _ in 0..<2 { bytes.append(little: UInt16(clamping: count)) }
    bytes.append(little: UInt32(clamping: size))
    bytes.append(little: UInt32(clamping: start))
    // No comment.
    bytes.append(little: 0 as UInt16)
  }
}
