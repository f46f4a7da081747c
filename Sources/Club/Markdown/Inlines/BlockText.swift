/// The text of a block in one piece, with the way back to the source: the marks of quotes and lists that stand between
/// the lines are left out.
struct BlockText {
  private struct Piece {
    var start: Int
    var source: Int
  }

  private(set) var bytes: [UInt8] = []
  private var pieces: [Piece] = []

  init(_ source: [UInt8], _ lines: ArraySlice<MarkdownLine>) {
    bytes.reserveCapacity(lines.reduce(0) { $0 + $1.range.count + 1 })
    for (index, line) in zip(lines.indices, lines) {
      var end = line.range.upperBound
      if index == lines.endIndex - 1 {
        while end > line.range.lowerBound, source[end - 1].isMarkdownSpace { end -= 1 }
      }
      pieces.append(Piece(start: bytes.count, source: line.range.lowerBound))
      bytes.append(contentsOf: source[line.range.lowerBound..<end])
      if index < lines.endIndex - 1 { bytes.append(UInt8(ascii: "\n")) }
    }
  }

  /// Drops the backslash of each `\|`, with which a cell says a bar.
  mutating func unescapePipes() {
    guard bytes.contains(UInt8(ascii: "\\")) else { return }
    var kept: [UInt8] = []
    var places: [Piece] = []
    for (index, byte) in bytes.enumerated() {
      let isEscape = byte == UInt8(ascii: "\\") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "|")
      if isEscape {
        places.append(Piece(start: kept.count, source: source(of: index + 1)))
        continue
      }
      if index == 0 { places.append(Piece(start: 0, source: source(of: 0))) }
      kept.append(byte)
    }
    bytes = kept
    pieces = places
  }

  mutating func cut(to count: Int) { bytes.removeSubrange(count...) }

  /// The source offset of a byte.
  func source(of offset: Int) -> Int {
    var low = 0
    var high = pieces.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if pieces[middle].start <= offset { low = middle } else { high = middle }
    }
    guard low < pieces.count else { return 0 }
    return pieces[low].source + offset - pieces[low].start
  }

  /// The source of a range that is not empty, from its first byte to its last.
  func source(of range: Range<Int>) -> Range<Int> {
    let start = source(of: range.lowerBound)
    guard !range.isEmpty else { return start..<start }
    return start..<max(start, source(of: range.upperBound - 1) + 1)
  }
}

extension UInt8 {
  /// A space or a tab.
  var isMarkdownBlank: Bool { self == 0x20 || self == 0x09 }
  /// White space of ASCII.
  var isMarkdownSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
  var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  var isAlphanumeric: Bool { isLetter || isDigit }
  var isPunctuation: Bool {
    switch self {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
  var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
