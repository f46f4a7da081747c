/// The place of a mark among those of one list, counted from 1 in the order of the member's keys.
///
/// Each key's effect is a task of its own, and a later task may run first. Without turns, marking all as seen could win
/// over its own undo.
public struct NewsTurn: Sendable, Hashable {
  public let list: NewsList
  public let number: Int

  public init(_ list: NewsList, _ number: Int) { (self.list, self.number) = (list, number) }
}

/// Changes that wait until all earlier turns have come.
struct TurnQueue<Change: Sendable>: Sendable {
  private var next = 1
  private var early: [Int: [Change]] = [:]

  /// Takes the changes of a turn, and returns all changes whose turn it is now, in order.
  mutating func take(_ changes: [Change], at number: Int) -> [Change] {
    // Nothing waits for a turn that has been before.
    guard number >= next else { return changes }
    early[number] = changes
    var ready: [Change] = []
    while let changes = early.removeValue(forKey: next) {
      ready += changes
      next += 1
    }
    return ready
  }
}
