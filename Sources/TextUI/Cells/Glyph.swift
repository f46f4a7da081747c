/// A piece of text as it is shown: one glyph, or the visible spelling of something that must not reach a terminal.
public struct Glyph: Sendable, Equatable {
  /// The scalars to show; for an escaped glyph, its spelling in ASCII.
  public var scalars: [Unicode.Scalar]
  /// Columns in all.
  public var width: Int
  /// Which bytes of the source this shows.
  public var range: Range<Int>
  /// True when this is the spelling of a control, bidi, zero-width or invalid byte.
  public var isEscape: Bool

  /// True when the scalars are the spaces of a tab, each in a cell of its own.
  var isTab: Bool { scalars.count > 1 && scalars.allSatisfy { $0 == " " } }
}

/// Splits UTF-8 into glyphs. This is the only way by which text reaches cells: what could drive a terminal or hide
/// itself comes out as a visible spelling.
///
/// - Controls: `^[` for ESC, `^?` for DEL, `<9B>` for C1. A line feed is spelled like the others: split lines first.
/// - Bidi controls, zero-width characters, other format characters and unassigned ones: `<U+202E>`.
/// - Bytes that are no UTF-8: `\xFE`.
/// - Variation selectors, and a joiner or skin tone after a wide glyph, are folded away; up to two combining marks
///   (or a Korean vowel and final consonant) stay with their base, more are folded away.
/// - A tab is expanded to the next multiple of `tabWidth` columns, or spelled `^I` when `tabWidth` is nil.
public struct GlyphReader: Sequence, IteratorProtocol {
  private let bytes: ArraySlice<UInt8>
  private let tabWidth: Int?
  private var position: Int
  private var column = 0

  /// Reads `bytes` from their start; ranges in glyphs are indices of `bytes`.
  public init(_ bytes: ArraySlice<UInt8>, tabWidth: Int? = nil) {
    self.bytes = bytes
    self.tabWidth = tabWidth
    position = bytes.startIndex
  }

  /// The next glyph; nil at the end.
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
      // A mark without a base is shown as its code: alone it would sit on the border of the cell before.
      return spelled("<U+" + hexadecimal(scalar.value, digits: 4) + ">", from: start)
    }
    return finish(scalar, from: start, width: width)
  }

  private mutating func finish(_ base: Unicode.Scalar, from start: Int, width: Int) -> Glyph {
    var scalars = [base]
    while position < bytes.endIndex, bytes[position] >= 0x80, let mark = decode(at: position) {
      let folded = mark.value & 0xFFFF_FFF0 == 0xFE00 || width == 2 && isJoiner(mark)
      guard folded || GlyphWidth.isCombining(mark) || width == 2 && isVowelOrFinal(mark) else { break }
      if !folded, scalars.count < 3 { scalars.append(mark) }
      position += mark.utf8.count
    }
    column += width
    return Glyph(scalars: scalars, width: width, range: start..<position, isEscape: false)
  }

  private func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200D || (0x1F3FB...0x1F3FF).contains(scalar.value)
  }

  /// Korean as macOS spells it: a wide leading consonant, a vowel, perhaps a final consonant.
  private func isVowelOrFinal(_ scalar: Unicode.Scalar) -> Bool {
    (0x1161...0x11FF).contains(scalar.value) && GlyphWidth.columns(of: scalar) == 0
  }

  private mutating func spelled(_ text: String, from start: Int) -> Glyph {
    let scalars = Array(text.unicodeScalars)
    column += scalars.count
    return Glyph(scalars: scalars, width: scalars.count, range: start..<position, isEscape: true)
  }

  /// The scalar at an index; nil when the bytes there are no UTF-8.
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
  /// The columns that a line of text takes.
  public static func columns(of text: String) -> Int { columns(of: Array(text.utf8)[...]) }

  /// The columns that a line of bytes takes.
  public static func columns(of bytes: ArraySlice<UInt8>) -> Int {
    GlyphReader(bytes).reduce(0) { $0 + $1.width }
  }
}
