/// The place that a link leads to, as the note writes it, with escapes and entities decoded.
public struct MarkdownTarget: Sendable, Hashable {
  public var destination: String
  public var title: String?

  public init(_ destination: String, title: String? = nil) {
    self.destination = destination
    self.title = title
  }
}

/// A footnote of a note.
public struct MarkdownFootnote: Sendable, Hashable {
  /// From 1.
  public let number: Int
  /// The source offset of its text.
  public let text: Int
  /// The source offset of its first mark; nil without one.
  public let mark: Int?
}

/// The targets that `[label]: address` lines name, and the footnotes.
public struct MarkdownReferences: Sendable {
  /// Labels beyond this length are text.
  static let longestLabel = 999

  private(set) var targets: [String: MarkdownTarget] = [:]
  private(set) var footnotes: [String: MarkdownFootnote] = [:]

  public init() {}

  /// Adds all footnotes of a note: their labels and source offsets, and those of their marks.
  mutating func add(
    footnotes texts: [(label: ArraySlice<UInt8>, start: Int)], marks: [(label: ArraySlice<UInt8>, start: Int)]
  ) {
    var places: [String: Int] = [:]
    for text in texts {
      if let name = Self.folded(text.label), places[name] == nil { places[name] = text.start }
    }
    func add(_ label: ArraySlice<UInt8>, mark: Int?) {
      guard let name = Self.folded(label), let place = places[name], footnotes[name] == nil else { return }
      footnotes[name] = MarkdownFootnote(number: footnotes.count + 1, text: place, mark: mark)
    }
    for mark in marks { add(mark.label, mark: mark.start) }
    for text in texts { add(text.label, mark: nil) }
  }

  /// The footnote of a label without its `^`.
  func footnote(_ label: ArraySlice<UInt8>) -> MarkdownFootnote? {
    footnotes.isEmpty ? nil : Self.folded(label).flatMap { footnotes[$0] }
  }

  subscript(label: ArraySlice<UInt8>) -> MarkdownTarget? {
    targets.isEmpty || label.count > Self.longestLabel ? nil : Self.folded(label).flatMap { targets[$0] }
  }

  /// The label by which definitions and links find each other; nil for a label of spaces.
  static func folded(_ label: ArraySlice<UInt8>) -> String? {
    var text = String.UnicodeScalarView()
    for word in label.split(whereSeparator: \.isMarkdownSpace) {
      if !text.isEmpty { text.append(" ") }
      for scalar in String(decoding: word, as: UTF8.self).unicodeScalars {
        for small in scalar.properties.lowercaseMapping.unicodeScalars {
          text.append(contentsOf: small.properties.uppercaseMapping.unicodeScalars)
        }
      }
    }
    return text.isEmpty ? nil : String(text)
  }

  /// Takes the definitions that a paragraph begins with; returns the number of bytes that they use, whole lines, and the
  /// places of their targets.
  mutating func takeDefinitions(from bytes: [UInt8]) -> (used: Int, targets: [Range<Int>]) {
    var used = 0
    var targets: [Range<Int>] = []
    while used < bytes.count, bytes[used] == UInt8(ascii: "["), let found = takeDefinition(bytes, at: used) {
      used = found.end
      targets.append(found.target)
    }
    return (used, targets)
  }

  private mutating func takeDefinition(_ bytes: [UInt8], at start: Int) -> (target: Range<Int>, end: Int)? {
    let scanner = LinkScanner(bytes)
    guard let label = scanner.label(at: start), label.end < bytes.count, bytes[label.end] == UInt8(ascii: ":"),
      let name = Self.folded(bytes[label.text])
    else { return nil }
    let place = scanner.skipSpaces(from: label.end + 1)
    guard let destination = scanner.destination(at: place), destination.end > place else { return nil }
    var end = scanner.lineEnd(from: destination.end)
    var title: String?
    let gap = scanner.skipSpaces(from: destination.end)
    if gap > destination.end, let found = scanner.title(at: gap), let titleEnd = scanner.lineEnd(from: found.end) {
      title = InlineText.decoded(bytes[found.text])
      end = titleEnd
    }
    guard let end else { return nil }
    if targets[name] == nil {
      targets[name] = MarkdownTarget(InlineText.decoded(bytes[destination.text]), title: title)
    }
    return (destination.text, end)
  }
}
