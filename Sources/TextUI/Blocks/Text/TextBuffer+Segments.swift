/// A part of a line that is wrapped by itself: a whole line, or about 16 KiB of a longer one. So wrapping costs the
/// same near any place of a text, even one that is a single line.
struct TextSegment: Equatable, Sendable {
  /// The bytes that are shown.
  var range: Range<Int>
  /// Where the next segment begins: `range.upperBound` within a line, behind the line's end otherwise; nil for the
  /// last one.
  var next: Int?
}

extension TextBuffer {
  static let segmentSize = 16 * 1024

  /// The segment of an offset. A line's end belongs to its last segment.
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

  /// Where segment `index` of a line begins: near a multiple of the segments' size, behind a space where there is
  /// one, and never inside a character.
  private func border(_ index: Int, of line: Range<Int>) -> Int {
    guard index > 0 else { return line.lowerBound }
    let nominal = line.lowerBound + index * Self.segmentSize
    guard nominal < line.upperBound else { return line.upperBound }
    let from = nominal - 256
    let window = bytes(in: from..<(nominal + 1))
    if let space = window.dropLast().lastIndex(of: 0x20) { return from + space + 1 }
    // An ASCII byte always begins a glyph.
    if let plain = window.lastIndex(where: { $0 < 0x80 }) { return from + plain }
    let lead = window.suffix(4).lastIndex { $0 & 0xC0 != 0x80 }
    return lead.map { from + $0 } ?? nominal
  }
}
