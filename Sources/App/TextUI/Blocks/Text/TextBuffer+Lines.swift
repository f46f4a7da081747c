internal import POSIX

extension TextBuffer {
  public func newline(from offset: Int) -> Int? {
    guard offset < count else { return nil }
    var (index, start) = locate(offset)
    var from = offset - start
    while index < chunks.count {
      if chunks[index].newlines > 0 {
        let found = chunks[index].bytes.withUnsafeBytes { bytes -> Int? in
          guard let base = bytes.baseAddress, let hit = memchr(base + from, 0x0A, bytes.count - from) else {
            return nil
          }
          return UnsafeRawPointer(hit) - base
        }
        if let found { return start + found }
      }
      start += chunks[index].count
      index += 1
      from = 0
    }
    return nil
  }

  public func newline(before offset: Int) -> Int? {
    guard offset > 0, count > 0 else { return nil }
    var (index, start) = locate(min(offset, count) - 1)
    var length = min(offset, count) - start
    while true {
      if chunks[index].newlines > 0 {
        let found = chunks[index].bytes.withUnsafeBufferPointer { bytes in bytes[..<length].lastIndex(of: 0x0A) }
        if let found { return start + found }
      }
      guard index > 0 else { return nil }
      index -= 1
      length = chunks[index].count
      start -= length
    }
  }

  public func lineStart(at offset: Int) -> Int { newline(before: offset).map { $0 + 1 } ?? 0 }

  /// Before the line feed, or its carriage return and line feed.
  public func lineEnd(at offset: Int) -> Int {
    // An offset between a carriage return and its line feed is already past this end.
    guard let newline = newline(from: offset) else { return count }
    let start = lineStart(at: offset)
    return newline > start && self[newline - 1] == 0x0D ? newline - 1 : newline
  }

  /// The first line is 0.
  public func line(at offset: Int) -> Int {
    let offset = min(max(0, offset), count)
    let (index, start) = locate(offset)
    var lines = 0
    for chunk in chunks[..<index] { lines += chunk.newlines }
    return lines + Self.newlines(in: chunks[index].bytes.prefix(offset - start))
  }

  /// The end of the text if there are fewer lines.
  public func start(ofLine line: Int) -> Int {
    guard line > 0 else { return 0 }
    var left = line
    var start = 0
    for chunk in chunks {
      if chunk.newlines >= left {
        for (index, byte) in chunk.bytes.enumerated() where byte == 0x0A {
          left -= 1
          if left == 0 { return start + index + 1 }
        }
      }
      left -= chunk.newlines
      start += chunk.count
    }
    return count
  }
}

/// A part that is wrapped by itself: a line, or about 16 KiB of a longer one. This bounds the cost of wrapping.
struct TextSegment: Equatable, Sendable {
  var range: Range<Int>
  /// `range.upperBound` within a line, else the start of the next line; nil at the end.
  var next: Int?
}

extension TextBuffer {
  static let segmentSize = 16 * 1024

  /// A line end belongs to the last segment of its line.
  func segment(at offset: Int) -> TextSegment {
    let offset = min(max(0, offset), count)
    let lineStart = lineStart(at: offset)
    let newline = newline(from: offset)
    var lineEnd = newline ?? count
    if let newline, newline > lineStart, self[newline - 1] == 0x0D { lineEnd -= 1 }
    let place = min(offset, lineEnd)
    var index = (place - lineStart) / Self.segmentSize
    if index > 0, border(index, of: lineStart..<lineEnd) >= lineEnd { index -= 1 }
    var start = border(index, of: lineStart..<lineEnd)
    var end = border(index + 1, of: lineStart..<lineEnd)
    if place >= end, end < lineEnd {
      start = end
      end = border(index + 2, of: lineStart..<lineEnd)
    }
    return TextSegment(range: start..<end, next: end < lineEnd ? end : newline.map { $0 + 1 })
  }

  /// Near a multiple of the size, after a space if possible, never in a character.
  private func border(_ index: Int, of line: Range<Int>) -> Int {
    guard index > 0 else { return line.lowerBound }
    let nominal = line.lowerBound + index * Self.segmentSize
    guard nominal < line.upperBound else { return line.upperBound }
    let from = nominal - 256
    let window = bytes(in: from..<(nominal + 1))
    if let space = window.dropLast().lastIndex(of: 0x20) { return from + space + 1 }
    if let plain = window.lastIndex(where: { $0 < 0x80 }) { return from + plain }
    let lead = window.suffix(4).lastIndex { $0 & 0xC0 != 0x80 }
    return lead.map { from + $0 } ?? nominal
  }
}
