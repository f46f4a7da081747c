/// Parses the running text of a block by the delimiter stack of the CommonMark specification. The time is linear in the
/// length of the text, whatever it repeats.
struct InlineParser {
  struct Delimiter {
    var node: Int
    var mark: UInt8
    var length: Int
    var canOpen: Bool
    var canClose: Bool
    var previous: Int
    var next = -1
  }

  struct Bracket {
    var node: Int
    var isImage: Bool
    var isActive = true
    /// True if another bracket opens behind this one.
    var hasBracketAfter = false
    /// The last delimiter before it.
    var delimiter: Int
    /// The offset behind the bracket.
    var start: Int
  }

  let content: BlockText
  let bytes: [UInt8]
  let options: MarkdownDocument.Options
  let references: MarkdownReferences
  let scanner: LinkScanner
  var inlines = MarkdownInlines()
  var last = -1
  var offset = 0
  var delimiters: [Delimiter] = []
  var lastDelimiter = -1
  var brackets: [Bracket] = []
  /// Indices of the brackets that may still become links.
  var linkBrackets: [Int] = []
  var activeBrackets = 0
  /// Ends of raw HTML that the rest of the text does not contain.
  var missingEnds: Set<UInt8> = []
  /// The last run of backticks of each length; nil until a search for one has failed.
  var lastBackticks: [Int: Int]?

  init(_ content: BlockText, options: MarkdownDocument.Options, references: MarkdownReferences) {
    self.content = content
    bytes = content.bytes
    self.options = options
    self.references = references
    scanner = LinkScanner(bytes)
  }

  mutating func run() -> MarkdownInlines {
    while offset < bytes.count { parseNext() }
    processEmphasis(above: -1)
    brackets = []
    finishTexts()
    return inlines
  }

