/// What stands behind a file whose size was not known before (PKWARE, APPNOTE.TXT 6.3.10, section 4.3.9).
enum ZipDescriptor {
  /// With its signature and 64-bit sizes, in bytes.
  static let longest = 24

  /// How long it is at the front of `bytes`, behind a file of these sizes; nil when there is none. Whether it begins with
  /// a signature, and how wide its sizes are, is not said anywhere: the reading that fits, and is followed by another
  /// record, is right. `bytes` are at least `longest` and 4 more.
  static func length(_ bytes: ArraySlice<UInt8>, packed: UInt64, unpacked: UInt64) -> Int? {
    let records = [ZipMark.localHeader, ZipMark.centralHeader]
    func fits(_ start: Int, _ isWide: Bool) -> Bool {
      let sizes = start + 4
      let isRight =
        isWide
        ? bytes.number(at: sizes, of: UInt64.self) == packed && bytes.number(at: sizes + 8, of: UInt64.self) == unpacked
        : bytes.number(at: sizes, of: UInt32.self) == UInt32(truncatingIfNeeded: packed)
          && bytes.number(at: sizes + 4, of: UInt32.self) == UInt32(truncatingIfNeeded: unpacked)
      return isRight && records.contains(bytes.number(at: start + (isWide ? 20 : 12), of: UInt32.self))
    }
    if bytes.number(at: 0, of: UInt32.self) == ZipMark.descriptor {
      if fits(4, false) { return 16 }
      if fits(4, true) { return 24 }
    }
    if fits(0, false) { return 12 }
    return fits(0, true) ? 20 : nil
  }
}
