internal import CWidth

/// One glyph, or the visible spelling of a sequence that must not reach a terminal.
public struct Glyph: Sendable, Equatable {
  /// ASCII for an escaped glyph.
  public var scalars: [Unicode.Scalar]
  public var width: Int
  public var range: Range<Int>
  /// True for the spelling of a control, bidi, zero-width or invalid character.
  public var isEscape: Bool
  /// True for a grapheme cluster that the terminal joins, of more scalars than a cell has, or in other columns than those
  /// of its scalars.
  public var isWhole = false

  /// A line may end behind it: Chinese and Japanese have no spaces. Scripts with clusters of two columns have some.
  public var endsLine: Bool { width == 2 && !isEscape && scalars.first?.hasMarksOfItsOwn == false }

  var isTab: Bool { scalars.count > 1 && scalars.allSatisfy { $0 == " " } }
}

/// Splits UTF-8 into glyphs. All text reaches cells through it: characters that could drive a terminal or hide become
/// visible.
///
/// - Controls: `^[` for ESC, `^?` for DEL, `<9B>` for C1. A line feed is spelled too: split lines first.
/// - Bidi controls, zero-width, other format and unassigned characters: `<U+202E>`.
/// - Invalid UTF-8: `\xFE`.
/// - A joiner or non-joiner (U+200D, U+200C) within a word of a script that has them, as Persian: dropped. Unicode's UAX 31
///   allows them in names there.
/// - Variation selectors, and a joiner or skin tone after a wide glyph, are dropped. A base keeps up to two combining
///   marks (or a Korean vowel and final consonant).
/// - Where the terminal draws grapheme clusters whole (`Graphemes.areWhole`), those that it joins are one glyph instead:
///   emoji of several scalars, flags, keycaps, and letters with marks beyond two.
/// - A tab expands to the next multiple of `tabWidth` columns, or is spelled `^I` if that is nil.
public struct GlyphReader: Sequence, IteratorProtocol {
  private let bytes: ArraySlice<UInt8>
  private let tabWidth: Int?
  private var position: Int
  private var column = 0

  /// Glyph ranges are indices of `bytes`.
  public init(_ bytes: ArraySlice<UInt8>, tabWidth: Int? = nil) {
    self.bytes = bytes
    self.tabWidth = tabWidth
    position = bytes.startIndex
  }

  public mutating func next() -> Glyph? {
    guard position < bytes.endIndex else { return nil }
    let start = position
    let byte = bytes[start]
    if byte >= 0x20, byte < 0x7F {
      position += 1
      return finish(Unicode.Scalar(byte), from: start, width: 1)
    }
    guard let scalar = decode(at: position) else {
      position += 1
      return spelled("\\x" + hexadecimal(UInt32(byte), digits: 2), from: start)
    }
    position += scalar.utf8.count
    if byte < 0x20 || byte == 0x7F {
      if byte == 0x09, let tabWidth {
        let width = tabWidth - column % tabWidth
        column += width
        return Glyph(
          scalars: Array(repeating: " ", count: width), width: width, range: start..<position, isEscape: false)
      }
      return spelled("^" + String(Unicode.Scalar(byte ^ 0x40)), from: start)
    }
    if scalar.value < 0xA0 { return spelled("<" + hexadecimal(scalar.value, digits: 2) + ">", from: start) }
    let width = GlyphWidth.columns(of: scalar)
    if width <= 0 || GlyphWidth.isHidden(scalar) {
      // A mark alone would combine with the cell before it.
      return spelled("<U+" + hexadecimal(scalar.value, digits: 4) + ">", from: start)
    }
    return finish(scalar, from: start, width: width)
  }

  private mutating func finish(_ base: Unicode.Scalar, from start: Int, width: Int) -> Glyph {
    if position < bytes.endIndex, bytes[position] >= 0x80, let glyph = whole(base, from: start) { return glyph }
    var scalars = [base]
    var last = base
    while position < bytes.endIndex, bytes[position] >= 0x80, let mark = decode(at: position) {
      let folded =
        mark.value & 0xFFFF_FFF0 == 0xFE00 || width == 2 && isJoiner(mark)
        || mark.value & 0xFFFF_FFFE == 0x200C && joins(last, mark)
      guard folded || GlyphWidth.isCombining(mark) || width == 2 && isVowelOrFinal(mark) else { break }
      if !folded, scalars.count < 3 { scalars.append(mark) }
      position += mark.utf8.count
      last = mark
    }
    column += width
    return Glyph(scalars: scalars, width: width, range: start..<position, isEscape: false)
  }

