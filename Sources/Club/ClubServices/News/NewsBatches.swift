internal import Basics

/// The batches of a club's news: what is gathered, what is being given, and when a failed batch is given again. A pure
/// machine; the times come from its caller.
struct NewsBatches: Sendable {
  typealias Instant = ContinuousClock.Instant

  enum Step: Sendable, Equatable {
    /// Give this batch, and say how it went with `gave`.
    case give([NewsItem])
    /// Nothing is to do before this moment; nil: before the next call.
    case wait(until: Instant?)
  }

  private enum Giving: Sendable {
    case nothing
    case underway([NewsItem], failures: Int)
    case failed([NewsItem], failures: Int, until: Instant)
  }

  static let firstPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(300)

  private var open: EventBatches<NewsItem>
  private var giving = Giving.nothing
  /// The items that this process has gathered or reported already, as far as the last look still has them.
  private var known: Set<NewsCursor.Mark> = []

  init(_ open: EventBatches<NewsItem> = EventBatches()) { self.open = open }

  /// True if everything of the last look was reported.
  var isEmpty: Bool { if case .nothing = giving { open.isEmpty } else { false } }

  /// Gathers what is new in the items of a look, which has all that is not marked as reported.
  mutating func take(_ items: [NewsItem], at now: Instant) {
    let new = items.filter { !known.contains($0.mark) }
    known = Set(items.map(\.mark))
    open.add(new, at: now)
  }

  mutating func step(at now: Instant) -> Step {
    switch giving {
    case .underway: return .wait(until: nil)
    case .failed(let batch, let failures, let until):
      guard until <= now else { return .wait(until: until) }
      giving = .underway(batch, failures: failures)
      return .give(batch)
    case .nothing:
      guard let batch = open.take(at: now) else { return .wait(until: open.deadline) }
      let merged = NewsItem.merged(batch)
      giving = .underway(merged, failures: 0)
      return .give(merged)
    }
  }

  /// Notes the end of the batch under way: it was taken, or it is given again after a pause that grows.
  mutating func gave(isTaken: Bool, at now: Instant) {
    guard case .underway(let batch, let failures) = giving else { return }
    guard !isTaken else {
      giving = .nothing
      return
    }
    var pause = NewsBatches.firstPause
    for _ in 0..<failures where pause < NewsBatches.longestPause { pause = pause * 2 }
    giving = .failed(
      batch, failures: failures + 1, until: now.advanced(by: min(pause, NewsBatches.longestPause)))
  }
}
