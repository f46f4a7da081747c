/// GitHub's footnotes, as cmark-gfm parses them: `[^label]: text`, which goes on in lines that four columns indent.
extension BlockParser {
  struct FootnoteMark {
    var label: Range<Int>
    var end: Int
  }

  /// The mark of a footnote's text at the first byte that is no space.
  func footnoteMark() -> FootnoteMark? {
    guard byte(nonspace + 1) == UInt8(ascii: "^") else { return nil }
    let start = nonspace + 2
    var end = start
    while end < lineEnd, end - start < MarkdownReferences.longestLabel, !source[end].isMarkdownSpace,
      source[end] != UInt8(ascii: "]"), source[end] != UInt8(ascii: "[")
    {
      end += 1
    }
    guard end > start, byte(end) == UInt8(ascii: "]"), byte(end + 1) == UInt8(ascii: ":") else { return nil }
    return FootnoteMark(label: start..<end, end: end + 2)
  }

  mutating func openFootnote(_ mark: FootnoteMark, in container: Int) -> Int {
    let start = nonspace
    advance(mark.end - offset)
    let footnote = open(.footnote(label: mark.label), in: container, at: start)
    extend(footnote, to: mark.end)
    while byte(offset).isMarkdownBlank { advance(1) }
    return footnote
  }

  /// Numbers the footnotes of a whole note by their first marks, as GitHub does; those without a mark come last.
  mutating func numberFootnotes() {
    var texts: [(label: ArraySlice<UInt8>, start: Int)] = []
    for block in blocks {
      if case .footnote(let label) = block.kind { texts.append((source[label], block.range.lowerBound)) }
    }
    guard !texts.isEmpty else { return }
    let scanner = LinkScanner(source)
    let starts = Set(texts.map { $0.start })
    var marks: [(label: ArraySlice<UInt8>, start: Int)] = []
    for index in source.indices.dropLast() where source[index] == UInt8(ascii: "[") && !starts.contains(index) {
      guard source[index + 1] == UInt8(ascii: "^"), let found = scanner.label(at: index) else { continue }
      marks.append((source[found.text].dropFirst(), index))
    }
    references.add(footnotes: texts, marks: marks)
  }
}
