// The standard library's canonical decomposition, which has no public name; Foundation calls the same.
@_spi(_Unicode) internal import Swift

/// The form in which all searches compare texts and names: without letter case, accents and strokes, composed or
/// decomposed. "STRASSE" and "straße", "cafe" and "Café", "Oresund" and "Øresund" have the same form. Bytes that are
/// not UTF-8 stay.
public enum SearchFold {
  public static func folded(_ text: some StringProtocol) -> [UInt8] {
    var text = String(text)
    return text.withUTF8 { folded($0) }
  }

  public static func folded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.withUnsafeBufferPointer { folded($0) }
  }

  private static func folded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    if let folded = foldedASCII(bytes) { return folded }
    var folded: [UInt8] = []
    folded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count { index += appendNext(bytes, at: index, to: &folded) }
    return folded
  }

  /// In a loop that the compiler turns into wide instructions; nil for a text that is not ASCII.
  private static func foldedASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard let source = bytes.baseAddress else { return [] }
    var all: UInt8 = 0
    let folded = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      var (index, seen) = (0, UInt8(0))
      while index < bytes.count {
        let byte = source[index]
        seen |= byte
        target[index] = byte | (byte &- 0x41 < 26 ? 0x20 : 0)
        index &+= 1
      }
      (all, count) = (seen, bytes.count)
    }
    return all < 0x80 ? folded : nil
  }

  /// Appends the folded form of the scalar (or invalid byte) at `index`; returns its length in `bytes`.
  @inline(__always)
  static func appendNext(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, to folded: inout [UInt8]) -> Int {
    let byte = bytes[index]
    if byte < 0x80 {
      folded.append(lower(byte))
      return 1
    }
    guard let (scalar, count) = scalar(in: bytes, at: index) else {
      folded.append(byte)
      return 1
    }
    switch scalar.value {
    case 0..<0x800: folded += lowScalars[Int(scalar.value)]
    // Han, and Hangul syllables: without case and accents.
    case 0x3400..<0xA000, 0xAC00..<0xD7A4: folded += bytes[index..<(index + count)]
    default: folded += computed(scalar)
    }
    return count
  }

  @inline(__always)
  static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  private static func scalar(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, Int)? {
    let first = text[index]
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first < 0xF5, index + count <= text.count else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(count))
    for next in text[(index + 1)..<(index + count)] {
      guard next & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(next & 0x3F)
    }
    let least: UInt32 = count == 2 ? 0x80 : count == 3 ? 0x800 : 0x10000
    guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, count)
  }

  private static let lowScalars: [[UInt8]] = (0..<0x800).map { value in
    Unicode.Scalar(UInt32(value)).map(computed) ?? []
  }

  private static func computed(_ scalar: Unicode.Scalar) -> [UInt8] {
    // By way of upper case, which is "SS" for "ß" and "Σ" for both small sigmas.
    let lower = scalar.properties.lowercaseMapping
    let upper = lower.unicodeScalars.reduce(into: "") { $0 += $1.properties.uppercaseMapping }
    let bare = upper.unicodeScalars.reduce(into: "") { $0 += $1.properties.lowercaseMapping }
    var folded: [UInt8] = []
    for scalar in bare._nfd where !isAccent(scalar) { folded += plain(scalar).utf8 }
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

  /// A Latin letter without its stroke, hook or tail, which no decomposition removes: "o" for "ø".
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard 0xC0..<0x250 ~= scalar.value, let name = scalar.properties.name else { return scalar }
    let letter = Array("LATIN SMALL LETTER ".utf8)
    let bytes = Array(name.utf8)
    guard bytes.starts(with: letter), bytes.dropFirst(letter.count + 1).starts(with: " WITH ".utf8) else {
      return scalar
    }
    return Unicode.Scalar(bytes[letter.count] | 0x20)
  }
}

/// A text folded for search, and the source offset of each folded byte.
public struct FoldedText: Sendable {
  public let bytes: [UInt8]
  /// The source offset of each byte and of the end; nil if all offsets are equal.
  private let places: [Int32]?

  /// Folds a text of at most 2 GiB.
  public init(_ text: [UInt8]) {
    if text.allSatisfy({ $0 < 0x80 }) {
      (bytes, places) = (SearchFold.folded(text[...]), nil)
      return
    }
    var folded: [UInt8] = []
    var places: [Int32] = []
    folded.reserveCapacity(text.count)
    places.reserveCapacity(text.count + 1)
    text.withUnsafeBufferPointer { text in
      var index = 0
      while index < text.count {
        if text[index] < 0x80 {
          folded.append(SearchFold.lower(text[index]))
          places.append(Int32(truncatingIfNeeded: index))
          index += 1
          continue
        }
        let count = SearchFold.appendNext(text, at: index, to: &folded)
        while places.count < folded.count { places.append(Int32(truncatingIfNeeded: index)) }
        index += count
      }
      places.append(Int32(truncatingIfNeeded: text.count))
    }
    (bytes, self.places) = (folded, places)
  }

  public func place(of index: Int) -> Int { places.map { Int($0[index]) } ?? index }

  /// The end of a match that ends at `index`: behind all bytes of a letter that folds to several, as "ß" does.
  public func end(at index: Int) -> Int {
    guard let places, index > 0 else { return index }
    var end = index
    while end < bytes.count, places[end] == places[end - 1] { end += 1 }
    return end
  }
}
