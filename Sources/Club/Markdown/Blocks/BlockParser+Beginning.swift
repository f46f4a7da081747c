/// What only the beginning of a note has.
extension BlockParser {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let dash = UInt8(ascii: "-")

  /// Skips a byte order mark, and opens the front matter: data between lines of three dashes, which is shown as code. A text
  /// that begins with a rule has a blank line behind it, or no other such line.
  /// - Returns: the offset of the first line to parse.
  mutating func begin(_ options: MarkdownDocument.Options) -> Int {
    let start = source.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    guard options.contains(.frontMatter), let first = lineBehindDashes(at: start), first < source.count,
      !isBlankLine(at: first), lineBehindDashes(at: first) == nil, hasDashes(after: first)
    else { return start }
    let code = append(.code(info: start..<start), to: 0, at: start)
    (blocks[code].fence, blocks[code].fenceLength) = (Self.dash, 3)
    tip = code
    return first
  }

  /// The start of the next line, if this one is three dashes.
  private func lineBehindDashes(at start: Int) -> Int? {
    guard source[start...].starts(with: [Self.dash, Self.dash, Self.dash]) else { return nil }
    let end = source[(start + 3)...].firstIndex { !$0.isMarkdownBlank } ?? source.count
    guard end < source.count else { return end }
    switch source[end] {
    case 0x0A: return end + 1
    case 0x0D: return end + 1 < source.count && source[end + 1] == 0x0A ? end + 2 : end + 1
    default: return nil
    }
  }

  private func isBlankLine(at start: Int) -> Bool {
    source[start...].prefix { $0 != 0x0A && $0 != 0x0D }.allSatisfy(\.isMarkdownSpace)
  }

  private func hasDashes(after start: Int) -> Bool {
    let end = min(source.count, start + MarkdownPart.longest)
    var place = start
    while let feed = source[place..<end].firstIndex(of: 0x0A) {
      place = feed + 1
      if lineBehindDashes(at: place) != nil { return true }
    }
    return false
  }
}
