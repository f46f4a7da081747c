public import TextUI

/// The YAML at the start of a note as far as people write it: keys with a text or a list of texts. Everything else, and what is
/// no YAML, stays a line as it is: no text is lost. Offsets are bytes of the document's source.
public struct FrontMatter: Sendable {
  public struct Field: Sendable, Equatable {
    /// Without its quotes.
    public let key: Range<Int>
    /// Without quotes, brackets and hyphens; none for a key alone.
    public let values: [Range<Int>]
    /// True if each value is a tag, without its number sign.
    public let hasTags: Bool
  }

  public enum Row: Sendable, Equatable {
    case field(Field)
    case line(MarkdownLine)
  }

  /// More lines are shown as they are.
  public static let mostLines = 1000
  private static let longestKey = 200

  private let source: [UInt8]
  public private(set) var rows: [Row] = []

  init(_ document: MarkdownDocument, _ block: Int) {
    source = document.source
    let lines = Array(document.lines(of: block))
    let isYAML = source[document.blocks[block].range].first == UInt8(ascii: "-")
    guard isYAML, lines.count <= Self.mostLines else {
      rows = lines.map { .line($0) }
      return
    }
    var start = 0
    while start < lines.count {
      var end = start + 1
      while end < lines.count, belongsToEntry(lines[end].range) { end += 1 }
      let entry = lines[start..<end]
      if let field = field(entry) { rows.append(.field(field)) } else { rows += entry.map { .line($0) } }
      start = end
    }
  }

  /// The tags of all fields, in order.
  public var tags: [String] {
    rows.flatMap { row in
      guard case .field(let field) = row, field.hasTags else { return [String]() }
      return field.values.map { String(decoding: source[$0], as: UTF8.self) }
    }
  }

  // MARK: - Entries

  /// True for a line that goes on with the key above it: an item of its list, an indented line, a blank one.
  private func belongsToEntry(_ line: Range<Int>) -> Bool {
    guard let first = source[line].first else { return true }
    return first.isMarkdownBlank || item(line) != nil
  }

  private func field(_ entry: ArraySlice<MarkdownLine>) -> Field? {
    guard let line = entry.first?.range, let (key, rest) = key(of: line) else { return nil }
    let below = entry.dropFirst().map(\.range).filter { !trimmed($0).isEmpty }
    let value = trimmed(rest)
    let values: [Range<Int>?]
    if value.isEmpty {
      values = below.map { item($0).flatMap(scalar) }
    } else {
      guard below.isEmpty else { return nil }
      values = source[value.lowerBound] == UInt8(ascii: "[") ? items(inBrackets: value) : [scalar(value)]
    }
    let known = values.compactMap { $0 }
    guard known.count == values.count else { return nil }
    guard ["tags", "tag"].contains(String(decoding: source[key], as: UTF8.self).lowercased()) else {
      return Field(key: key, values: known, hasTags: false)
    }
    let isText = !value.isEmpty && source[value.lowerBound] != UInt8(ascii: "[")
    let tags = isText ? known.flatMap(words) : known
    return Field(key: key, values: tags.map(withoutSign).filter { !$0.isEmpty }, hasTags: true)
  }

  /// The key at the start of a line, and what is behind its colon.
  private func key(of line: Range<Int>) -> (key: Range<Int>, rest: Range<Int>)? {
    let most = min(line.upperBound, line.lowerBound + Self.longestKey)
    guard let first = source[line].first, most > line.lowerBound else { return nil }
    if isQuote(first) {
      guard let end = source[(line.lowerBound + 1)..<most].firstIndex(of: first), end > line.lowerBound + 1,
        isColon(end + 1, line)
      else { return nil }
      return ((line.lowerBound + 1)..<end, (end + 2)..<line.upperBound)
    }
    guard first.isAlphanumeric || first >= 0x80 || first == UInt8(ascii: "_"),
      let colon = (line.lowerBound..<most).first(where: { isColon($0, line) })
    else { return nil }
    return (trimmed(line.lowerBound..<colon), (colon + 1)..<line.upperBound)
  }

  private func isColon(_ index: Int, _ line: Range<Int>) -> Bool {
    index < line.upperBound && source[index] == UInt8(ascii: ":")
      && (index + 1 == line.upperBound || source[index + 1].isMarkdownBlank)
  }

