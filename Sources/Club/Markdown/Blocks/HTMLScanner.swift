/// Raw HTML: where it begins and ends. Nothing of it is interpreted.
enum HTMLScanner {
  private static let blockNames: Set<String> = [
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup",
    "dd",
    "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame",
    "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link",
    "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "section", "source",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
  ]
  /// The numbers of the conditions by which a comment and a tag alone on its line are a block.
  static let (comment, tagAlone): (UInt8, UInt8) = (2, 7)
  private static let verbatimNames = ["script", "pre", "style"]

  /// The number of the specification's condition (1 to 7) by which an HTML block begins with a line.
  static func condition(_ source: [UInt8], _ line: Range<Int>, interruptsText: Bool) -> UInt8? {
    let next = line.lowerBound + 1
    guard next < line.upperBound else { return nil }
    switch source[next] {
    case UInt8(ascii: "?"): return 3
    case UInt8(ascii: "!"):
      if starts("!--", source, next..<line.upperBound) { return comment }
      if starts("![CDATA[", source, next..<line.upperBound) { return 5 }
      return next + 1 < line.upperBound && (0x41...0x5A).contains(source[next + 1]) ? 4 : nil
    default: break
    }
    let isClosing = source[next] == UInt8(ascii: "/")
    let start = isClosing ? next + 1 : next
    var end = start
    while end < line.upperBound, source[end].isAlphanumeric { end += 1 }
    let name = String(decoding: source[start..<end].prefix(12).map(\.lowercased), as: UTF8.self)
    let after = end < line.upperBound ? source[end] : 0x0A
    if !isClosing, verbatimNames.contains(name), after.isMarkdownSpace || after == UInt8(ascii: ">") { return 1 }
    if blockNames.contains(name) {
      let isEmpty = after == UInt8(ascii: "/") && end + 1 < line.upperBound && source[end + 1] == UInt8(ascii: ">")
      if after.isMarkdownSpace || after == UInt8(ascii: ">") || isEmpty { return 6 }
    }
    guard !interruptsText, let tag = tag(source, line) else { return nil }
    return source[tag..<line.upperBound].allSatisfy(\.isMarkdownSpace) ? tagAlone : nil
  }

  /// True if a line ends the HTML block of a condition.
  static func ends(_ condition: UInt8, _ source: [UInt8], _ line: Range<Int>) -> Bool {
    switch condition {
    case 1:
      contains("</script>", source, line) || contains("</pre>", source, line) || contains("</style>", source, line)
    case comment: contains("-->", source, line)
    case 3: contains("?>", source, line)
    case 4: contains(">", source, line)
    case 5: contains("]]>", source, line)
    default: false
    }
  }

  /// True for the tag `br` and nothing else.
  static func isBreak(_ source: [UInt8], _ line: Range<Int>) -> Bool {
    guard let start = line.first(where: { !source[$0].isMarkdownSpace }),
      starts("<br", source, start..<line.upperBound), let end = tag(source, start..<line.upperBound)
    else { return false }
    let after = source[start + 3]
    guard !after.isAlphanumeric, after != UInt8(ascii: "-") else { return false }
    return source[end..<line.upperBound].allSatisfy(\.isMarkdownSpace)
  }

  /// The end of an opening or closing tag that begins with the range.
  static func tag(_ source: [UInt8], _ range: Range<Int>) -> Int? {
    let end = range.upperBound
    var index = range.lowerBound + 1
    guard index < end else { return nil }
    let isClosing = source[index] == UInt8(ascii: "/")
    if isClosing { index += 1 }
    guard index < end, source[index].isLetter else { return nil }
    while index < end, source[index].isAlphanumeric || source[index] == UInt8(ascii: "-") { index += 1 }
    if isClosing {
      skipSpaces(source, &index, end)
      return index < end && source[index] == UInt8(ascii: ">") ? index + 1 : nil
    }
    while index < end {
      let before = index
      skipSpaces(source, &index, end)
      guard index < end else { return nil }
      if source[index] == UInt8(ascii: ">") { return index + 1 }
      if source[index] == UInt8(ascii: "/") {
        return index + 1 < end && source[index + 1] == UInt8(ascii: ">") ? index + 2 : nil
      }
      guard index > before, attribute(source, &index, end) else { return nil }
    }
    return nil
  }

  private static func attribute(_ source: [UInt8], _ index: inout Int, _ end: Int) -> Bool {
    let first = source[index]
    guard first.isLetter || first == UInt8(ascii: "_") || first == UInt8(ascii: ":") else { return false }
    while index < end, source[index].isAlphanumeric || "_:.-".utf8.contains(source[index]) { index += 1 }
    var value = index
    skipSpaces(source, &value, end)
    guard value < end, source[value] == UInt8(ascii: "=") else { return true }
    value += 1
    skipSpaces(source, &value, end)
    guard value < end else { return false }
    let quote = source[value]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      value += 1
      while value < end, source[value] != quote { value += 1 }
      guard value < end else { return false }
      index = value + 1
      return true
    }
    let start = value
    while value < end, !source[value].isMarkdownSpace, !"\"'=<>`".utf8.contains(source[value]) { value += 1 }
    index = value
    return value > start
  }

  private static func skipSpaces(_ source: [UInt8], _ index: inout Int, _ end: Int) {
    while index < end, source[index].isMarkdownSpace { index += 1 }
  }

  static func starts(_ word: StaticString, _ source: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count >= word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in
      for (index, byte) in word.enumerated() where source[range.lowerBound + index].lowercased != byte.lowercased {
        return false
      }
      return true
    }
  }

  static func contains(_ word: StaticString, _ source: [UInt8], _ range: Range<Int>) -> Bool {
    find(word, source, range) != nil
  }

  /// The end of the first occurrence of an ASCII word, in any case of letters.
  static func find(_ word: StaticString, _ source: [UInt8], _ range: Range<Int>) -> Int? {
    let length = word.utf8CodeUnitCount
    var index = range.lowerBound
    while index + length <= range.upperBound {
      if starts(word, source, index..<range.upperBound) { return index + length }
      index += 1
    }
    return nil
  }
}
