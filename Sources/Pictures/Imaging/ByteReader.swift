/// Reads numbers with bounds checks; nil out of bounds.
struct ByteReader {
  let bytes: UnsafeRawBufferPointer
  var littleEndian = false

  init(_ bytes: UnsafeRawBufferPointer, littleEndian: Bool = false) {
    self.bytes = bytes
    self.littleEndian = littleEndian
  }

  var count: Int { bytes.count }

  func byte(_ offset: Int) -> Int? {
    guard offset >= 0, offset < bytes.count else { return nil }
    return Int(bytes[offset])
  }

  func short(_ offset: Int) -> Int? { number(offset, 2) }

  func long(_ offset: Int) -> Int? { number(offset, 4) }

  func number(_ offset: Int, _ length: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - length else { return nil }
    var value = 0
    for index in 0..<length {
      value = value << 8 | Int(bytes[littleEndian ? offset + length - 1 - index : offset + index])
    }
    return value
  }

  /// At most `length` bytes; nil if the offset is out of bounds.
  func slice(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, length >= 0, offset <= bytes.count else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + min(length, bytes.count - offset))])
  }

  func has(_ prefix: [UInt8], at offset: Int) -> Bool {
    guard offset >= 0, offset <= bytes.count - prefix.count else { return false }
    for index in prefix.indices where bytes[offset + index] != prefix[index] { return false }
    return true
  }

  /// For people: up to a NUL and at most `limit` bytes, without control characters and outer spaces.
  func text(_ offset: Int, _ length: Int, limit: Int = 128) -> String? {
    guard let part = slice(offset, min(length, limit)) else { return nil }
    let clean = part.prefix { $0 != 0 }.filter { $0 >= 0x20 && $0 != 0x7F }
    let text = String(decoding: clean, as: UTF8.self)
    // C1 controls take two bytes in UTF-8.
    let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter { !(0x80...0x9F).contains($0.value) }))
    let trimmed = visible.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return trimmed.isEmpty ? nil : String(trimmed)
  }
}
