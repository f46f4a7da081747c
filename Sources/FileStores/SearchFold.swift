// The standard library's canonical decomposition, which it has no public name for; Foundation calls the same.
@_spi(_Unicode) internal import Swift

/// The form in which texts and names are compared by each search of byteclub: without letter case and accents, composed
/// or decomposed. "STRASSE" and "straße", "cafe" and "Café" have the same form.
public enum SearchFold {
  /// The folded form of a text, as UTF-8.
  public static func folded(_ text: some StringProtocol) -> [UInt8] {
    var text = String(text)
    return text.withUTF8 { folded($0) }
  }

  /// The folded form of bytes. Bytes that are no UTF-8 count as U+FFFD.
  public static func folded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.withUnsafeBufferPointer { folded($0) }
  }

  private static func folded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        folded.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        index += 1
        continue
      }
      // Up to the next ASCII byte: what is not UTF-8 is repaired there.
      var end = index + 1
      while end < bytes.count, bytes[end] >= 0x80 { end += 1 }
      for scalar in String(decoding: bytes[index..<end], as: UTF8.self).unicodeScalars { append(scalar, to: &folded) }
      index = end
    }
    return folded
  }

  private static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    switch scalar.value {
    case 0..<0x800: folded += lowScalars[Int(scalar.value)]
    // Han, and Hangul syllables: without case and accents.
    case 0x3400..<0xA000, 0xAC00..<0xD7A4: folded += scalar.utf8
    default: folded += computed(scalar)
    }
  }

  /// The folded forms of the scalars that UTF-8 spells with at most two bytes.
  private static let lowScalars: [[UInt8]] = (0..<0x800).map { value in
    Unicode.Scalar(UInt32(value)).map(computed) ?? []
  }

  private static func computed(_ scalar: Unicode.Scalar) -> [UInt8] {
    // By way of upper case, which is "SS" for "ß" and "Σ" for both small sigmas.
    let lower = scalar.properties.lowercaseMapping
    let upper = lower.unicodeScalars.reduce(into: "") { $0 += $1.properties.uppercaseMapping }
    let bare = upper.unicodeScalars.reduce(into: "") { $0 += $1.properties.lowercaseMapping }
    var folded: [UInt8] = []
    for scalar in bare._nfd where !isAccent(scalar) { folded += scalar.utf8 }
    return folded
  }

  /// Combining marks that are accents, harakat or points; not those that spell vowels or voiced kana.
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300..<0x370, 0x483..<0x488, 0x591..<0x5BE, 0x64B..<0x653, 0x670, 0x1AB0..<0x1B00, 0x1DC0..<0x1E00,
      0x20D0..<0x2100, 0xFE20..<0xFE30:
      true
    default: false
    }
  }
}
