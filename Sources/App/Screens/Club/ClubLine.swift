internal import ClubServices
internal import TextUI

/// The right part of the top line. A narrow line drops the club's place first, then the club, then the duration of an
/// outage and the words of the number that waits.
struct ClubLine {
  let club: String
  let name: String
  /// In full and in short; empty for a club without a network that has everything.
  private let state: (long: String, short: String)
  let role: Role

  /// `isActive` is true while the club's files are read or written.
  init(_ frame: Frame, name: String, isActive: Bool, unsent: (words: String, count: Int)) {
    let mark = frame.isReader ? " (read-only)" : ""
    (club, self.name) = (frame.club + mark, name + mark)
    let isASCII = frame.abilities.asciiOnly
    func marked(_ symbol: Symbol, _ words: String) -> String { "\(symbol.scalar(isASCII: isASCII)) \(words)" }
    let arrow = unsent.count == 0 ? "" : "\(Symbol.toSend.scalar(isASCII: isASCII))"
    let connection = ClubLine.connection(frame, isActive: isActive)
    role = unsent.count > 0 && connection?.role != .offline ? .waiting : connection?.role ?? .dim
    func joined(_ count: String, _ words: String?, _ separator: String) -> String {
      let words = words.flatMap { words in connection.map { marked($0.symbol, words) } }
      return [arrow.isEmpty ? "" : arrow + count, words ?? ""].filter { !$0.isEmpty }.joined(separator: separator)
    }
    state = (
      joined(" \(unsent.words)", connection?.long, "  "), joined("\(unsent.count)", connection?.short, " ")
    )
  }

  var leastColumns: Int { GlyphReader.columns(of: state.long) }

  /// The longest text that fits, and the bytes of the state at its end.
  func text(columns: Int) -> (text: String, stateBytes: Int) {
    func fits(_ text: String) -> Bool { GlyphReader.columns(of: text) <= columns }
    let names = [club, name, ""]
    let texts = names.map { ($0.isEmpty || state.long.isEmpty ? $0 + state.long : "\($0)  \(state.long)", state.long) }
    let fitting = (texts + [(state.short, state.short)]).first { fits($0.0) } ?? (state.short, state.short)
    return (fitting.0, fitting.1.utf8.count)
  }

  private typealias Connection = (long: String, short: String, symbol: Symbol, role: Role)

  private static func connection(_ frame: Frame, isActive: Bool) -> Connection? {
    switch frame.connection {
    case nil: return isActive ? ("working", "working", .online, .dim) : nil
    case .unknown: return ("connecting", "connecting", .offline, .dim)
    case .online: return isActive ? ("syncing", "syncing", .online, .online) : ("online", "online", .online, .online)
    case .offline(let since, _):
      let age = frame.now - since < 60 ? "" : " " + Age.text(of: Int(since), now: Int(frame.now))
      return ("offline" + age, "offline", .offline, .offline)
    case .waiting(let until, _) where until > frame.now:
      return ("waiting \(until - frame.now) s", "waiting", .offline, .waiting)
    // The next try runs, or was the last.
    case .waiting: return ("busy", "busy", .offline, .waiting)
    }
  }

  /// A hash of everything that changes the look, small enough to compare at each frame.
  static func content(_ frame: Frame, isActive: Bool) -> Int {
    var hasher = Hasher()
    hasher.combine(frame.isReader)
    switch frame.connection {
    case nil: return isActive ? 1 : 0
    case .unknown: hasher.combine(0)
    case .online:
      hasher.combine(1)
      hasher.combine(isActive)
    case .offline(let since, _):
      hasher.combine(2)
      hasher.combine(Age.minutes(of: Int(since), now: Int(frame.now)))
    case .waiting(let until, _):
      hasher.combine(3)
      hasher.combine(max(0, until - frame.now))
    }
    return hasher.finalize()
  }

  /// Seconds until time alone changes the look; nil if it does not.
  static func tick(_ frame: Frame) -> Int? {
    switch frame.connection {
    case .offline(let since, _): Age.secondsUntilChange(of: Int(since), now: Int(frame.now)).map { max(1, $0) }
    case .waiting(let until, _) where until > frame.now: 1
    default: nil
    }
  }
}
