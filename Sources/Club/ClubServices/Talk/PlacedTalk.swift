/// The remarks on a note, with the places of the words that they quote.
public struct PlacedTalk: Sendable, Equatable {
  public enum Place: Sendable, Hashable {
    /// Behind the quoted words.
    case after(Int)
    /// The note no longer has the quoted words.
    case lost
    /// About the whole, or words that were not looked for.
    case below
  }

  public let talk: Talk
  /// Of each remark. An answer has that of the remark above it.
  public let places: [Place]

  public static let none = PlacedTalk(.none, in: [])

  /// The remarks that are not withdrawn.
  public var count: Int { talk.count }

  /// Longer notes are not searched.
  static let mostBytes = 4 << 20

  public init(_ talk: Talk, in text: [UInt8]) {
    let isSearched = text.count <= PlacedTalk.mostBytes
    var search = QuoteSearch()
    let quotes = talk.remarks.map { remark -> Int? in
      guard isSearched, remark.depth == 0, case .words(let words) = remark.item.aim else { return nil }
      return search.add(FlatText.quote(words))
    }
    var lastBytes: [Int?] = []
    var whole: FlatText?
    if search.count > 0 {
      let flat = FlatText(text)
      (whole, lastBytes) = (flat, search.lastBytes(in: flat.bytes))
    }
    var places: [Place] = []
    for (remark, quote) in zip(talk.remarks, quotes) {
      if remark.depth > 0, let above = places.last {
        places.append(above)
      } else if let quote, let whole {
        places.append(lastBytes[quote].map { .after(whole.end(of: $0)) } ?? .lost)
      } else {
        places.append(.below)
      }
    }
    (self.talk, self.places) = (talk, places)
  }

  /// A text as its words: a quote from a rendered note has neither its line breaks nor its marks of emphasis.
  private struct FlatText {
    private(set) var bytes: [UInt8] = []
    /// The place behind each byte in the text.
    private var ends: [Int32] = []

    init(_ text: [UInt8]) {
      bytes.reserveCapacity(text.count)
      ends.reserveCapacity(text.count)
      for (place, byte) in text.enumerated() {
        switch byte {
        case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "`"): continue
        case 0x09...0x0D, 0x20: if bytes.isEmpty || bytes.last == 0x20 { continue } else { bytes.append(0x20) }
        default: bytes.append(byte)
        }
        ends.append(Int32(place + 1))
      }
    }

    func end(of byte: Int) -> Int { Int(ends[byte]) }

    static func quote(_ words: String) -> [UInt8] {
      let bytes = FlatText(Array(words.utf8)).bytes
      return bytes.last == 0x20 ? Array(bytes.dropLast()) : bytes
    }
  }
}
