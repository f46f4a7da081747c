/// What stands before a file in an archive (PKWARE, APPNOTE.TXT 6.3.10, section 4.3.7).
struct ZipLocalHeader {
  let name: [UInt8]
  let method: UInt16
  let isEncrypted: Bool
  /// Whether sizes and checksum are said behind the content, too.
  let hasDescriptor: Bool
  /// In bytes; nil when only said behind the content.
  let packedSize: UInt64?
  let unpackedSize: UInt64?

  /// Reads one and says how long it is; nil when not all of it is there.
  static func read(_ bytes: ArraySlice<UInt8>) throws(ZipFault) -> (ZipLocalHeader, length: Int)? {
    guard bytes.count >= 30 else { return nil }
    let nameLength = Int(bytes.number(at: 26, of: UInt16.self))
    let extraLength = Int(bytes.number(at: 28, of: UInt16.self))
    let length = 30 + nameLength + extraLength
    guard bytes.count >= length else { return nil }
    let start = bytes.startIndex + 30
    let flags = bytes.number(at: 6, of: UInt16.self)
    var packed = UInt64(bytes.number(at: 18, of: UInt32.self))
    var unpacked = UInt64(bytes.number(at: 22, of: UInt32.self))
    if packed == UInt64(ZipMark.tooLarge) || unpacked == UInt64(ZipMark.tooLarge) {
      // In a local header both sizes must be in the extra field (4.5.3), the unpacked one first.
      guard let sizes = extra(ZipMark.zip64Extra, in: bytes[(start + nameLength)..<(start + nameLength + extraLength)]),
        sizes.count >= 16
      else { throw .broken }
      unpacked = sizes.number(at: 0, of: UInt64.self)
      packed = sizes.number(at: 8, of: UInt64.self)
    }
    let hasDescriptor = flags & ZipMark.hasDescriptor != 0
    let isKnown = !hasDescriptor || packed != 0 || unpacked != 0
    let header = ZipLocalHeader(
      name: Array(bytes[start..<(start + nameLength)]), method: bytes.number(at: 8, of: UInt16.self),
      isEncrypted: flags & ZipMark.isEncrypted != 0, hasDescriptor: hasDescriptor,
      packedSize: isKnown ? packed : nil, unpackedSize: isKnown ? unpacked : nil)
    return (header, length)
  }

  private static func extra(_ wanted: UInt16, in fields: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = fields
    while rest.count >= 4 {
      let size = Int(rest.number(at: 2, of: UInt16.self))
      guard rest.count >= 4 + size else { return nil }
      if rest.number(at: 0, of: UInt16.self) == wanted { return rest.dropFirst(4).prefix(size) }
      rest = rest.dropFirst(4 + size)
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// A number, its lowest byte first, so many bytes from the slice's start. All its bytes must be there.
  func number<Number: FixedWidthInteger>(at offset: Int, of: Number.Type) -> Number {
    let first = startIndex + offset
    return self[first..<(first + Number.bitWidth / 8)].reversed().reduce(0) { $0 << 8 | Number($1) }
  }
}
