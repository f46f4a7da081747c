internal import Basics

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
  /// Of all searches together; a search takes about a second for so many bytes.
  private static let mostSearched = 512 << 20

  public init(_ talk: Talk, in text: [UInt8]) {
    var flat: FlatText?
    var searched = 0
    var known: [String: Place] = [:]
    var places: [Place] = []
    for remark in talk.remarks {
      if remark.depth > 0, let above = places.last {
        places.append(above)
        continue
      }
      guard case .words(let words) = remark.item.aim, text.count <= PlacedTalk.mostBytes,
        searched < PlacedTalk.mostSearched
      else {
        places.append(.below)
        continue
      }
      let place =
        known[words]
        ?? {
          let whole = flat ?? FlatText(text)
          flat = whole
          searched += whole.bytes.count
          return whole.place(of: words)
        }()
      known[words] = place
      places.append(place)
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

    func place(of words: String) -> Place {
      var needle = FlatText(Array(words.utf8)).bytes
      if needle.last == 0x20 { needle.removeLast() }
      guard !needle.isEmpty else { return .below }
      return ByteSearch(needle).first(in: bytes[...]).map { .after(Int(ends[$0 + needle.count - 1])) } ?? .lost
    }
  }
}
