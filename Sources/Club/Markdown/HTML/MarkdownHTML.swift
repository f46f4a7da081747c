/// A note as HTML for a page that may be opened by anyone: a pure function of the note.
///
/// Raw HTML is shown as text. Links lead to the web, to mail (`LinkAddress`), to footnotes and, on pages that have other files
/// of the club, to these; pictures are their descriptions, because a link shares one file and not the pictures that a note
/// names. The elements and attributes are those of this
/// file, without scripts and styles, and the result is well-formed XML, too.
public struct MarkdownHTML {
  private let document: MarkdownDocument
  private var html: [UInt8] = []
  private var isInLink = false
  /// The bytes of link targets that the page may still have. Many references to one long target would otherwise multiply it.
  private var targetBytes: Int
  private let page: (String, Bool) -> String?

  /// - Parameter page: finds the address of the page of a file that the note links, by the address that the note writes, or
  ///   by the name of a `[[note]]` (true); nil for one without.
  public static func text(
    _ document: MarkdownDocument, page: @escaping (_ target: String, _ isName: Bool) -> String? = { _, _ in nil }
  ) -> String {
    var writer = MarkdownHTML(document, page)
    writer.blocks(of: 0, isTight: false)
    writer.footnotes()
    return String(decoding: writer.html, as: UTF8.self)
  }

  private init(_ document: MarkdownDocument, _ page: @escaping (String, Bool) -> String?) {
    (self.document, self.page) = (document, page)
    targetBytes = max(100_000, document.source.count)
  }

  private mutating func put(_ text: String) { html += text.utf8 }

  private mutating func put(text bytes: some Collection<UInt8>) { HTMLText.append(bytes, to: &html) }

  // MARK: - Blocks

  private mutating func blocks(of parent: Int, isTight: Bool) {
    for block in document.children(of: parent) where !document.isHidden(block) { self.block(block, isTight: isTight) }
  }

  private mutating func title(of callout: MarkdownCallout) {
    put("<p dir=\"auto\"><strong>")
    put(text: callout.word(document.source).utf8)
    if !callout.title.isEmpty { put(": ") }
    let inlines = document.inlines(of: callout)
    for node in inlines.top { inline(node, inlines) }
    put("</strong></p>\n")
  }

