/// A search within a text: what for, and what was found last.
public struct TextSearch: Hashable, Sendable {
  /// What is searched, letters folded to lower case.
  public let folded: [UInt8]
  /// The bytes found last; nil when there was nothing.
  public internal(set) var found: Range<Int>?

  /// A search that has found nothing yet. Upper and lower case are the same.
  public init(_ words: String) { folded = CaseFold.folded(Array(words.utf8)[...]) }
}

extension TextReader {
  /// Searches forward from the first visible row, and goes on from the text's start. False when there is nothing.
  @discardableResult
  public mutating func find(_ words: String) -> Bool {
    search = TextSearch(words)
    return settle(next(from: top) ?? next(from: 0))
  }

  /// The next or the previous place, going round at the ends. False when there is nothing.
  @discardableResult
  public mutating func find(forward: Bool) -> Bool {
    if forward {
      return settle(next(from: (search?.found?.lowerBound).map { $0 + 1 } ?? top) ?? next(from: 0))
    }
    return settle(previous(before: search?.found?.lowerBound ?? top) ?? previous(before: text.count))
  }

  private mutating func settle(_ found: Range<Int>?) -> Bool {
    search?.found = found
    if let found { show(found.lowerBound) }
    return found != nil
  }

  private static let window = 64 * 1024

  private func next(from start: Int) -> Range<Int>? {
    guard let needle = search?.folded, !needle.isEmpty else { return nil }
    var start = start
    while start + needle.count <= text.count {
      let window = CaseFold.folded(text.bytes(in: start..<(start + Self.window + needle.count))[...])
      if let hit = ByteSearch(needle).first(in: window[...]) { return found(start + hit, needle.count) }
      start += Self.window + 1
    }
    return nil
  }

  private func previous(before end: Int) -> Range<Int>? {
    guard let needle = search?.folded, !needle.isEmpty else { return nil }
    var end = end
    while end > 0 {
      let start = max(0, end - Self.window)
      let window = CaseFold.folded(text.bytes(in: start..<(end + needle.count - 1))[...])
      if let hit = ByteSearch(needle).last(in: window[...]) { return found(start + hit, needle.count) }
      end = start
    }
    return nil
  }

  private func found(_ start: Int, _ count: Int) -> Range<Int> { start..<(start + count) }
}
