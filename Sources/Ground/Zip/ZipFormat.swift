internal import Basics

/// PKWARE, APPNOTE.TXT 6.3.10, section 4.3.
enum ZipMark {
  static let localHeader: UInt32 = 0x0403_4B50
  static let descriptor: UInt32 = 0x0807_4B50
  static let centralHeader: UInt32 = 0x0201_4B50
  static let zip64End: UInt32 = 0x0606_4B50
  static let zip64Locator: UInt32 = 0x0706_4B50
  static let end: UInt32 = 0x0605_4B50

  /// Sizes and offsets beyond 32 bits (4.5.3).
  static let zip64Extra: UInt16 = 0x0001

  /// Flags (4.4.4). With a descriptor, sizes and checksum follow the content.
  static let isEncrypted: UInt16 = 1 << 0
  static let hasDescriptor: UInt16 = 1 << 3
  static let isUTF8: UInt16 = 1 << 11

  /// Methods (4.4.5).
  static let stored: UInt16 = 0
  static let deflated: UInt16 = 8

  /// In a 32-bit field: the number is in the zip64 extra field.
  static let tooLarge: UInt32 = .max
}

public enum ZipPart: Sendable, Equatable {
  /// A file, or a folder, whose name ends with a slash. The name is raw bytes in any encoding and may be anything, even
  /// `../x`.
  case begin(name: [UInt8])
  case bytes(ArraySlice<UInt8>)
  /// The last file's sizes match its records. The CRC-32 is not checked: callers compare a better sum.
  case end
  /// The directory that follows is not read.
  case over
}

public enum ZipFault: Error, Sendable, Equatable {
  case broken
  /// Encrypted, or neither "stored" nor "deflated".
  case unsupported
  /// The end of a stored file cannot be found: its size follows its content.
  case unknownSize
}

/// The header before a file (PKWARE, APPNOTE.TXT 6.3.10, section 4.3.7).
struct ZipLocalHeader {
  let name: [UInt8]
  let method: UInt16
  let isEncrypted: Bool
  let hasDescriptor: Bool
  /// In bytes; nil if the size only follows the content.
  let packedSize: UInt64?
  let unpackedSize: UInt64?

  /// Also returns the header's length; nil if it is incomplete.
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
  /// A little-endian number, whose bytes must all be present.
  func number<Number: FixedWidthInteger>(at offset: Int, of: Number.Type) -> Number {
    let first = startIndex + offset
    return self[first..<(first + Number.bitWidth / 8)].reversed().reduce(0) { $0 << 8 | Number($1) }
  }
}

/// The record after a file of unknown size (PKWARE, APPNOTE.TXT 6.3.10, section 4.3.9).
enum ZipDescriptor {
  /// With the signature and 64-bit sizes.
  static let longest = 24

  /// The record's length after a file of these sizes; nil if there is none. The format marks neither the signature nor
  /// the width of the sizes: the variant that matches, and that another record follows, is right. `bytes` holds at
  /// least `longest` and 4 more.
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

/// APPNOTE.TXT, 4.4.6: in steps of two seconds, from 1980 to 2107. The format leaves the time zone open; here it is
/// UTC.
enum DOSTime {
  private static let first: Int64 = 315_532_800
  private static let last: Int64 = 4_354_819_198

  /// The time in the lower half, the date in the upper; clamped.
  static func word(_ seconds: Int64) -> UInt32 {
    let time = CivilTime(secondsSince1970: Int(min(max(seconds, first), last)))
    let date = (time.date.year - 1980) << 9 | time.date.month << 5 | time.date.day
    return UInt32(date << 16 | time.hour << 11 | time.minute << 5 | time.second / 2)
  }
}
