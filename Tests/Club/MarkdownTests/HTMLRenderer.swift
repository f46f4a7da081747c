import Markdown

/// Writes a document as the HTML of the specification's examples.
struct HTMLRenderer {
  private let document: MarkdownDocument
  /// True to write the tags that GitHub does not allow as text.
  private let isFiltered: Bool
  private var html: [UInt8] = []

  static func html(_ document: MarkdownDocument, isFiltered: Bool = false) -> String {
    var renderer = HTMLRenderer(document: document, isFiltered: isFiltered)
    renderer.blocks(of: 0, isTight: false)
    return String(decoding: renderer.html, as: UTF8.self)
  }

  /// HTML without differences that mean nothing: empty lines, and the order of a check box's attributes.
  static func normal(_ html: String) -> String {
    let lines = html.split(separator: "\n").joined(separator: "\n")
    return
      lines
      .replacing("<input disabled=\"\" type=\"checkbox\">", with: "<input type=\"checkbox\" disabled=\"\" />")
      .replacing(
        "<input checked=\"\" disabled=\"\" type=\"checkbox\">",
        with: "<input type=\"checkbox\" checked=\"\" disabled=\"\" />")
  }

  private init(document: MarkdownDocument, isFiltered: Bool) {
    self.document = document
    self.isFiltered = isFiltered
  }

  private mutating func put(_ text: String) { html.append(contentsOf: text.utf8) }

  private mutating func newLine() {
    if let last = html.last, last != 0x0A { html.append(0x0A) }
  }

