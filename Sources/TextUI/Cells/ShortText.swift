/// A few characters of printable ASCII, such as a size or an age, without memory of their own: a list makes two for
/// each row that it draws, and strings put together by interpolation touched more code than all else in drawing a row.
public struct ShortText: Sendable {
  /// What is added beyond this many characters is left out.
  public static let capacity = 24

  private var bytes = InlineArray<24, UInt8>(repeating: 0x20)
  /// How many characters it has.
  public private(set) var count = 0

  /// An empty text.
  public init() {}

  /// Adds fixed text; a question mark for what is not printable.
  public mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { for byte in $0 { append(byte: byte >= 0x20 && byte < 0x7F ? byte : 0x3F) } }
  }

  /// Adds a number, which is not negative, with at least so many digits.
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

  /// The same as a string.
  public var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.span.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
  }
}
