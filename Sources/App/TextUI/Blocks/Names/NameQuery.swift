internal import Basics

/// Words to find in a text, regardless of case and accents.
public struct NameQuery: Hashable, Sendable {
  /// Folded, longest first.
  private let words: [[UInt8]]

  public init(_ text: some Collection<UInt8>) {
    let folded = SearchFold.folded(Array(text)[...])
    words = folded.split(separator: 0x20).map(Array.init).sorted { $0.count > $1.count }
  }

  /// Words that may have spaces.
  public init(words: [String]) {
    self.words = words.map { SearchFold.folded($0) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
  }

  public var isEmpty: Bool { words.isEmpty }

  /// Offsets from the text's start.
  public func places(in name: ArraySlice<UInt8>) -> [Range<Int>] {
    guard !isEmpty else { return [] }
    let folded = FoldedText(Array(name))
    return words.flatMap { word in
      var places: [Range<Int>] = []
      var from = 0
      while let hit = ByteSearch(word).first(in: folded.bytes[from...]) {
        let end = folded.end(at: from + hit + word.count)
        places.append(folded.place(of: from + hit)..<folded.place(of: end))
        from = end
      }
      return places
    }
  }

  public func isMatch(of text: [UInt8]) -> Bool {
    let folded = FoldedText(text)
    return words.allSatisfy { ByteSearch($0).first(in: folded.bytes[...]) != nil }
  }
}