  private mutating func escaped(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): put("&amp;")
      case UInt8(ascii: "<"): put("&lt;")
      case UInt8(ascii: ">"): put("&gt;")
      case UInt8(ascii: "\""): put("&quot;")
      default: html.append(byte)
      }
    }
  }

  private mutating func blocks(of parent: Int, isTight: Bool) {
    for block in document.children(of: parent) { self.block(block, isTight: isTight) }
  }

  private mutating func block(_ block: Int, isTight: Bool) {
    let value = document.blocks[block]
    switch value.kind {
    case .paragraph where isTight: inlines(of: block)
    case .paragraph:
      newLine()
      put("<p>")
      inlines(of: block)
      put("</p>\n")
    case .heading(let level):
      newLine()
      put("<h\(level)>")
      inlines(of: block)
      put("</h\(level)>\n")
    case .rule:
      newLine()
      put("<hr />\n")
    case .quote:
      newLine()
      put("<blockquote>\n")
      blocks(of: block, isTight: false)
      newLine()
      put("</blockquote>\n")
    case .code(let info):
      newLine()
      let word = info.flatMap { document.source[$0].split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }).first }
      if let word {
        put("<pre><code class=\"language-")
        escaped(MarkdownText.decoded(word).utf8)
        put("\">")
      } else {
        put("<pre><code>")
      }
      for line in document.lines(of: block) {
        escaped(Array(repeating: 0x20, count: line.padding) + document.source[line.range] + [0x0A])
      }
      put("</code></pre>\n")
    case .html:
      newLine()
      for line in document.lines(of: block) {
        raw(Array(repeating: 0x20, count: line.padding) + document.source[line.range] + [0x0A])
      }
    case .list(let list):
      newLine()
      put(list.start == nil ? "<ul>\n" : list.start == 1 ? "<ol>\n" : "<ol start=\"\(list.start ?? 1)\">\n")
      for item in document.children(of: block) { self.item(item, isTight: list.isTight) }
      put(list.start == nil ? "</ul>\n" : "</ol>\n")
    case .table(let columns): table(block, columns)
    case .document, .item, .row, .cell, .frontMatter, .footnote: break
    }
  }

  private mutating func item(_ item: Int, isTight: Bool) {
    newLine()
    put("<li>")
    if case .item(let check?) = document.blocks[item].kind {
      put("<input type=\"checkbox\"\(check.isChecked ? " checked=\"\"" : "") disabled=\"\" /> ")
    }
    blocks(of: item, isTight: isTight)
    put("</li>\n")
  }

  private mutating func table(_ table: Int, _ columns: [MarkdownAlignment]) {
    newLine()
    put("<table>\n<thead>\n")
    let rows = document.children(of: table)
    for (index, row) in rows.enumerated() {
      if index == 1 { put("<tbody>\n") }
      put("<tr>\n")
      let cells = document.children(of: row)
      for (column, alignment) in columns.enumerated() {
        let tag = index == 0 ? "th" : "td"
        put("<\(tag)\(alignment == .none ? "" : " align=\"\(alignment)\"")>")
        if column < cells.count { inlines(of: cells[column]) }
        put("</\(tag)>\n")
      }
      put("</tr>\n")
      if index == 0 { put("</thead>\n") }
    }
    if rows.count > 1 { put("</tbody>\n") }
    put("</table>\n")
  }

  private mutating func inlines(of block: Int) {
    let inlines = document.inlines(of: block)
    for node in inlines.top { inline(node, inlines, isAlt: false) }
  }

  private mutating func children(of node: Int, _ inlines: MarkdownInlines, isAlt: Bool = false) {
    for child in inlines.children(of: node) { inline(child, inlines, isAlt: isAlt) }
  }

  private mutating func wrapped(_ tag: String, _ node: Int, _ inlines: MarkdownInlines, isAlt: Bool) {
    if !isAlt { put("<\(tag)>") }
    children(of: node, inlines, isAlt: isAlt)
    if !isAlt { put("</\(tag)>") }
  }

  private mutating func inline(_ node: Int, _ inlines: MarkdownInlines, isAlt: Bool) {
    let value = inlines.nodes[node]
    switch value.kind {
    case .text: escaped(document.source[value.range])
    case .character(let text): escaped(text.utf8)
    case .softBreak: put(isAlt ? " " : "\n")
    case .hardBreak: put(isAlt ? " " : "<br />\n")
    case .code:
      if !isAlt { put("<code>") }
      for child in inlines.children(of: node) {
        if inlines.nodes[child].kind == .softBreak {
          put(" ")
        } else {
          escaped(document.source[inlines.nodes[child].range])
        }
      }
      if !isAlt { put("</code>") }
    case .emphasis: wrapped("em", node, inlines, isAlt: isAlt)
    case .strong: wrapped("strong", node, inlines, isAlt: isAlt)
    case .strikethrough: wrapped("del", node, inlines, isAlt: isAlt)
    case .link(let target), .autolink(let target):
      if !isAlt { link("<a href=\"", target) }
      if !isAlt { put(">") }
      children(of: node, inlines, isAlt: isAlt)
      if !isAlt { put("</a>") }
    case .image(let target):
      if isAlt { return children(of: node, inlines, isAlt: true) }
      put("<img src=\"")
      escaped(Self.address(target.destination).utf8)
      put("\" alt=\"")
      children(of: node, inlines, isAlt: true)
      put("\"")
      if let title = target.title {
        put(" title=\"")
        escaped(title.utf8)
        put("\"")
      }
      put(" />")
    case .html:
      if isAlt { return escaped(document.source[value.range]) }
      raw(
        inlines.children(of: node).flatMap { child in
          inlines.nodes[child].kind == .softBreak ? [0x0A] : Array(document.source[inlines.nodes[child].range])
        })
    case .wikiLink, .wikiImage, .tag, .footnote, .highlight, .math: children(of: node, inlines, isAlt: isAlt)
    }
  }

  private mutating func link(_ start: String, _ target: MarkdownTarget) {
    put(start)
    escaped(Self.address(target.destination).utf8)
    put("\"")
    if let title = target.title {
      put(" title=\"")
      escaped(title.utf8)
      put("\"")
    }
  }

  /// Raw HTML, without the tags that GitHub does not allow.
  private mutating func raw(_ bytes: [UInt8]) {
    guard isFiltered else { return html.append(contentsOf: bytes) }
    let names = ["title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext"]
    for (index, byte) in bytes.enumerated() {
      let rest = String(decoding: bytes[(index + 1)...].prefix(12), as: UTF8.self).lowercased()
      let isTag = byte == UInt8(ascii: "<") && names.contains { rest.hasPrefix($0) || rest.hasPrefix("/" + $0) }
      if isTag { put("&lt;") } else { html.append(byte) }
    }
  }

  /// An address as an attribute has it: spaces and bytes beyond ASCII in percent.
  private static func address(_ text: String) -> String {
    var address = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      if byte < 0x80, scalar.properties.isAlphabetic || "0123456789-_.+!*'(),%#@?=;:/,+&$~".utf8.contains(byte) {
        address.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        address += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return address
  }
}
