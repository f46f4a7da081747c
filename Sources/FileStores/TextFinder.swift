internal import Glibc

/// Finds words in names and texts: the search of the command line, of the app and of the server.
public struct TextFinder: Sendable, Hashable {
  /// What was found in a name and its text.
  public struct Match: Sendable, Hashable {
    /// The lines that have all the words; when there is none, the lines that have one of them.
    public let lines: [Line]
  }

  /// A line that has words.
  public struct Line: Sendable, Hashable {
    /// From 1.
    public let number: Int
    /// The line, without its end.
    public let text: String
    /// How many characters stand before the first word.
    public let start: Int
  }

  /// The words, folded by `SearchFold`.
  private let words: [[UInt8]]

  /// All words of `text`, which white space separates, must be found.
  public init(_ text: some StringProtocol) {
    words = text.split(whereSeparator: \.isWhitespace).map { SearchFold.folded($0) }.filter { !$0.isEmpty }
  }

  /// Whether there is nothing to find; nothing matches then.
  public var isEmpty: Bool { words.isEmpty }

  /// Whether a name has all the words.
  public func matches(_ name: some StringProtocol) -> Bool {
    let name = SearchFold.folded(name)
    return !isEmpty && words.allSatisfy { TextFinder.contains(name[...], $0) }
  }

  /// Whether bytes can be searched: a NUL is in no text.
  public static func isText(_ bytes: [UInt8]) -> Bool { !contains(bytes[...], [0]) }

  /// What is found in a note: each word must be in its name or anywhere in its text. Nil when one is missing.
  public func match(name: some StringProtocol, text: [UInt8]) -> Match? {
    guard !isEmpty else { return nil }
    let name = SearchFold.folded(name)
    let missing = words.filter { !TextFinder.contains(name[...], $0) }
    let folded = SearchFold.folded(text[...])
    guard missing.allSatisfy({ TextFinder.contains(folded[...], $0) }) else { return nil }
    return Match(lines: lines(of: text, folded))
  }

  /// Folding leaves line feeds as they are, so that both have the same lines.
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

  /// How many characters of a line stand before the first word.
  private func place(in line: String) -> Int {
    var folded: [UInt8] = []
    var ends: [Int] = []
    for character in line {
      folded += SearchFold.folded(String(character))
      ends.append(folded.count)
    }
    let first = words.compactMap { TextFinder.offset(of: $0, in: folded[...]) }.min() ?? 0
    return ends.firstIndex { $0 > first } ?? 0
  }

  private static func contains(_ bytes: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
    offset(of: word, in: bytes) != nil
  }

  private static func offset(of word: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = word.first else { return nil }
    return bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var from = 0
      while bytes.count - from >= word.count {
        guard let hit = memchr(base + from, Int32(first), bytes.count - from - word.count + 1) else { return nil }
        let offset = UnsafeRawPointer(hit) - base
        if memcmp(hit, word, word.count) == 0 { return offset }
        from = offset + 1
      }
      return nil
    }
  }
}