  private mutating func block(_ block: Int, isTight: Bool) {
    switch document.blocks[block].kind {
    case .paragraph where isTight:
      inlines(of: block)
      put("\n")
    // Each block takes its direction from its own text.
    case .paragraph: element("p", block)
    case .heading(let level): element("h\(level)", block)
    case .rule: put("<hr />\n")
    case .quote:
      put("<blockquote>\n")
      if let callout = document.callout(of: block) { title(of: callout) }
      blocks(of: block, isTight: false)
      put("</blockquote>\n")
    case .code:
      put("<pre><code>")
      verbatim(document.lines(of: block))
      put("</code></pre>\n")
    case .html: quiet(document.shownLines(ofHTML: block)[...])
    case .frontMatter: frontMatter(FrontMatter(document, block))
    case .list(let list):
      let tag = list.start == nil ? "ul" : "ol"
      put("<\(tag)\(list.start.map { $0 == 1 ? "" : " start=\"\($0)\"" } ?? "")>\n")
      for item in document.children(of: block) { self.item(item, of: list) }
      put("</\(tag)>\n")
    case .table(let columns): table(block, columns)
    // Footnotes are at the end.
    case .document, .item, .row, .cell, .footnote: break
    }
  }

  /// The texts of all footnotes by their numbers; the first of a number is the target of its marks.
  private mutating func footnotes() {
    var found: [(footnote: MarkdownFootnote, block: Int)] = []
    for (index, block) in document.blocks.enumerated() {
      guard case .footnote(let label) = block.kind,
        let footnote = document.references.footnote(document.source[label])
      else { continue }
      found.append((footnote, index))
    }
    guard !found.isEmpty else { return }
    put("<hr />\n<ol>\n")
    for (footnote, block) in found.sorted(by: { ($0.footnote.number, $0.block) < ($1.footnote.number, $1.block) }) {
      let isTarget = footnote.text == document.blocks[block].range.lowerBound
      put("<li value=\"\(footnote.number)\"\(isTarget ? " id=\"footnote-\(footnote.number)\"" : "") dir=\"auto\">")
      blocks(of: block, isTight: document.children(of: block).count == 1)
      put("</li>\n")
    }
    put("</ol>\n")
  }

  private mutating func element(_ tag: String, _ block: Int) {
    put("<\(tag) dir=\"auto\">")
    inlines(of: block)
    put("</\(tag)>\n")
  }

  private mutating func quiet(_ lines: ArraySlice<MarkdownLine>) {
    guard !lines.isEmpty else { return }
    put("<pre>")
    verbatim(lines)
    put("</pre>\n")
  }

  /// The rows that the app shows, too: a key before its values.
  private mutating func frontMatter(_ matter: FrontMatter) {
    guard !matter.rows.isEmpty else { return }
    put("<pre>")
    for row in matter.rows {
      switch row {
      case .line(let line): verbatim([line])
      case .field(let field):
        put(text: document.source[field.key])
        put(":")
        for (index, value) in field.values.enumerated() {
          put(index == 0 ? " " : ", ")
          put(text: document.source[value])
        }
        put("\n")
      }
    }
    put("</pre>\n")
  }

  private mutating func verbatim(_ lines: ArraySlice<MarkdownLine>) {
    for line in lines {
      put(text: Array(repeating: 0x20, count: line.padding) + document.source[line.range] + [0x0A])
    }
  }

  private mutating func item(_ item: Int, of list: MarkdownList) {
    if case .item(let check?) = document.blocks[item].kind {
      let mark = check.isChecked ? " checked=\"checked\"" : ""
      // A task of an ordered list keeps its number.
      put(
        "<li\(list.start == nil ? " class=\"task\"" : "") dir=\"auto\"><input type=\"checkbox\" disabled=\"disabled\"\(mark) />\n"
      )
    } else {
      put("<li dir=\"auto\">")
    }
    blocks(of: item, isTight: list.isTight)
    put("</li>\n")
  }

  private mutating func table(_ table: Int, _ columns: [MarkdownAlignment]) {
    put("<div class=\"scroll\"><table>\n")
    for (index, row) in document.children(of: table).enumerated() {
      put("<tr>")
      let cells = document.children(of: row)
      let tag = index == 0 ? "th" : "td"
      for (cell, alignment) in zip(cells, columns) {
        put("<\(tag) dir=\"auto\"\(alignment == .none ? "" : " class=\"\(alignment)\"")>")
        inlines(of: cell)
        put("</\(tag)>")
      }
      // One cell stands for all that a short row lacks: a wide head would otherwise multiply with many short rows.
      if cells.count < columns.count { put("<\(tag) colspan=\"\(columns.count - cells.count)\"></\(tag)>") }
      put("</tr>\n")
    }
    put("</table></div>\n")
  }

  // MARK: - Inlines

  private mutating func inlines(of block: Int) {
    let inlines = document.shownInlines(of: block)
    for node in inlines.top { inline(node, inlines) }
  }

  private mutating func children(of node: Int, _ inlines: MarkdownInlines) {
    for child in inlines.children(of: node) { inline(child, inlines) }
  }

  private mutating func element(_ tag: String, _ node: Int, _ inlines: MarkdownInlines, end: String? = nil) {
    put("<\(tag)>")
    children(of: node, inlines)
    put("</\(end ?? tag)>")
  }

  private mutating func inline(_ node: Int, _ inlines: MarkdownInlines) {
    let value = inlines.nodes[node]
    switch value.kind {
    case .text: put(text: document.source[value.range])
    case .character(let text): put(text: text.utf8)
    case .softBreak: put("\n")
    case .hardBreak: put("<br />\n")
    case .code, .math: element("code", node, inlines)
    case .emphasis: element("em", node, inlines)
    case .strong: element("strong", node, inlines)
    case .strikethrough: element("del", node, inlines)
    case .highlight: element("mark", node, inlines)
    case .link(let target), .autolink(let target): link(target.destination, node, inlines)
    case .image(let target): picture(target.destination, node, inlines)
    case .wikiImage(let path): picture(path, node, inlines)
    case .wikiLink(let name): link(name, isName: true, node, inlines)
    case .tag:
      put("<span class=\"tag\">")
      put(text: document.source[value.range])
      put("</span>")
    case .footnote(let footnote):
      let mark = "[\(footnote.number)]"
      put(isInLink ? mark : "<a href=\"#footnote-\(footnote.number)\">\(mark)</a>")
    case .html: children(of: node, inlines)
    }
  }

  private mutating func link(_ target: String, isName: Bool = false, _ node: Int, _ inlines: MarkdownInlines) {
    let address = isName ? nil : LinkAddress(target)?.text
    guard !isInLink, takes(target), let shown = address ?? page(target, isName) else {
      return element("span class=\"other\"", node, inlines, end: "span")
    }
    isInLink = true
    put(address == nil ? "<a href=\"" : "<a rel=\"noopener noreferrer nofollow\" href=\"")
    put(text: shown.utf8)
    put("\">")
    children(of: node, inlines)
    put("</a>")
    isInLink = false
  }

  private mutating func picture(_ path: String, _ node: Int, _ inlines: MarkdownInlines) {
    put("<span class=\"picture\">")
    if !inlines.children(of: node).isEmpty {
      children(of: node, inlines)
    } else if takes(path) {
      put(text: path.utf8)
    }
    put("</span>")
  }

  /// True if there is still room for a target's bytes, which it takes.
  private mutating func takes(_ target: String) -> Bool {
    let bytes = target.utf8.count
    guard bytes <= targetBytes else { return false }
    targetBytes -= bytes
    return true
  }
}
