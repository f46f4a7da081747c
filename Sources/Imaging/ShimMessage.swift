import CImaging

/// Room for the words of a library.
struct ShimMessage {
  private var bytes = [CChar](repeating: 0, count: CI_MESSAGE_SIZE)

  mutating func fill<R>(_ body: (UnsafeMutablePointer<CChar>?) -> R) -> R {
    bytes.withUnsafeMutableBufferPointer { body($0.baseAddress) }
  }

  /// Printable ASCII, without a full stop at the end.
  var text: String {
    var words = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.filter { (0x20...0x7E).contains($0) }
    while words.last == UInt8(ascii: ".") || words.last == UInt8(ascii: " ") { words.removeLast() }
    return words.isEmpty ? "the data cannot be decoded" : String(decoding: words, as: UTF8.self)
  }
}
