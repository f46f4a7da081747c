/// Archives put together record by record, right and wrong, as writers in the wild do it.
struct SampleZip {
  /// How a file is written.
  struct File {
    var name: String
    var content: [UInt8] = []
    /// The packed form; nil for stored.
    var deflated: [UInt8]?
    /// Sizes are said behind the content, and how.
    var descriptor: Descriptor?
    /// Sizes are in the zip64 extra field.
    var isWide = false
    var flags: UInt16 = 0
    var method: UInt16?
  }

  enum Descriptor: CaseIterable {
    case signed, plain, signedWide, plainWide
  }

  static func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func bytes(_ file: File) -> [UInt8] {
    let packed = file.deflated ?? file.content
    let isSaid = file.descriptor == nil
    let wide: UInt32? = file.isWide ? .max : nil
    var extra: [UInt8] = [0x55, 0x54, 1, 0, 0]
    if file.isWide {
      extra += number(UInt16(1)) + number(UInt16(16))
      extra += number(UInt64(isSaid ? file.content.count : 0)) + number(UInt64(isSaid ? packed.count : 0))
    }
    var out: [UInt8] = [0x50, 0x4B, 3, 4] + number(UInt16(20))
    out += number(file.flags | (isSaid ? 0 : 8)) + number(file.method ?? (file.deflated == nil ? 0 : 8))
    out += number(UInt32(0)) + number(UInt32(0))
    out += number(wide ?? UInt32(isSaid ? packed.count : 0)) + number(wide ?? UInt32(isSaid ? file.content.count : 0))
    out += number(UInt16(file.name.utf8.count)) + number(UInt16(extra.count)) + Array(file.name.utf8) + extra + packed
    guard let descriptor = file.descriptor else { return out }
    if descriptor == .signed || descriptor == .signedWide { out += [0x50, 0x4B, 7, 8] }
    out += number(UInt32(0))
    if descriptor == .signedWide || descriptor == .plainWide {
      return out + number(UInt64(packed.count)) + number(UInt64(file.content.count))
    }
    return out + number(UInt32(packed.count)) + number(UInt32(file.content.count))
  }

  /// The beginning of a directory, long enough for any reader that only wants to see that it is one.
  static let directory: [UInt8] = [0x50, 0x4B, 1, 2] + [UInt8](repeating: 0, count: 42)

  static func archive(_ files: [File]) -> [UInt8] { files.flatMap(bytes) + directory }

  /// What makes no archive shorter, but is a deflate stream: stored blocks (RFC 1951, section 3.2.4).
  static func blocks(_ content: [UInt8], of size: Int = 65_535) -> [UInt8] {
    var (out, rest) = ([UInt8](), content[...])
    repeat {
      let block = rest.prefix(size)
      rest = rest.dropFirst(block.count)
      out += [rest.isEmpty ? 1 : 0] + number(UInt16(block.count)) + number(~UInt16(block.count)) + block
    } while !rest.isEmpty
    return out
  }

  /// 1,048,576 zeros, as zlib packs them.
  static let packedZeros: [UInt8] =
    [0xED, 0xC1, 0x31, 0x01, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x08, 0x5F, 0xA0]
    + [UInt8](repeating: 0, count: 1016) + [0x3E, 0x03]
}