  private mutating func parseNext() {
    let start = offset
    switch bytes[offset] {
    case 0x0A: parseLineEnd()
    case UInt8(ascii: "`"): parseCode()
    case UInt8(ascii: "\\"): parseEscape()
    case UInt8(ascii: "&"):
      if let entity = InlineText.entity(bytes[...], at: offset) {
        offset = entity.end
        append(.character(entity.characters), start..<offset)
      } else {
        takeText(1)
      }
    case UInt8(ascii: "<"): parseAngle()
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): parseDelimiters(bytes[offset])
    case UInt8(ascii: "="):
      if options.contains(.vaults) { parseDelimiters(bytes[offset]) } else { takeText(1) }
    case UInt8(ascii: "%"): parseComment()
    case UInt8(ascii: "$"): parseMath()
    case UInt8(ascii: "["):
      if !parseFootnote(), !parseWikiLink(isImage: false) { openBracket(isImage: false) }
    case UInt8(ascii: "!"):
      if offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "[") {
        if !parseWikiLink(isImage: true) { openBracket(isImage: true) }
      } else {
        takeText(1)
      }
    case UInt8(ascii: "]"): closeBracket()
    case UInt8(ascii: "w"), UInt8(ascii: "W"), UInt8(ascii: ":"):
      if !parseAddress() { takeText(1) }
    default: takeRun()
    }
  }

  private static let special: [Bool] = {
    var table = Array(repeating: false, count: 256)
    for byte in "\n`\\&<*_~=[!]wW:$%".utf8 { table[Int(byte)] = true }
    return table
  }()

  /// Takes text up to the next byte that may mean something.
  private mutating func takeRun() {
    var end = offset + 1
    while end < bytes.count, !Self.special[Int(bytes[end])] { end += 1 }
    takeText(end - offset)
  }

  mutating func takeText(_ count: Int) {
    let place = offset..<(offset + count)
    offset += count
    // Runs of text become one.
    if last >= 0, inlines.nodes[last].kind == .text, inlines.nodes[last].place.upperBound == place.lowerBound,
      !isDelimiter(last)
    {
      inlines.nodes[last].place = inlines.nodes[last].place.lowerBound..<place.upperBound
      return
    }
    append(.text, place)
  }

  private func isDelimiter(_ node: Int) -> Bool {
    if let bracket = brackets.last, bracket.node == node { return true }
    return lastDelimiter >= 0 && delimiters[lastDelimiter].node == node
  }

  @discardableResult
  mutating func append(_ kind: MarkdownInline.Kind, _ place: Range<Int>) -> Int {
    let node = add(kind, place)
    inlines.nodes[node].previous = last
    if last >= 0 { inlines.nodes[last].next = node } else { inlines.first = node }
    last = node
    return node
  }

  /// Adds a node that is not linked yet.
  mutating func add(_ kind: MarkdownInline.Kind, _ place: Range<Int>) -> Int {
    inlines.nodes.append(MarkdownInline(kind: kind, range: 0..<0, place: place))
    return inlines.nodes.count - 1
  }

  private mutating func parseLineEnd() {
    let newline = offset
    var isHard = false
    if last >= 0, inlines.nodes[last].kind == .text {
      var place = inlines.nodes[last].place
      var end = place.upperBound
      while end > place.lowerBound, bytes[end - 1].isMarkdownBlank { end -= 1 }
      isHard = place.upperBound - end >= 2 && bytes[place.upperBound - 1] == 0x20 && bytes[place.upperBound - 2] == 0x20
      place = place.lowerBound..<end
      inlines.nodes[last].place = place
      if place.isEmpty, !isDelimiter(last) { unlinkLast() }
    }
    offset += 1
    while offset < bytes.count, bytes[offset].isMarkdownBlank { offset += 1 }
    append(isHard ? .hardBreak : .softBreak, newline..<(newline + 1))
  }

  private mutating func unlinkLast() {
    let before = inlines.nodes[last].previous
    if before >= 0 { inlines.nodes[before].next = -1 } else { inlines.first = -1 }
    last = before
  }

  /// Shortens the text before the offset by bytes that belong to an address.
  mutating func takeBack(_ count: Int) {
    var left = count
    while left > 0, last >= 0 {
      let place = inlines.nodes[last].place
      let taken = min(left, place.count)
      inlines.nodes[last].place = place.lowerBound..<(place.upperBound - taken)
      left -= taken
      guard inlines.nodes[last].place.isEmpty else { break }
      unlinkLast()
    }
    offset -= count
  }

  private mutating func parseEscape() {
    let start = offset
    guard offset + 1 < bytes.count else { return takeText(1) }
    if bytes[offset + 1] == 0x0A {
      offset += 2
      while offset < bytes.count, bytes[offset].isMarkdownBlank { offset += 1 }
      append(.hardBreak, start..<(start + 2))
    } else if bytes[offset + 1].isPunctuation {
      offset += 2
      append(.character(String(Unicode.Scalar(bytes[start + 1]))), start..<offset)
    } else {
      takeText(1)
    }
  }

  /// Adds children for the lines of a place: texts, and breaks between them.
  mutating func appendLines(of place: Range<Int>, to node: Int) {
    var start = place.lowerBound
    while start < place.upperBound {
      let end = bytes[start..<place.upperBound].firstIndex(of: 0x0A) ?? place.upperBound
      if end > start { link(add(.text, start..<end), under: node) }
      if end < place.upperBound { link(add(.softBreak, end..<(end + 1)), under: node) }
      start = end + 1
    }
  }

  /// Appends a node to the children of another.
  mutating func link(_ child: Int, under parent: Int) {
    let before = inlines.nodes[parent].lastChild
    inlines.nodes[child].previous = before
    inlines.nodes[child].next = -1
    if before >= 0 { inlines.nodes[before].next = child } else { inlines.nodes[parent].firstChild = child }
    inlines.nodes[parent].lastChild = child
    inlines.nodes[parent].height = max(inlines.nodes[parent].height, inlines.nodes[child].height + 1)
  }
}
