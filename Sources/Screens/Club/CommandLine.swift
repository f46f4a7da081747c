internal import TextUI

/// The line at the bottom into which the command line's verbs are typed.
struct CommandLine: Sendable {
  var field = TextField()
  /// What was typed before, the newest last.
  private let history: [String]
  /// Which line of the history is shown; their count while it is none.
  private var place: Int
  /// What was typed when an older line took its place.
  private var typed = ""

  init(_ history: [String]) {
    self.history = history
    place = history.count
  }

  /// Shows the line that was typed before this one, or the one after it.
  mutating func recall(isOlder: Bool) {
    let next = place + (isOlder ? -1 : 1)
    guard (0...history.count).contains(next) else { return }
    if place == history.count { typed = field.string }
    place = next
    field = TextField(next == history.count ? typed : history[next])
  }
}
