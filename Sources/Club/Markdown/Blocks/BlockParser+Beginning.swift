internal import Basics

/// Marks that only a note's start has: a byte order mark, which is no text (cmark skips it, too), and front matter.
extension BlockParser {
  /// Returns the start of the first line behind them.
  mutating func parseBeginning() -> Int {
    let start = source.starts(with: TextEncoding.byteOrderMark) ? TextEncoding.byteOrderMark.count : 0
    return parseFrontMatter(at: start) ?? start
  }

  /// YAML between lines of three hyphens, of which the last may be three dots, or TOML between lines of three plus signs.
  /// It begins with a key in the line behind the first (only comments may stand before it), as Pandoc demands: below a rule
  /// text is text.
  private mutating func parseFrontMatter(at start: Int) -> Int? {
    let opening = line(at: start)
    let isYAML = text(opening.range) == "---"
    guard isYAML || text(opening.range) == "+++" else { return nil }
    let ends: Set<String> = isYAML ? ["---", "..."] : ["+++"]
    var found: [Range<Int>] = []
    var position = opening.next
    var hasKey = false
    while position < source.count, position < MarkdownPart.longest {
      let line = line(at: position)
      if hasKey, ends.contains(text(line.range)) {
        let block = append(.frontMatter, to: 0, at: opening.range.lowerBound)
        for range in found { append(MarkdownLine(range: range, padding: 0), to: block) }
        extend(block, to: line.range.lowerBound + 3)
        blocks[block].isOpen = false
        return line.next
      }
      if !hasKey, source[line.range].first != UInt8(ascii: "#") {
        guard isKey(line.range, isYAML: isYAML) else { return nil }
        hasKey = true
      }
      found.append(line.range)
      position = line.next
    }
    return nil
  }

  /// A line without blanks at its end; empty for one that is too long for a mark.
  private func text(_ line: Range<Int>) -> String {
    guard line.count < 80 else { return "" }
    var end = line.upperBound
    while end > line.lowerBound, source[end - 1].isMarkdownBlank { end -= 1 }
    return String(decoding: source[line.lowerBound..<end], as: UTF8.self)
  }

  private func isKey(_ line: Range<Int>, isYAML: Bool) -> Bool {
    guard let first = source[line].first else { return false }
    if !isYAML, first == UInt8(ascii: "[") { return true }
    guard first.isAlphanumeric || first >= 0x80 || "_\"'".utf8.contains(first) else { return false }
    guard isYAML else { return source[line].contains(UInt8(ascii: "=")) }
    return line.contains { index in
      source[index] == UInt8(ascii: ":") && (index + 1 == line.upperBound || source[index + 1].isMarkdownBlank)
    }
  }
}
