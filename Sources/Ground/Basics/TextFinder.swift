/// Finds words in names and texts: the search of the command line, of the app and of the server.
public struct TextFinder: Sendable, Hashable {
  public struct Match: Sendable, Hashable {
    /// The lines with all the words; if there are none, the lines with one of them.
    public let lines: [Line]
  }

  public struct Line: Sendable, Hashable {
    /// From 1.
    public let number: Int
    public let text: String
    /// The number of characters before the first word.
    public let start: Int
  }

  /// Folded (`SearchFold`).
  public let words: [[UInt8]]
  /// Folded words that neither a name nor a text may have.
  private let without: [[UInt8]]
  /// True if no word is needed.
  private let matchesAll: Bool

  /// All words of `text`, separated by white space, must be found.
  public init(_ text: some StringProtocol) {
    words = text.split(whereSeparator: \.isWhitespace).map { SearchFold.folded($0) }.filter { !$0.isEmpty }
    (without, matchesAll) = ([], false)
  }

  /// Each of `phrases` must be found whole, with its spaces, and none of `without`. Without any, all texts match.
  public init(phrases: [String], without: [String] = []) {
    words = phrases.map { SearchFold.folded($0) }.filter { !$0.isEmpty }
    self.without = without.map { SearchFold.folded($0) }.filter { !$0.isEmpty }
    matchesAll = words.isEmpty
  }

  /// True without words; then nothing matches.
  public var isEmpty: Bool { words.isEmpty && !matchesAll }

  public func matches(_ name: some StringProtocol) -> Bool {
    let name = SearchFold.folded(name)
    return !isEmpty && words.allSatisfy { TextFinder.contains(name[...], $0) }
  }

  /// True if the bytes can be searched: text has no NUL.
  public static func isText(_ bytes: [UInt8]) -> Bool { !contains(bytes[...], [0]) }

  /// The matches in a note; nil unless each word is in its name or text, and none of those that it must not have.
  public func match(name: some StringProtocol, text: [UInt8]) -> Match? {
    guard !isEmpty else { return nil }
    let name = SearchFold.folded(name)
    let missing = words.filter { !TextFinder.contains(name[...], $0) }
    let folded = SearchFold.folded(text[...])
    guard missing.allSatisfy({ TextFinder.contains(folded[...], $0) }),
      !without.contains(where: { TextFinder.contains(name[...], $0) || TextFinder.contains(folded[...], $0) })
    else { return nil }
    return Match(lines: lines(of: text, folded))
  }

  /// Folding keeps line feeds, so both texts have the same lines.
  private func lines(of text: [UInt8], _ folded: [UInt8]) -> [Line] {
    let counted = words.filter { TextFinder.contains(folded[...], $0) }
    guard !counted.isEmpty else { return [] }
    var found: [(line: Line, hasAll: Bool)] = []
    var start = text.startIndex
    for (index, line) in folded.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let end = text[start...].firstIndex(of: 0x0A) ?? text.endIndex
      defer { start = min(end + 1, text.endIndex) }
      let count = words.count { TextFinder.contains(line, $0) }
      guard count > 0 else { continue }
      var bare = text[start..<end]
      if bare.last == 0x0D { bare = bare.dropLast() }
      let shown = String(decoding: bare, as: UTF8.self)
      found.append((Line(number: index + 1, text: shown, start: place(in: shown)), count == words.count))
    }
    let best = found.contains(where: \.hasAll) ? found.filter(\.hasAll) : found
    return best.map(\.line)
  }

  private func place(in line: String) -> Int {
    let folded = FoldedText(Array(line.utf8))
    guard let first = words.compactMap({ ByteSearch($0).first(in: folded.bytes[...]) }).min() else { return 0 }
    let place = folded.place(of: first)
    var end = 0
    for (number, character) in line.enumerated() {
      end += character.utf8.count
      if end > place { return number }
    }
    return 0
  }

  private static func contains(_ bytes: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
    ByteSearch(word).first(in: bytes) != nil
  }

  /// True if each word is in a name or, by its place in `words`, in the text.
  public func canMatch(name: ArraySlice<UInt8>, hasWord: (Int) -> Bool) -> Bool {
    if words.indices.allSatisfy(hasWord) { return !isEmpty }
    let name = SearchFold.folded(name)
    return words.indices.allSatisfy { hasWord($0) || TextFinder.contains(name[...], words[$0]) }
  }
}
