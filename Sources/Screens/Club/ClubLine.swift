internal import ClubServices
internal import TextUI

/// The right part of the top line: the club, whether its store answers, and a mark while something is under way. What
/// has no room goes: first the club's place, then the club, then how long the store has been away.
struct ClubLine {
  /// The club and its place.
  let club: String
  /// The club alone.
  let name: String
  /// Whether the store answers, in full and in short; nil for a club that needs no network.
  let connection: (long: String, short: String)?
  let isActive: Bool
  /// What waits to be sent; empty when nothing does.
  let waiting: String

  init(_ frame: Frame, name: String, isActive: Bool, toSend: Int = 0) {
    (club, self.name, self.isActive) = (frame.club, name, isActive)
    waiting = toSend == 0 ? "" : "\(toSend) to send  "
    connection = ClubLine.words(frame)
  }

  /// What is needed to tell whether the store answers.
  var leastColumns: Int { connection.map { $0.long.utf8.count + 3 } ?? 0 }

  /// As much as goes into so many columns.
  func text(columns: Int) -> String {
    let mark = isActive ? "  *" : "   "
    let room = columns - mark.utf8.count
    func fits(_ text: String) -> Bool { GlyphReader.columns(of: Array(text.utf8)[...]) <= room }
    guard let connection else {
      guard !waiting.isEmpty else { return club + mark }
      return ([waiting + club, waiting + name].first(where: fits) ?? String(waiting.dropLast(2))) + mark
    }
    let texts = ["\(club)  \(connection.long)", "\(name)  \(connection.long)", connection.long, connection.short]
    return (texts.map { waiting + $0 }.first(where: fits) ?? connection.short) + mark
  }

  private static func words(_ frame: Frame) -> (long: String, short: String)? {
    switch frame.connection {
    case nil: return nil
    case .unknown: return ("connecting", "connecting")
    case .online: return ("online", "online")
    case .offline(let since, _):
      let age = frame.now - since < 60 ? "" : " " + Age.text(of: Int(since), now: Int(frame.now))
      return ("offline" + age, "offline")
    case .waiting(let until, _): return ("waiting \(max(0, until - frame.now)) s", "waiting")
    }
  }

  /// What decides how it looks, of what can change: little enough to be compared for each frame.
  static func content(_ frame: Frame, isActive: Bool) -> Int {
    var hasher = Hasher()
    hasher.combine(isActive)
    switch frame.connection {
    case nil: return isActive ? 1 : 0
    case .unknown: hasher.combine(0)
    case .online: hasher.combine(1)
    case .offline(let since, _):
      hasher.combine(2)
      hasher.combine(Age.minutes(of: Int(since), now: Int(frame.now)))
    case .waiting(let until, _):
      hasher.combine(3)
      hasher.combine(until - frame.now)
    }
    return hasher.finalize()
  }

  /// After how many seconds it looks different by time alone; nil when it never does.
  static func tick(_ frame: Frame) -> Int? {
    switch frame.connection {
    case .offline(let since, _): Age.secondsUntilChange(of: Int(since), now: Int(frame.now)).map { max(1, $0) }
    case .waiting(let until, _) where until > frame.now: 1
    default: nil
    }
  }
}
