/// What is asked of names: every word must occur somewhere, upper or lower case being the same.
public struct NameQuery: Hashable, Sendable {
  /// The words, folded; the longest first, because fewest names have it.
  let words: [[UInt8]]

  /// The words of a text, which spaces separate.
  public init(_ text: some Collection<UInt8>) {
    let folded = CaseFold.folded(Array(text)[...])
    words = folded.split(separator: 0x20).map(Array.init).sorted { $0.count > $1.count }
  }

  /// Whether there is no word: every name matches.
  public var isEmpty: Bool { words.isEmpty }

  /// Where the words stand in a name, counted from its start; without case and accents.
  public func places(in name: ArraySlice<UInt8>) -> [Range<Int>] {
    guard !isEmpty else { return [] }
    let folded = FoldedText(Array(name))
    return words.flatMap { word in
      let sought = FoldedText(word).bytes
      var places: [Range<Int>] = []
      var from = 0
      while let hit = ByteSearch(sought).first(in: folded.bytes[from...]) {
        let end = from + hit + sought.count
        places.append(folded.place(of: from + hit)..<folded.place(of: end))
        from = end
      }
      return places
    }
  }

  /// Whether each name that matches this matches `other`, too.
  public func narrows(_ other: NameQuery) -> Bool {
    other.words.allSatisfy { word in words.contains { ByteSearch(word).first(in: $0[...]) != nil } }
  }
}
