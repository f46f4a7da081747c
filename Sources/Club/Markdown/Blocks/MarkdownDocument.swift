internal import Basics

/// A parsed note, or a part of one: the tree of blocks. Inlines are parsed on demand, block by block.
///
/// Any bytes are a document; nothing traps and nothing is an error. Offsets are bytes of `source`.
public struct MarkdownDocument: Sendable {
  /// Syntax beyond CommonMark and GitHub's tables, task lists and strikethrough.
  public struct Options: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// `[[note]]`, `[[note|label]]` and `![[picture]]`.
    public static let wikiLinks = Options(rawValue: 1)
    /// `#tag`.
    public static let tags = Options(rawValue: 2)
    /// GitHub's bare addresses of the web and of mail.
    public static let addresses = Options(rawValue: 4)
    /// HTML comments are not shown, and `<br>` breaks the line.
    public static let plainHTML = Options(rawValue: 8)
    /// Callouts, `==highlights==`, `%%comments%%`, `$mathematics$` and the names of blocks, as note programs write them.
    public static let vaults = Options(rawValue: 16)
    /// All that a club's notes may use.
    public static let club: Options = [.wikiLinks, .tags, .addresses, .plainHTML, .vaults]
  }

  /// Containers (quotes, lists, items) nest up to this depth; deeper marks are text.
  public static let deepestBlock = 64
  /// Emphasis, links and strikethrough nest up to this depth; deeper marks are text.
  public static let deepestInline = 48

  public let source: [UInt8]
  public let options: Options
  /// The block at 0 is the document itself.
  public private(set) var blocks: [MarkdownBlock]
  public private(set) var lines: [MarkdownLine]
  /// The targets of `[label]: address` lines, and the footnotes of a note that was parsed as a whole.
  public private(set) var references: MarkdownReferences
  /// The source bytes of the targets of its definitions.
  let definitions: [Range<Int>]

  /// Parses the blocks of a text. `references` are those of other parts of the same note.
  public init(_ source: [UInt8], options: Options = .club, references: MarkdownReferences = .init()) {
    var parser = BlockParser(source)
    parser.references = references
    parser.run()
    parser.numberFootnotes()
    self.init(parser, options: options)
  }

  init(_ parser: BlockParser, options: Options) {
    source = parser.source
    self.options = options
    blocks = parser.blocks
    lines = parser.lines
    references = parser.references
    definitions = parser.definitions
  }

  /// The children of a block, in order.
  public func children(of block: Int) -> [Int] {
    var children: [Int] = []
    var child = blocks[block].firstChild
    while child >= 0 {
      children.append(child)
      child = blocks[child].next
    }
    return children
  }

  /// The lines of a code or HTML block.
  public func lines(of block: Int) -> ArraySlice<MarkdownLine> { lines[blocks[block].lines] }

  /// The lines of raw HTML without comments at its start; none for a comment alone, and for breaks alone. A comment that does
  /// not end is shown.
  func shownLines(ofHTML block: Int) -> [MarkdownLine] {
    let lines = lines(of: block)
    guard options.contains(.plainHTML) else { return Array(lines) }
    if blocks[block].fence == HTMLScanner.tagAlone { return lines.filter { !HTMLScanner.isBreak(source, $0.range) } }
    guard blocks[block].fence == HTMLScanner.comment, let last = lines.last,
      var start = HTMLScanner.find("-->", source, last.range)
    else { return Array(lines) }
    let end = last.range.upperBound
    while true {
      while start < end, source[start].isMarkdownSpace { start += 1 }
      guard HTMLScanner.starts("<!--", source, start..<end), let next = HTMLScanner.find("-->", source, start..<end)
      else { break }
      start = next
    }
    return start < end ? [MarkdownLine(range: start..<end, padding: 0)] : []
  }

  /// The inlines of a paragraph, a heading or a cell; none for other blocks.
  public func inlines(of block: Int) -> MarkdownInlines { inlines(of: block, lines: lines(of: block)) }

  func inlines(of block: Int, lines: ArraySlice<MarkdownLine>) -> MarkdownInlines {
    switch blocks[block].kind {
    case .paragraph, .heading, .cell: break
    default: return MarkdownInlines()
    }
    var content = BlockText(source, lines)
    if blocks[block].kind == .cell {
      content.unescapePipes()
    } else if options.contains(.vaults) {
      content.dropBlockName()
    }
    var parser = InlineParser(content, options: options, references: references)
    return parser.run()
  }
}

extension MarkdownDocument {
  /// True for the endings of Markdown in any case, and for a name without an ending whose text looks like it.
  public static func isMarkdown(named name: ArraySlice<UInt8>, beginning: [UInt8]) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return looksLike(beginning) }
    return ["md", "markdown"].contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
  }

  /// A file's name without the ending of Markdown, as `[[note]]` writes it.
  public static func stem(of name: ArraySlice<UInt8>) -> String {
    let name = String(decoding: name, as: UTF8.self)
    let ending = [".md", ".markdown"].first { name.lowercased().hasSuffix($0) && name.utf8.count > $0.utf8.count }
    return String(name.dropLast(ending?.count ?? 0))
  }

  private static func looksLike(_ text: [UInt8]) -> Bool {
    let marks = ["# ", "## ", "- [ ] ", "- [x] ", "```"]
    let text = text.prefix(4096).drop { TextEncoding.byteOrderMark.contains($0) }
    return text.split(separator: 0x0A).contains { line in marks.contains { line.starts(with: $0.utf8) } }
  }
}