  // MARK: - Values

  /// The text behind the hyphen of a list's item.
  private func item(_ line: Range<Int>) -> Range<Int>? {
    let text = trimmed(line)
    guard source[text].first == UInt8(ascii: "-") else { return nil }
    let rest = (text.lowerBound + 1)..<text.upperBound
    return source[rest].first?.isMarkdownBlank != false ? trimmed(rest) : nil
  }

  private func items(inBrackets value: Range<Int>) -> [Range<Int>?] {
    guard value.count >= 2, source[value.upperBound - 1] == UInt8(ascii: "]") else { return [nil] }
    let inner = (value.lowerBound + 1)..<(value.upperBound - 1)
    var items: [Range<Int>?] = []
    var start = inner.lowerBound
    // True behind the blanks before an item.
    var hasBegun = false
    var quote: UInt8?
    for index in inner {
      let byte = source[index]
      if quote != nil {
        if byte == quote { quote = nil }
      } else if isQuote(byte), !hasBegun {
        (quote, hasBegun) = (byte, true)
      } else if byte == UInt8(ascii: ",") {
        items.append(scalar(trimmed(start..<index)))
        (start, hasBegun) = (index + 1, false)
      } else if "[]{}".utf8.contains(byte) {
        return [nil]
      } else if !byte.isMarkdownBlank {
        hasBegun = true
      }
    }
    let last = trimmed(start..<inner.upperBound)
    if !last.isEmpty { items.append(scalar(last)) }
    return items
  }

  /// The text of a value on one line; nil for one that needs a whole reader of YAML.
  private func scalar(_ value: Range<Int>) -> Range<Int>? {
    guard let first = source[value].first else { return nil }
    if isQuote(first) {
      let inner = (value.lowerBound + 1)..<max(value.lowerBound + 1, value.upperBound - 1)
      let isWhole = value.count > 1 && source[value.upperBound - 1] == first
      return isWhole && !source[inner].contains { $0 == first || $0 == UInt8(ascii: "\\") } ? inner : nil
    }
    guard !"[]{}&*!|>%@`#".utf8.contains(first), item(value) == nil else { return nil }
    for index in value {
      if isColon(index, value) { return nil }
      if source[index] == UInt8(ascii: "#"), source[index - 1].isMarkdownBlank { return nil }
    }
    return value
  }

  private func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  /// The words of a text between blanks and commas.
  private func words(_ text: Range<Int>) -> [Range<Int>] {
    source[text].split { $0.isMarkdownBlank || $0 == UInt8(ascii: ",") }.map { $0.startIndex..<$0.endIndex }
  }

  private func withoutSign(_ tag: Range<Int>) -> Range<Int> {
    source[tag].first == UInt8(ascii: "#") ? (tag.lowerBound + 1)..<tag.upperBound : tag
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, source[start].isMarkdownBlank { start += 1 }
    while end > start, source[end - 1].isMarkdownBlank { end -= 1 }
    return start..<end
  }
}

extension MarkdownDocument {
  /// The data of other programs at the start of the note; nil without such a block.
  public var frontMatter: FrontMatter? {
    let first = blocks[0].firstChild
    return first >= 0 && blocks[first].kind == .frontMatter ? FrontMatter(self, first) : nil
  }

  /// The tags of a note without their number signs, each once: those of its front matter, then those of its text. Tags that
  /// differ in letter case only are one.
  public static func tags(of text: [UInt8]) -> [String] { tags(of: TextBuffer(text)) }

  public static func tags(of text: TextBuffer) -> [String] {
    var tags: [String] = []
    var known: Set<String> = []
    var parts = MarkdownParts(text)
    while let document = parts.next()?.document {
      let found = (document.frontMatter?.tags ?? []) + document.blocks.indices.flatMap { document.tags(ofBlock: $0) }
      for tag in found where known.insert(tag.lowercased()).inserted { tags.append(tag) }
    }
    return tags
  }

  private func tags(ofBlock block: Int) -> [String] {
    guard lines(of: block).contains(where: { source[$0.range].contains(UInt8(ascii: "#")) }) else { return [] }
    return inlines(of: block).nodes.compactMap { if case .tag(let tag) = $0.kind { tag } else { nil } }
  }
}
