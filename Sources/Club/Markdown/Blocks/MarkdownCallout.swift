/// A quote that begins with `[!kind] title`, as Obsidian and GitHub write it. The mark of folding behind the kind says
/// nothing here.
public struct MarkdownCallout: Sendable, Equatable {
  static let longestKind = 40

  /// The source of the kind: `note`, `warning`.
  public let kind: Range<Int>
  /// The source of the title; empty if the kind is the title.
  public let title: Range<Int>

  /// The callout that a line begins, after its quote's mark; nil for other lines.
  init?(_ source: [UInt8], _ line: Range<Int>) {
    var index = line.lowerBound
    func byte() -> UInt8 { index < line.upperBound ? source[index] : 0x0A }
    guard byte() == UInt8(ascii: "["), index + 1 < line.upperBound, source[index + 1] == UInt8(ascii: "!") else {
      return nil
    }
    index += 2
    let start = index
    while byte().isAlphanumeric || "-_ ".utf8.contains(byte()) || byte() >= 0x80 { index += 1 }
    kind = start..<index
    // Other programs take their looks from the words behind a bar.
    if byte() == UInt8(ascii: "|") { while index < line.upperBound, byte() != UInt8(ascii: "]") { index += 1 } }
    guard 1...Self.longestKind ~= kind.count, byte() == UInt8(ascii: "]") else { return nil }
    index += 1
    if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { index += 1 }
    guard index >= line.upperBound || source[index].isMarkdownBlank else { return nil }
    while index < line.upperBound, source[index].isMarkdownBlank { index += 1 }
    title = index..<line.upperBound
  }

  /// The kind as a word of a title: `Warning`.
  func word(_ source: [UInt8]) -> String {
    let kind = MarkdownText.decoded(source[kind])
    return kind.prefix(1).uppercased() + kind.dropFirst().lowercased()
  }
}

extension MarkdownDocument {
  /// The callout of a quote; nil for other blocks.
  public func callout(of block: Int) -> MarkdownCallout? {
    guard options.contains(.vaults), blocks[block].kind == .quote, blocks[block].firstChild >= 0 else { return nil }
    let first = blocks[block].firstChild
    guard blocks[first].kind == .paragraph, let line = lines(of: first).first else { return nil }
    return MarkdownCallout(source, line.range)
  }

  /// True for the paragraph whose first line is the title of the callout around it.
  func beginsCallout(_ block: Int) -> Bool {
    let parent = blocks[block].parent
    return parent >= 0 && blocks[parent].firstChild == block && callout(of: parent) != nil
  }

  /// The inlines of a title.
  func inlines(of callout: MarkdownCallout) -> MarkdownInlines {
    let content = BlockText(source, [MarkdownLine(range: callout.title, padding: 0)])
    var parser = InlineParser(content, options: options, references: references)
    return parser.run()
  }

  /// The inlines of a block without the title of a callout.
  func shownInlines(of block: Int) -> MarkdownInlines {
    guard beginsCallout(block) else { return inlines(of: block) }
    return inlines(of: block, lines: lines(of: block).dropFirst())
  }

  /// True for a paragraph of which nothing is shown: a callout's title, a comment, the name of a block.
  func isHidden(_ block: Int) -> Bool {
    guard options.contains(.vaults), blocks[block].kind == .paragraph, let line = lines(of: block).first else {
      return false
    }
    if beginsCallout(block) { return lines(of: block).count == 1 }
    let first = source[line.range].first
    return (first == UInt8(ascii: "^") || first == UInt8(ascii: "%")) && inlines(of: block).top.isEmpty
  }
}
