/// A text as it is searched: letters without case and accents, and where in the text each byte of that comes from.
/// An accent of its own (`e` and U+0301) counts for nothing, so that both spellings of `é` are an `e`.
struct FoldedText {
  let bytes: [UInt8]
  /// For each byte and the end; nil when every byte has kept its place.
  private let places: [Int32]?

  /// Bytes that are no UTF-8 stay as they are.
  init(_ text: [UInt8]) {
    if text.allSatisfy({ $0 < 0x80 }) {
      bytes = text.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
      places = nil
      return
    }
    var folded: [UInt8] = []
    var places: [Int32] = []
    folded.reserveCapacity(text.count)
    places.reserveCapacity(text.count + 1)
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        folded.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        places.append(Int32(index))
        index += 1
        continue
      }
      let (scalar, count) = FoldedText.scalar(in: text, at: index)
      if let scalar {
        if let bare = LetterFold.bare(scalar) {
          for byte in UTF8.encode(bare) ?? UTF8.encodedReplacementCharacter {
            folded.append(byte)
            places.append(Int32(index))
          }
        }
      } else {
        folded.append(byte)
        places.append(Int32(index))
      }
      index += count
    }
    places.append(Int32(text.count))
    bytes = folded
    self.places = places
  }

  /// The text's offset of a folded byte, or of the end.
  func place(of index: Int) -> Int { places.map { Int($0[index]) } ?? index }

  private static func scalar(in text: [UInt8], at index: Int) -> (Unicode.Scalar?, Int) {
    let first = text[index]
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first < 0xF5, index + count <= text.count else { return (nil, 1) }
    var value = UInt32(first) & (0x7F >> UInt32(count))
    for next in text[(index + 1)..<(index + count)] {
      guard next & 0xC0 == 0x80 else { return (nil, 1) }
      value = value << 6 | UInt32(next & 0x3F)
    }
    let least: UInt32 = count == 2 ? 0x80 : count == 3 ? 0x800 : 0x10000
    guard value >= least, let scalar = Unicode.Scalar(value) else { return (nil, 1) }
    return (scalar, count)
  }
}

/// Letters without case and accents.
enum LetterFold {
  /// The letter's plain form; nil for an accent that stands for itself.
  static func bare(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let value = scalar.value
    if value &- 0x300 < 0x70 { return nil }
    if value < 0x2000 { return Unicode.Scalar(table[Int(value)]) }
    // Glagolitic to Georgian, Latin extensions, full-width letters, and scripts beyond the basic plane.
    let hasCase =
      value &- 0x2C00 < 0x200 || value &- 0xA640 < 0x580 || value &- 0xFF21 < 26 || value &- 0x10400 < 0xEC00
    return hasCase ? lower(scalar) : scalar
  }

  private static let table: [UInt32] = {
    var plain: [String: UInt32] = [:]
    for value in [0x61...0x7A, 0x3B1...0x3C9, 0x430...0x45F].joined() {
      guard let scalar = Unicode.Scalar(UInt32(value)), let name = scalar.properties.name else { continue }
      plain[name] = scalar.value
    }
    return (0..<0x2000).map { value in
      guard value >= 0x41, let scalar = Unicode.Scalar(UInt32(value)) else { return UInt32(value) }
      let low = lower(scalar)
      guard [0xC0..<0x250, 0x370..<0x460, 0x1E00..<0x2000].contains(where: { $0.contains(value) }),
        let name = low.properties.name
      else { return low.value }
      // LATIN SMALL LETTER E WITH ACUTE
      let end = name.utf8.indices.first { name.utf8[$0...].starts(with: " WITH ".utf8) }
      return end.flatMap { plain[String(name[..<$0])] } ?? low.value
    }
  }()

  private static func lower(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let mapping = scalar.properties.lowercaseMapping.unicodeScalars
    return mapping.count == 1 ? mapping.first ?? scalar : scalar
  }
}
