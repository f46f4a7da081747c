internal import TextUI

/// Renders the blocks of a document as lines of a width.
public struct MarkdownLayout: Sendable {
  public struct Options: Sendable, Equatable {
    /// Text is filled to at most so many columns.
    public static let widestText = 90

    public var width: Int
    public var marks: MarkdownMarks
    /// True to write the address of a link behind its text: for output that cannot be followed.
    public var writesAddresses = false
    /// The rows below a picture that stands alone, by its path.
    public var pictureRows: [String: Int] = [:]

    public init(width: Int, marks: MarkdownMarks = .unicode, writesAddresses: Bool = false) {
      self.width = max(4, min(width, Self.widestText))
      self.marks = marks
      self.writesAddresses = writesAddresses
    }
  }

  let document: MarkdownDocument
  /// The offset in the note of the document's first byte. All offsets of lines and links are the note's.
  let base: Int
  let options: Options
  public internal(set) var lines: [StyledLine] = []
  public internal(set) var links: [MarkdownLink] = []
  /// The pictures that stand alone: the path, and the offset of their paragraph.
  private(set) var pictures: [(path: String, offset: Int)] = []
  /// The runs left of the text: of the next line, and of the lines after it.
  private var firstPrefix: [StyledRun] = []
  private var prefix: [StyledRun] = []
  private var prefixWidth = 0
  private var bulletDepth = 0
  /// The start of the item or quote whose first line comes next.
  private var pendingStart: Int?
  /// The last link with a line.
  private var lastLink = -1

  public init(_ document: MarkdownDocument, at base: Int = 0, options: Options) {
    self.document = document
    self.base = base
    self.options = options
    blocks(of: 0, isTight: false)
  }

  /// The columns that are left for text.
  var room: Int { max(1, options.width - prefixWidth) }

  // MARK: - Lines

  mutating func emit(_ runs: [StyledRun], start: Int, isCode: Bool = false) {
    let last = lines.last?.start ?? base
    let runs = firstPrefix + runs
    var start = min(start, pendingStart ?? start)
    // A link begins before its text.
    for case let link? in runs.map(\.link) where link > lastLink {
      lastLink = link
      start = min(start, links[link].range.lowerBound)
    }
    lines.append(StyledLine(runs: runs, start: max(last, start), isCode: isCode))
    (firstPrefix, pendingStart) = (prefix, nil)
  }

  private mutating func emitBlank() {
    var runs = prefix
    while let last = runs.last, last.text.allSatisfy({ $0 == 0x20 }) { runs.removeLast() }
    lines.append(StyledLine(runs: runs, start: lines.last?.start ?? base))
  }

  /// Draws with more marks to the left: `first` before the first line, as wide as `rest` before the others.
  private mutating func inside(
    _ first: StyledRun, _ rest: StyledRun, from start: Int, _ draw: (inout MarkdownLayout) -> Void
  ) {
    // Marks leave at least eight columns for text.
    guard prefixWidth + rest.width + 8 <= options.width || prefixWidth == 0 else { return draw(&self) }
    pendingStart = min(pendingStart ?? start, start)
    let outer = (firstPrefix, prefix, prefixWidth)
    firstPrefix.append(first)
    prefix.append(rest)
    prefixWidth += rest.width
    let count = lines.count
    draw(&self)
    if lines.count == count { emit([], start: start) }
    (prefix, prefixWidth) = (outer.1, outer.2)
    firstPrefix = prefix
  }

  // MARK: - Blocks

  private mutating func blocks(of parent: Int, isTight: Bool) {
    var isBelowFootnote: Bool?
    for block in document.children(of: parent) where isShown(block) {
      let isFootnote = if case .footnote = document.blocks[block].kind { true } else { false }
      if let isBelowFootnote, !isTight, !(isBelowFootnote && isFootnote) { emitBlank() }
      isBelowFootnote = isFootnote
      self.block(block)
    }
  }

  private func isShown(_ block: Int) -> Bool {
    (document.blocks[block].kind != .html || !document.shownLines(ofHTML: block).isEmpty) && !document.isHidden(block)
  }

