@testable import Zip

/// Bytes as tests write them down: hexadecimal, in words, or as they are.
func bytes(_ parts: String...) -> [UInt8] { parts.flatMap(hexadecimal) }

/// The UTF-8 of a text, in hexadecimal, to stand among bytes.
func text(_ text: String) -> String { text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

private func hexadecimal(_ part: String) -> [UInt8] {
  var digits = part.filter { $0 != " " }[...]
  var bytes: [UInt8] = []
  while !digits.isEmpty {
    bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
    digits = digits.dropFirst(2)
  }
  return bytes
}

extension [UInt8] {
  /// A number at a place, its lowest byte first.
  func number(_ count: Int, at place: Int) -> UInt64 {
    guard place >= 0, place + count <= self.count else { return .max }
    return self[place..<(place + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// What one call appends.
func written(_ writer: inout ZipWriter, _ body: (inout ZipWriter, inout [UInt8]) -> Void) -> [UInt8] {
  var bytes: [UInt8] = []
  body(&writer, &bytes)
  return bytes
}
