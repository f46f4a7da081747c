import Markdown

/// Finds source ranges of a document that are wrong.
enum SourceCheck {
  /// Children within their parents and in order, texts equal to the source, all text of the source accounted for.
  static func faults(in document: MarkdownDocument) -> [String] {
    var faults: [String] = []
    check(0, document, &faults)
    return faults
  }

  private static func check(_ block: Int, _ document: MarkdownDocument, _ faults: inout [String]) {
    let range = document.blocks[block].range
    if !(0...document.source.count).contains(range.lowerBound) || range.upperBound > document.source.count {
      faults.append("\(document.blocks[block].kind) \(range) leaves the text")
      return
    }
    var end = range.lowerBound
    for child in document.children(of: block) {
      let inner = document.blocks[child].range
      if inner.lowerBound < end || inner.upperBound > range.upperBound {
        faults.append("\(document.blocks[child].kind) \(inner) is not within \(end)..<\(range.upperBound)")
      }
      end = max(end, inner.upperBound)
      check(child, document, &faults)
    }
    for line in document.lines(of: block) {
      // Blanks at the end of a line are no text.
      let text = document.source[line.range].reversed().drop { $0 == 0x20 || $0 == 0x09 }
      if line.range.lowerBound < range.lowerBound || line.range.lowerBound + text.count > range.upperBound {
        faults.append("line \(line.range) is not within \(document.blocks[block].kind) \(range)")
      }
    }
    let inlines = document.inlines(of: block)
    row(inlines.top, inlines, range, document, &faults)
  }

  private static func row(
    _ nodes: [Int], _ inlines: MarkdownInlines, _ range: Range<Int>, _ document: MarkdownDocument,
    _ faults: inout [String]
  ) {
    var end = range.lowerBound
    for node in nodes {
      let value = inlines.nodes[node]
      if value.range.lowerBound < end || value.range.upperBound > range.upperBound {
        faults.append("\(value.kind) \(value.range) is not within \(end)..<\(range.upperBound)")
      }
      end = max(end, value.range.upperBound)
      let source = document.source[value.range]
      switch value.kind {
      case .text: if source.contains(0x0A) { faults.append("text \(value.range) has a line end") }
      case .emphasis: marks(source, "*_", 1, value, &faults)
      case .strong: marks(source, "*_", 2, value, &faults)
      case .strikethrough: marks(source, "~", 1, value, &faults)
      case .highlight: marks(source, "=", 2, value, &faults)
      case .math: marks(source, "$", 1, value, &faults)
      case .code: marks(source, "`", 1, value, &faults)
      case .link: if source.first != UInt8(ascii: "[") { faults.append("link \(value.range)") }
      case .image: if source.first != UInt8(ascii: "!") { faults.append("image \(value.range)") }
      case .tag(let tag):
        if String(decoding: source, as: UTF8.self) != "#\(tag)" { faults.append("tag \(value.range)") }
      case .softBreak: if source.first != 0x0A, source.first != 0x0D { faults.append("break \(value.range)") }
      default: break
      }
      row(inlines.children(of: node), inlines, value.range, document, &faults)
    }
  }

  private static func marks(
    _ source: ArraySlice<UInt8>, _ marks: String, _ count: Int, _ value: MarkdownInline, _ faults: inout [String]
  ) {
    let ends = source.prefix(count) + source.suffix(count)
    if ends.count < count * 2 || !ends.allSatisfy({ marks.utf8.contains($0) }) || Set(ends).count != 1 {
      faults.append("\(value.kind) \(value.range)")
    }
  }
}