  private mutating func block(_ block: Int) {
    let value = document.blocks[block]
    let start = base + value.range.lowerBound
    switch value.kind {
    case .paragraph:
      let before = links.count
      for (index, line) in filled(block, role: .text, width: room).enumerated() {
        emit(line, start: index == 0 ? start : line.start ?? start)
      }
      let hasPicture = links[before...].contains { if case .picture = $0.kind { true } else { false } }
      if hasPicture { pictures(of: block) }
    case .heading(let level): heading(block, level, start)
    case .rule: emit([StyledRun(repeating(options.marks.rule, room), .rule)], start: start)
    case .quote:
      let mark = StyledRun(options.marks.quote + " ", .quote)
      inside(mark, mark, from: start) { layout in
        if let callout = layout.document.callout(of: block) {
          for (index, line) in layout.filled(callout).enumerated() {
            layout.emit(line, start: index == 0 ? start : line.start ?? start)
          }
        }
        layout.blocks(of: block, isTight: false)
      }
    case .list(let list): self.list(block, list)
    case .code(let info): code(block, info: info)
    case .html: verbatim(block, document.shownLines(ofHTML: block), role: .dim)
    case .frontMatter: frontMatter(block)
    case .footnote(let label): footnote(block, label, start)
    case .table(let columns): table(block, columns)
    case .document, .item, .row, .cell: break
    }
  }

  /// Leaves rows for the pictures of a paragraph without text.
  private mutating func pictures(of block: Int) {
    let inlines = document.shownInlines(of: block)
    var paths: [String] = []
    for node in inlines.top {
      switch inlines.nodes[node].kind {
      case .image(let target): paths.append(target.destination)
      case .wikiImage(let path): paths.append(Self.address(of: path))
      case .softBreak, .hardBreak: continue
      default: return
      }
    }
    for path in paths {
      pictures.append((path, base + document.blocks[block].range.lowerBound))
      for row in 0..<(options.pictureRows[path] ?? 0) {
        emit([], start: base)
        lines[lines.count - 1].picture = PictureRow(path: path, row: row)
      }
    }
  }

  private mutating func heading(_ block: Int, _ level: Int, _ start: Int) {
    let role: Role = level == 1 ? .heading1 : level == 2 ? .heading2 : .heading3
    let lines = filled(block, role: role, width: room)
    if lines.isEmpty { emit([], start: start) }
    for (index, line) in lines.enumerated() { emit(line, start: index == 0 ? start : line.start ?? start) }
  }

  private mutating func list(_ list: Int, _ marks: MarkdownList) {
    let items = document.children(of: list)
    let last = (marks.start ?? 0) + items.count - 1
    let digits = "\(last)".utf8.count
    bulletDepth += marks.start == nil ? 1 : 0
    for (index, item) in items.enumerated() {
      if index > 0, !marks.isTight { emitBlank() }
      let mark = mark(of: item, number: marks.start.map { $0 + index }, digits: digits, sign: marks.mark)
      let rest = StyledRun(String(repeating: " ", count: mark.width), .text)
      let start = base + document.blocks[item].range.lowerBound
      inside(mark, rest, from: start) { $0.blocks(of: item, isTight: marks.isTight) }
    }
    bulletDepth -= marks.start == nil ? 1 : 0
  }

  private mutating func mark(of item: Int, number: Int?, digits: Int, sign: UInt8) -> StyledRun {
    let start = base + document.blocks[item].range.lowerBound
    let numbered = number.map { number in
      let spaces = String(repeating: " ", count: max(0, digits - "\(number)".utf8.count))
      return "\(spaces)\(number)\(Unicode.Scalar(sign)) "
    }
    guard case .item(let check?) = document.blocks[item].kind else {
      if let numbered { return StyledRun(numbered, .bullet) }
      let bullets = options.marks.bullets
      return StyledRun(bullets[max(0, bulletDepth - 1) % bullets.count] + " ", .bullet)
    }
    let offset = base + check.offset
    links.append(
      MarkdownLink(
        kind: .check(MarkdownCheck(isChecked: check.isChecked, offset: offset)), range: (offset - 1)..<(offset + 2)))
    let text = (numbered ?? "") + (check.isChecked ? options.marks.checked : options.marks.unchecked) + " "
    return StyledRun(Array(text.utf8), .checkbox, range: start..<start, link: links.count - 1)
  }

  /// The number of a footnote leads to its first mark.
  private mutating func footnote(_ block: Int, _ label: Range<Int>, _ start: Int) {
    let footnote = document.references.footnote(document.source[label])
    let name =
      footnote.map { "\($0.number)" } ?? "^\(String(decoding: document.source[label].prefix(12), as: UTF8.self))"
    var mark = StyledRun("[\(name)] ", .bullet)
    if let place = footnote?.mark {
      let range = start..<(base + label.upperBound + 1)
      links.append(MarkdownLink(kind: .place(place), range: range))
      (mark.role, mark.range, mark.link) = (.link, start..<start, links.count - 1)
    }
    inside(mark, StyledRun(repeating(" ", mark.width), .text), from: start) { $0.blocks(of: block, isTight: false) }
  }

