/// A few printable ASCII characters without a heap allocation. A list makes two for each row; interpolated strings ran
/// more code than the rest of drawing a row.
public struct ShortText: Sendable {
  /// Characters beyond it are dropped.
  public static let capacity = 24

  private var bytes = InlineArray<24, UInt8>(repeating: 0x20)
  public private(set) var count = 0

  public init() {}

  /// A question mark replaces anything not printable.
  public mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { for byte in $0 { append(byte: byte >= 0x20 && byte < 0x7F ? byte : 0x3F) } }
  }

  /// A non-negative number with at least `digits` digits.
  public mutating func append(_ number: Int, digits: Int = 1) {
    var scale = 1
    var more = digits
    while more > 1 || number / scale >= 10 {
      scale *= 10
      more -= 1
    }
    while scale > 0 {
      append(byte: UInt8(0x30 + number / scale % 10))
      scale /= 10
    }
  }

  private mutating func append(byte: UInt8) {
    guard count < Self.capacity else { return }
    bytes[count] = byte
    count += 1
  }

  public var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.span.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
  }
}

/// Text as drawn: controls and invisible characters are spelled out.
public enum ShownText {
  public static func of(_ text: String, columns: Int = .max) -> String {
    var shown = String.UnicodeScalarView()
    var room = columns
    for glyph in GlyphReader(Array(text.utf8)[...]) {
      guard glyph.width <= room else { break }
      room -= glyph.width
      shown += glyph.scalars
    }
    return String(shown)
  }
}
