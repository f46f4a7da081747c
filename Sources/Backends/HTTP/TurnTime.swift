/// The time of one turn of libcurl's thread, read once however many pieces come and go in it. Of that thread alone.
final class TurnTime {
  private var read: ContinuousClock.Instant?

  var now: ContinuousClock.Instant {
    let now = read ?? .now
    read = now
    return now
  }

  /// Another turn begins.
  func pass() { read = nil }
}
