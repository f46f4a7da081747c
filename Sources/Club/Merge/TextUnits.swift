/// A text as a sequence of units: lines, or words.
struct TextUnits {
  /// The byte at which each unit begins, and the end of the last.
  private(set) var starts: [Int] = []

  var count: Int { starts.count - 1 }

  func bytes(of units: Range<Int>) -> Range<Int> { starts[units.lowerBound]..<starts[units.upperBound] }

  /// Lines with their line feeds.
  static func lines(_ text: [UInt8], _ range: Range<Int>) -> TextUnits {
    var units = TextUnits()
    var start = range.lowerBound
    while start < range.upperBound {
      units.starts.append(start)
      start = (text[start..<range.upperBound].firstIndex(of: 0x0A) ?? range.upperBound - 1) + 1
    }
    units.starts.append(range.upperBound)
    return units
  }

  /// Words with the white space after them; a line feed ends its unit. The following are single words: a character of a
  /// script without spaces, an address, a `[[link]]`, inline code, and a check box.
  static func words(_ text: [UInt8], _ range: Range<Int>) -> TextUnits {
    var units = TextUnits()
    var place = range.lowerBound
    while place < range.upperBound {
      units.starts.append(place)
      place = WordReader(text: text, end: range.upperBound).end(of: place)
    }
    units.starts.append(range.upperBound)
    return units
  }
}

/// Numbers for units: equal units have equal numbers, and so have ticked and empty boxes.
struct UnitNumbers {
  private var numbers: [ArraySlice<UInt8>: Int] = [:]

  mutating func of(_ units: TextUnits, in text: [UInt8]) -> [Int] {
    (0..<units.count).map { unit in
      let bytes = text[units.bytes(of: unit..<(unit + 1))]
      return number(TickBox.isBox(bytes.prefix(3)) ? ArraySlice(TickBox.empty + bytes.dropFirst(3)) : bytes)
    }
  }

  /// Ticked and empty boxes have different numbers.
  mutating func of(exactly units: TextUnits, in text: [UInt8]) -> [Int] {
    (0..<units.count).map { number(text[units.bytes(of: $0..<($0 + 1))]) }
  }

  private mutating func number(_ bytes: ArraySlice<UInt8>) -> Int {
    if let known = numbers[bytes] { return known }
    numbers[bytes] = numbers.count
    return numbers.count - 1
  }
}

private struct WordReader {
  let text: [UInt8]
  let end: Int

  func end(of start: Int) -> Int {
    var place = self.special(start) ?? plain(start)
    while place < end, isSpace(text[place]), text[place - 1] != 0x0A { place += 1 }
    return place
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private func has(_ prefix: String, at place: Int) -> Bool { text[place..<end].starts(with: prefix.utf8) }

  /// The end of a unit that may contain spaces or punctuation.
  private func special(_ start: Int) -> Int? {
    switch text[start] {
    case UInt8(ascii: "["):
      if TickBox.isBox(text[start..<end].prefix(3)) { return start + 3 }
      return has("[[", at: start) ? closed(start, by: "]]") : nil
    case UInt8(ascii: "`"): return closed(start, by: "`")
    case UInt8(ascii: "h") where has("http://", at: start) || has("https://", at: start):
      return text[start..<end].firstIndex { isSpace($0) || $0 == UInt8(ascii: ">") } ?? end
    default: return nil
    }
  }

  /// The end behind a closing mark on the same line; nil without one.
  private func closed(_ start: Int, by mark: String) -> Int? {
    var place = start + mark.utf8.count
    while place < end, text[place] != 0x0A {
      if has(mark, at: place) { return place + mark.utf8.count }
      place += 1
    }
    return nil
  }

  private func plain(_ start: Int) -> Int {
    if isSpace(text[start]) { return start + 1 }
    var place = start
    while place < end, !isSpace(text[place]) {
      let next = min(end, place + Self.length(of: text[place]))
      if isWithoutSpaces(place) { return place == start ? next : place }
      if place > start, special(place) != nil { return place }
      place = next
    }
    return place
  }

  private static func length(of lead: UInt8) -> Int { lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1 }

  /// True for kana, Han, and their punctuation (U+3000 to U+9FFF, U+F900 to U+FAFF, U+20000 to U+3FFFF).
  private func isWithoutSpaces(_ place: Int) -> Bool {
    switch text[place] {
    case 0xE3...0xE9: true
    case 0xEF: place + 1 < end && (0xA4...0xAB).contains(text[place + 1])
    case 0xF0: place + 1 < end && (0xA0...0xBF).contains(text[place + 1])
    default: false
    }
  }
}
