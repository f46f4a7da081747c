internal import Synchronization

/// Counts the turns of a loop in which the member typed or used the mouse. Long work that nobody waits for lets them go
/// first (`InputRest`).
public final class InputTurns: Sendable {
  private let turns = Atomic<UInt64>(0)

  public init() {}

  /// Notes that input has come. Any thread may call this.
  public func came() { turns.add(1, ordering: .relaxed) }

  /// For one piece of long work that begins now; `clock` measures the rests.
  public func rest(on clock: any Clock<Duration>) -> InputRest { InputRest(self, clock) }

  var count: UInt64 { turns.load(ordering: .relaxed) }
}

/// The input that a piece of long work has seen.
public struct InputRest: Sendable {
  /// A key that repeats comes sooner.
  static let length = Duration.milliseconds(50)

  private let input: InputTurns
  private let clock: any Clock<Duration>
  private var seen: UInt64

  fileprivate init(_ input: InputTurns, _ clock: any Clock<Duration>) {
    (self.input, self.clock) = (input, clock)
    seen = input.count
  }

  /// Returns at once if no input has come since the last call, otherwise after 50 ms without any, or when the task is
  /// cancelled.
  public mutating func wait() async {
    while input.count != seen {
      seen = input.count
      do {
        try await clock.sleep(for: Self.length)
      } catch {
        return
      }
    }
  }
}
