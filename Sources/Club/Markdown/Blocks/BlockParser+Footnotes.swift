internal import TextUI

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

/// The footnotes of a note that is too long to be parsed as a whole, by its lines: texts at the start of lines outside of
/// fenced code, and marks in the order of the note.
struct FootnoteScan {
  /// Notes beyond these bytes or marks have no footnotes, and neither have labels beyond these bytes: the marks are text.
  static let longestNote = 16 << 20
  private static let mostMarks = 20_000
  private static let longestLabel = 100
  private static let windowBytes = 256 * 1024

  private var texts: [(label: ArraySlice<UInt8>, start: Int)] = []
  private var marks: [(label: ArraySlice<UInt8>, start: Int)] = []
  private var fence: ArraySlice<UInt8>?

  static func references(of text: TextBuffer) -> MarkdownReferences {
    var references = MarkdownReferences()
    var (scan, start) = (FootnoteScan(), 0)
    while start < text.count {
      let window = text.bytes(in: start..<(start + windowBytes))
      let isLast = start + window.count == text.count
      let end = isLast ? window.count : window.lastIndex(of: 0x0A).map { $0 + 1 } ?? window.count
      for line in window[..<end].split(separator: 0x0A) { scan.take(line, start) }
      guard scan.marks.count + scan.texts.count <= mostMarks else { return references }
      start += end
    }
    references.add(footnotes: scan.texts, marks: scan.marks)
    return references
  }

  private mutating func take(_ line: ArraySlice<UInt8>, _ base: Int) {
    let first = line.firstIndex { $0 != 0x20 } ?? line.endIndex
    let isIndented = first > line.startIndex + 3
    if !isIndented, first < line.endIndex, line[first] == UInt8(ascii: "`") || line[first] == UInt8(ascii: "~") {
      let mark = line[first...].prefix { $0 == line[first] }
      let rest = line[mark.endIndex...]
      if let open = fence {
        if mark.starts(with: open), rest.allSatisfy(\.isMarkdownSpace) { fence = nil }
      } else if mark.count > 2, line[first] == UInt8(ascii: "~") || !rest.contains(line[first]) {
        fence = mark
      }
    }
    var index = first
    while let start = line[index...].firstIndex(of: UInt8(ascii: "[")) {
      index = start + 1
      guard index < line.endIndex, line[index] == UInt8(ascii: "^") else { continue }
      let label = line[(index + 1)...].prefix {
        !$0.isMarkdownSpace && $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "[")
      }
      index = label.endIndex
      guard 1...FootnoteScan.longestLabel ~= label.count, index < line.endIndex, line[index] == UInt8(ascii: "]")
      else { continue }
      // A copy, which does not keep the window.
      let found = (label: Array(label)[...], start: base + start)
      let isText = start == first && !isIndented && fence == nil && line[(index + 1)...].first == UInt8(ascii: ":")
      if isText { texts.append(found) } else { marks.append(found) }
    }
  }
}