  private mutating func code(_ block: Int, info: Range<Int>?) {
    let word = info.flatMap { document.source[$0].split(whereSeparator: \.isMarkdownBlank).first }
    let name = word.map { Array(MarkdownText.decoded($0).utf8) } ?? []
    verbatim(block, Array(document.lines(of: block)), role: .codeBlock, isCode: true, name: name)
  }

  /// Lines as they are. The rest of a line that is too long follows behind a mark.
  mutating func verbatim(
    _ block: Int, _ lines: [MarkdownLine], role: Role, isCode: Bool = false, name: [UInt8] = []
  ) {
    let margin = isCode ? 2 : 0
    let indent = StyledRun(String(repeating: " ", count: margin), role)
    if lines.isEmpty { emit([indent], start: base + document.blocks[block].range.lowerBound, isCode: isCode) }
    for (number, line) in lines.enumerated() {
      let rows = CodeRows.cut(document.source, line, width: room - margin, base: base, role: role)
      for (index, row) in rows.enumerated() {
        var runs = index == 0 ? [indent] : [StyledRun(options.marks.more + " ", .dim)]
        runs += row
        let used = runs.reduce(0) { $0 + $1.width }
        if number == 0, index == 0, !name.isEmpty {
          let label = StyledRun(Array(name.prefix(24)), .dim)
          if used + label.width + 2 <= room {
            runs.append(StyledRun(String(repeating: " ", count: room - used - label.width), role))
            runs.append(label)
          }
        }
        emit(runs, start: base + line.range.lowerBound, isCode: isCode)
      }
    }
  }

  func repeating(_ mark: String, _ count: Int) -> String { String(repeating: mark, count: max(0, count)) }
}

extension [StyledRun] {
  /// The source offset of the first run that shows source.
  var start: Int? { first { !$0.range.isEmpty }?.range.lowerBound }
}

/// Cuts a line of code into rows.
enum CodeRows {
  static let tabWidth = 4

  static func cut(_ source: [UInt8], _ line: MarkdownLine, width: Int, base: Int, role: Role) -> [[StyledRun]] {
    let width = max(1, width)
    var rows: [[StyledRun]] = []
    var row: [StyledRun] = []
    var column = 0
    var start = line.range.lowerBound
    var used = 0
    if line.padding > 0 {
      row.append(StyledRun(String(repeating: " ", count: line.padding), role))
      column = line.padding
    }
    func take(to end: Int) {
      guard end > start else { return }
      row.append(
        StyledRun(Array(source[start..<end]), role, range: (base + start)..<(base + end), width: used))
      start = end
      used = 0
    }
    for glyph in GlyphReader(source[line.range], tabWidth: tabWidth) {
      let isTab = glyph.scalars.count > 1 && source[glyph.range.lowerBound] == 0x09 && !glyph.isEscape
      if column + glyph.width > width, column > 0 {
        take(to: glyph.range.lowerBound)
        rows.append(row)
        row = []
        column = 0
      }
      if isTab || source[glyph.range.lowerBound] == 0x09 {
        take(to: glyph.range.lowerBound)
        let spaces = Array(repeating: UInt8(0x20), count: min(glyph.width, width))
        row.append(StyledRun(spaces, role, range: (base + start)..<(base + start), width: spaces.count))
        start = glyph.range.upperBound
        column += spaces.count
        continue
      }
      column += glyph.width
      used += glyph.width
    }
    take(to: line.range.upperBound)
    rows.append(row)
    return rows
  }
}

/// The characters that stand for the marks of Markdown, in Unicode or ASCII.
public struct MarkdownMarks: Sendable, Equatable {
  var bullets: [String]
  var quote: String
  var rule: String
  var bar: String
  var cross: String
  var unchecked: String
  var checked: String
  var picture: String
  /// In front of the rest of a line of code that is too long.
  var more: String

  public static let unicode = MarkdownMarks(
    bullets: ["•", "◦", "▪"], quote: "┃", rule: "─", bar: "│", cross: "┼", unchecked: "☐", checked: "☑", picture: "▣",
    more: "↪")
  public static let ascii = MarkdownMarks(
    bullets: ["*", "-", "+"], quote: "|", rule: "-", bar: "|", cross: "+", unchecked: "[ ]", checked: "[x]",
    picture: "[#]", more: "\\")
}
