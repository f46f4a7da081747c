internal import TextUI

/// Running text.
extension MarkdownLayout {
  /// The lines of a block of inlines, filled to a width.
  mutating func filled(_ block: Int, role: Role, width: Int) -> [[StyledRun]] {
    let inlines = document.shownInlines(of: block)
    var wrap = WordWrap(width: width)
    for node in inlines.top { add(node, inlines, Look(role: role), &wrap) }
    return wrap.finish()
  }

  /// The kind and the title of a callout, filled to the room.
  mutating func filled(_ callout: MarkdownCallout) -> [[StyledRun]] {
    var wrap = WordWrap(width: room)
    let look = Look(role: .quote, attributes: .bold)
    let source = base + callout.kind.lowerBound
    let mark = callout.word(document.source) + (callout.title.isEmpty ? "" : ": ")
    wrap.add(Array(mark.utf8)[...], look, source, isVerbatim: false)
    let inlines = document.inlines(of: callout)
    for node in inlines.top { add(node, inlines, look, &wrap) }
    return wrap.finish()
  }

  /// The keys and values of front matter, quiet; its tags can be followed.
  mutating func frontMatter(_ block: Int) {
    for row in FrontMatter(document, block).rows {
      switch row {
      case .line(let line): verbatim(block, [line], role: .dim)
      case .field(let field):
        var wrap = WordWrap(width: room)
        wrap.add(document.source[field.key], Look(role: .dim), base + field.key.lowerBound)
        wrap.add([UInt8(ascii: ":")], Look(role: .dim), base + field.key.upperBound)
        for (index, value) in field.values.enumerated() {
          let before = index == 0 ? " " : ", "
          wrap.add(Array(before.utf8)[...], Look(role: .dim), base + value.lowerBound, isVerbatim: false)
          var look = Look(role: .dim)
          if field.hasTags {
            look = follow(.tag(String(decoding: document.source[value], as: UTF8.self)), value, look)
            look.role = .tag
          }
          wrap.add(document.source[value], look, base + value.lowerBound)
        }
        let start = base + field.key.lowerBound
        for (index, line) in wrap.finish().enumerated() { emit(line, start: index == 0 ? start : line.start ?? start) }
      }
    }
  }

  /// The look of text within other inlines.
  struct Look {
    var role: Role
    var attributes: Style.Attributes = []
    var link: Int?
  }

  private mutating func add(_ node: Int, _ inlines: MarkdownInlines, _ look: Look, _ wrap: inout WordWrap) {
    let value = inlines.nodes[node]
    let source = base + value.range.lowerBound
    var look = look
    switch value.kind {
    case .text: wrap.add(document.source[value.range], look, source)
    case .character(let text):
      wrap.add(Array(text.utf8)[...], look, source, isVerbatim: false, count: value.range.count)
    case .softBreak: wrap.add([0x20], look, source, isVerbatim: false)
    case .hardBreak: wrap.breakLine()
    case .emphasis, .strong, .strikethrough:
      if value.kind == .emphasis { look.attributes.insert(.italic) }
      if value.kind == .strong { look.attributes.insert(.bold) }
      if value.kind == .strikethrough { look.attributes.formUnion([.strikethrough, .dim]) }
      children(of: node, inlines, look, &wrap)
    case .highlight:
      look.role = .match
      children(of: node, inlines, look, &wrap)
    case .code, .math:
      look.role = .code
      children(of: node, inlines, look, &wrap)
    case .link(let target):
      look = follow(.address(target.destination), value.range, look)
      children(of: node, inlines, look, &wrap)
      if options.writesAddresses { add(address: target.destination, source, &wrap) }
    case .autolink(let target):
      look = follow(.address(target.destination), value.range, look)
      children(of: node, inlines, look, &wrap)
    case .wikiLink(let note):
      look = follow(.note(note), value.range, look)
      children(of: node, inlines, look, &wrap)
    case .footnote(let footnote):
      look = follow(.place(footnote.text), value.range, look)
      wrap.add(Array("[\(footnote.number)]".utf8)[...], look, source, isVerbatim: false)
    case .image(let target): add(picture: target.destination, node, inlines, look, &wrap)
    case .wikiImage(let path): add(picture: path, node, inlines, look, &wrap)
    case .tag(let tag):
      look = follow(.tag(tag), value.range, look)
      look.role = .tag
      wrap.add(document.source[value.range], look, source)
    case .html:
      look.role = .dim
      children(of: node, inlines, look, &wrap)
    }
  }

  private mutating func children(of node: Int, _ inlines: MarkdownInlines, _ look: Look, _ wrap: inout WordWrap) {
    for child in inlines.children(of: node) { add(child, inlines, look, &wrap) }
  }

  /// The look of a link. A picture within a link belongs to the link.
  private mutating func follow(_ kind: MarkdownLink.Kind, _ source: Range<Int>, _ look: Look) -> Look {
    var look = look
    if look.link == nil {
      let range = (base + source.lowerBound)..<(base + source.upperBound)
      links.append(MarkdownLink(kind: kind, range: range))
      look.link = links.count - 1
    }
    look.role = .link
    return look
  }

  private mutating func add(
    picture path: String, _ node: Int, _ inlines: MarkdownInlines, _ look: Look, _ wrap: inout WordWrap
  ) {
    let value = inlines.nodes[node]
    let source = base + value.range.lowerBound
    var address = path
    if case .wikiImage = value.kind { address = Self.address(of: path) }
    let look = follow(.picture(address), value.range, look)
    wrap.add(Array((options.marks.picture + " ").utf8)[...], look, source, isVerbatim: false)
    let isNamed = value.range.count > path.utf8.count && value.firstChild >= 0
    children(of: node, inlines, look, &wrap)
    if isNamed, case .image = value.kind { add(address: path, source, &wrap) }
    if value.firstChild < 0 { wrap.add(Array(path.utf8)[...], look, source, isVerbatim: false) }
  }

  /// A path as an address writes it: `![[a#1.jpg]]` names a file with these very characters.
  static func address(of path: String) -> String {
    var address = ""
    for character in path {
      switch character {
      case "%": address += "%25"
      case "#": address += "%23"
      case ":": address += "%3A"
      case "?": address += "%3F"
      default: address.append(character)
      }
    }
    return address
  }

  private func add(address: String, _ source: Int, _ wrap: inout WordWrap) {
    guard !address.isEmpty else { return }
    wrap.add(Array(" (\(address))".utf8)[...], Look(role: .dim), source, isVerbatim: false)
  }
}

extension WordWrap {
  fileprivate mutating func add(
    _ text: ArraySlice<UInt8>, _ look: MarkdownLayout.Look, _ source: Int, isVerbatim: Bool = true,
    count: Int = 1
  ) {
    add(
      text, from: source, role: look.role, attributes: look.attributes, link: look.link, isVerbatim: isVerbatim,
      count: count)
  }
}
