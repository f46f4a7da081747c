/// RFC 9110, 14.1.2.
enum ByteSpan: Equatable {
  /// No header, another unit, several ranges, or malformed.
  case whole
  case part(Range<UInt64>)
  /// Answered with 416.
  case outside

  init(header: String?, size: UInt64) {
    self = header.flatMap { ByteSpan.read($0, size) } ?? .whole
  }

  private static func read(_ header: String, _ size: UInt64) -> ByteSpan? {
    guard header.lowercased().hasPrefix("bytes=") else { return nil }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { trimmed($0) }
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return nil }
    if ends[0].isEmpty {
      guard !ends[1].isEmpty else { return nil }
      let count = UInt64(ends[1]) ?? .max
      return count == 0 || size == 0 ? .outside : .part((size - min(count, size))..<size)
    }
    let first = UInt64(ends[0]) ?? .max
    let last = ends[1].isEmpty ? UInt64.max : UInt64(ends[1]) ?? .max
    guard first <= last else { return nil }
    guard first < size else { return .outside }
    return .part(first..<(min(last, size - 1) + 1))
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
