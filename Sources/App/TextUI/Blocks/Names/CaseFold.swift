/// Lower-cases UTF-8 without changing its length, so offsets stay. The few letters with a lower case of another length
/// are left alone.
enum CaseFold {
  /// Invalid UTF-8 stays.
  static func folded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(bytes.count)
    append(bytes, to: &folded)
    return folded
  }

  static func changes(_ bytes: ArraySlice<UInt8>) -> Bool {
    var isASCII = true
    for byte in bytes {
      if byte &- 0x41 < 26 { return true }
      if byte >= 0x80 { isASCII = false }
    }
    return !isASCII && !folded(bytes).elementsEqual(bytes)
  }

  static func append(_ bytes: ArraySlice<UInt8>, to folded: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte < 0x80 {
          folded.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
          index += 1
        } else {
          index += appendScalar(bytes, at: index, to: &folded)
        }
      }
    }
  }

  private static func appendScalar(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, to folded: inout [UInt8]
  ) -> Int {
    let byte = bytes[index]
    if byte >= 0xC2, byte < 0xE0, index + 1 < bytes.count, bytes[index + 1] & 0xC0 == 0x80 {
      let lower = twoBytes[Int(byte & 0x1F) << 6 | Int(bytes[index + 1] & 0x3F)]
      folded.append(0xC0 | UInt8(lower >> 6))
      folded.append(0x80 | UInt8(lower & 0x3F))
      return 2
    }
    // Georgian, Latin and Greek with marks, Glagolitic, Coptic, Latin extensions, full-width letters, and scalars
    // beyond the basic plane. No other scalar of three bytes has case.
    if [0xE1, 0xE2, 0xEA, 0xEF, 0xF0].contains(byte) {
      let count = byte == 0xF0 ? 4 : 3
      let end = min(bytes.count, index + count)
      var decoder = UTF8()
      var iterator = bytes[index..<end].makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&iterator), scalar.utf8.count == count {
        folded.append(contentsOf: lower(scalar).utf8)
        return count
      }
    }
    folded.append(byte)
    return 1
  }

  /// For scalars of up to two bytes.
  private static let twoBytes: [UInt16] = (0..<0x800).map { value in
    guard value >= 0x80, let scalar = Unicode.Scalar(UInt32(value)) else { return UInt16(value) }
    return UInt16(lower(scalar).value)
  }

  private static func lower(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let mapping = scalar.properties.lowercaseMapping.unicodeScalars
    guard mapping.count == 1, let lower = mapping.first, lower.utf8.count == scalar.utf8.count else { return scalar }
    return lower
  }
}