  /// The cluster that begins with `base`, if the terminal draws it whole.
  private mutating func whole(_ base: Unicode.Scalar, from start: Int) -> Glyph? {
    guard let next = decode(at: position), Graphemes.mayJoin(base, next), Graphemes.areWhole else { return nil }
    var text = String.UnicodeScalarView([base])
    var (end, count) = (position, 1)
    while count <= Graphemes.mostScalars, end < bytes.endIndex, bytes[end] >= 0x80, let scalar = decode(at: end) {
      text.append(scalar)
      (end, count) = (end + scalar.utf8.count, count + 1)
    }
    let scalars = String(text).first.map { Array($0.unicodeScalars) } ?? []
    guard let width = Graphemes.columns(of: scalars) else { return nil }
    position = start + scalars.reduce(0) { $0 + $1.utf8.count }
    column += width
    return Glyph(scalars: scalars, width: width, range: start..<position, isEscape: false, isWhole: true)
  }

  /// True for a joiner at the position that stands behind a virama, which may end a word, or between letters.
  private func joins(_ last: Unicode.Scalar, _ joiner: Unicode.Scalar) -> Bool {
    guard last.hasMarksOfItsOwn else { return false }
    if last.properties.canonicalCombiningClass == .virama { return true }
    let next = position + joiner.utf8.count
    return next < bytes.endIndex && decode(at: next).map { $0.hasMarksOfItsOwn && $0.properties.isAlphabetic } == true
  }

  private func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200D || (0x1F3FB...0x1F3FF).contains(scalar.value)
  }

  /// Decomposed Korean, as macOS spells it, after a wide leading consonant.
  private func isVowelOrFinal(_ scalar: Unicode.Scalar) -> Bool {
    (0x1161...0x11FF).contains(scalar.value) && GlyphWidth.columns(of: scalar) == 0
  }

  private mutating func spelled(_ text: String, from start: Int) -> Glyph {
    let scalars = Array(text.unicodeScalars)
    column += scalars.count
    return Glyph(scalars: scalars, width: scalars.count, range: start..<position, isEscape: true)
  }

  private func decode(at index: Int) -> Unicode.Scalar? {
    let first = bytes[index]
    if first < 0x80 { return Unicode.Scalar(first) }
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first < 0xF5, index + count <= bytes.endIndex else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(count))
    for next in bytes[(index + 1)..<(index + count)] {
      guard next & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(next & 0x3F)
    }
    let least: UInt32 = count == 2 ? 0x80 : count == 3 ? 0x800 : 0x10000
    return value < least ? nil : Unicode.Scalar(value)
  }

  private func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}

extension GlyphReader {
  public static func columns(of text: String) -> Int { columns(of: Array(text.utf8)[...]) }

  public static func columns(of bytes: ArraySlice<UInt8>) -> Int {
    GlyphReader(bytes).reduce(0) { $0 + $1.width }
  }
}

extension Unicode.Scalar {
  /// True in the blocks of scripts that write vowels and tones as marks of their own, which are typed one by one: Hebrew,
  /// Arabic, the Indic scripts, Thai, Lao, Tibetan, Burmese, Khmer, Mongolian and their kin.
  var hasMarksOfItsOwn: Bool {
    switch value {
    case 0x0590...0x109F, 0x1700...0x1AAF, 0x1B00...0x1C4F, 0x1CD0...0x1CFF, 0xA800...0xAAFF, 0xABC0...0xABFF,
      0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10A00...0x10A5F, 0x11000...0x11FFF:
      true
    default: false
    }
  }
}

/// The C library's widths. ncurses uses the same; a newer table would disagree and shift cells.
public enum GlyphWidth {
  /// 1 or 2; 0 for combining marks; -1 if unknown.
  public static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x7F { return scalar.value < 0x20 ? -1 : 1 }
    return Int(cw_columns(scalar.value))
  }

  public static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: columns(of: scalar) == 0
    default: false
    }
  }

  /// Invisible scalars and those that affect others: format characters, separators of lines, fillers.
  public static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format, .lineSeparator, .paragraphSeparator, .control, .surrogate: true
    default: [0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800].contains(scalar.value)
    }
  }
}
