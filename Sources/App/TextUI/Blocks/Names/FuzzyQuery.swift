internal import Basics
internal import POSIX

/// A fuzzy search: the letters of every word occur in order, not necessarily side by side. Scattered letters are all in one
/// part of a path, unless the word itself has the slash.
public struct FuzzyQuery: Hashable, Sendable {
  private let letters: [UInt8]
  private let words: [Range<Int>]

  /// Splits a folded text at spaces.
  public init(_ folded: some Collection<UInt8>) {
    var (letters, words): ([UInt8], [Range<Int>]) = ([], [])
    for word in folded.split(separator: 0x20) {
      words.append(letters.count..<(letters.count + word.count))
      letters += word
    }
    (self.letters, self.words) = (letters, words)
  }

  /// An empty query matches every name.
  public var isEmpty: Bool { words.isEmpty }

  /// True if `other` matches every name that this query matches.
  public func narrows(_ other: FuzzyQuery) -> Bool {
    other.words.allSatisfy { word in
      words.contains { FuzzyQuery.places(of: other.letters[word], in: letters[$0]) != nil }
    }
  }

  /// Offsets from the name's start, in order. A word that occurs whole is shown at each of its places, another one
  /// letter by letter.
  public func places(in name: ArraySlice<UInt8>) -> [Range<Int>] {
    guard !isEmpty else { return [] }
    let folded = FoldedText(Array(name))
    var places: [Range<Int>] = []
    for word in words {
      let whole = NameQuery(letters[word]).places(in: name)
      places += whole
      guard whole.isEmpty, let found = FuzzyQuery.places(of: letters[word], in: folded.bytes[...]) else { continue }
      places += found.map { folded.place(of: $0.lowerBound)..<folded.place(of: folded.end(at: $0.upperBound)) }
    }
    return places.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
  }

  private static func places(of word: ArraySlice<UInt8>, in name: ArraySlice<UInt8>) -> [Range<Int>]? {
    let (sought, given) = (characters(of: word), characters(of: name))
    var next = 0
    guard
      let end = given.firstIndex(where: { place in
        if name[place].elementsEqual(word[sought[next]]) {
          next += 1
        } else if name[place.lowerBound] == slash {
          while next > 0, word[sought[next - 1].lowerBound] != slash { next -= 1 }
        }
        return next == sought.count
      })
    else { return nil }
    var places: [Range<Int>] = []
    for place in given[...end].reversed() where next > 0 {
      guard name[place].elementsEqual(word[sought[next - 1]]) else { continue }
      next -= 1
      places.append(place)
    }
    return places.reversed()
  }

  /// A byte, or a lead byte with its continuations.
  private static func characters(of text: ArraySlice<UInt8>) -> [Range<Int>] {
    let starts = text.indices.filter { text[$0] & 0xC0 != 0x80 }
    return zip(starts, starts.dropFirst() + [text.endIndex]).map { $0..<$1 }
  }
}

extension FuzzyQuery {
  /// Smaller is better; nil does not match. Names that begin with the word come first, then those with it at the start
  /// of a word, then anywhere, then paths with it in a folder, then scattered letters, the closest first; of equals, the
  /// shortest. Several words add up.
  func rank(_ name: UnsafeBufferPointer<UInt8>) -> UInt16? {
    letters.withUnsafeBufferPointer { letters in
      var (kinds, gaps) = (0, 0)
      for word in words {
        guard let match = FuzzyQuery.match(UnsafeBufferPointer(rebasing: letters[word]), name) else { return nil }
        kinds += match.kind
        gaps += match.gap
      }
      return UInt16(min(kinds, 15) << 12 | min(gaps, 15) << 8 | min(name.count, 255))
    }
  }

  @inline(__always)
  private static func match(
    _ word: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>
  ) -> (kind: Int, gap: Int)? {
    guard name.count >= word.count, let base = name.baseAddress, let sought = word.baseAddress else { return nil }
    var kind: Int?
    var from = 0
    while let hit = memchr(base + from, Int32(sought[0]), name.count - word.count + 1 - from) {
      let place = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
      if memcmp(hit, sought, word.count) == 0 {
        if memchr(hit, Int32(slash), name.count - place) != nil {
          kind = kind ?? 3
        } else if place == 0 || base[place - 1] == slash {
          return (0, 0)
        } else if separates(base[place - 1]) {
          kind = 1
        } else if kind != 1 {
          kind = 2
        }
      }
      from = place + 1
    }
    return kind.map { ($0, 0) } ?? scattered(word, name)
  }

  /// The gap is the number of bytes in between that belong to no letter.
  private static func scattered(
    _ word: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>
  ) -> (kind: Int, gap: Int)? {
    var (place, next) = (0, 0)
    while place < name.count, next < word.count {
      if name[place] == word[next] {
        next += 1
      } else {
        // Half a character does not match: seek its lead byte again. The next folder begins the word again.
        while next > 0, word[next] & 0xC0 == 0x80 { next -= 1 }
        if name[place] == slash { while next > 0, word[next - 1] != slash { next -= 1 } }
      }
      place += 1
    }
    guard next == word.count else { return nil }
    var start = place
    while next > 0 {
      start -= 1
      if name[start] == word[next - 1] { next -= 1 }
    }
    return (4, max(0, place - start - word.count))
  }

  @inline(__always)
  private static func separates(_ byte: UInt8) -> Bool {
    byte < 0x80 && (byte | 0x20) &- 0x61 >= 26 && byte &- 0x30 >= 10
  }
}

private let slash = UInt8(ascii: "/")
