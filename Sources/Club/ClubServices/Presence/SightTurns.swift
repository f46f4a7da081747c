internal import FileStores

/// Decides when the member's sight is sent: once, once when somebody comes, and else only while it changes and somebody is
/// there to see it. Times are those of one watch's clock.
struct SightTurns: Sendable {
  /// The shortest time between two sights: ten a second.
  static let gap = Duration.milliseconds(100)

  enum Step: Sendable, Equatable {
    /// Nothing is to be sent until something changes.
    case rest
    case wait(Duration)
    case send(Sight)
  }

  private(set) var sight = Sight()
  /// The sight that the others have; nil if it is to be sent anyway.
  private var sent: Sight?
  private var others: Set<String> = []
  private var isWatching = false
  private var isSending = false
  private var last: Duration?

  mutating func look(at sight: Sight) { self.sight = sight }

  /// The others as the watch tells them.
  mutating func see(_ names: Set<String>) {
    // After a break this can be the server's first answer, and the server may have lost the sight.
    if !names.subtracting(others).isEmpty { sent = nil }
    (others, isWatching) = (names, true)
  }

  mutating func end() {
    let sight = sight
    self = SightTurns()
    self.sight = sight
  }

  private var isDue: Bool { isWatching && !isSending && (sent == nil || !others.isEmpty && sent != sight) }

  var rests: Bool { !isDue }

  mutating func next(at now: Duration) -> Step {
    guard isDue else { return .rest }
    if let last, now - last < Self.gap { return .wait(Self.gap - (now - last)) }
    (last, isSending, sent) = (now, true, sight)
    return .send(sight)
  }

  /// The sight was sent, or lost: a newer one follows, or somebody comes.
  mutating func noteSent() { isSending = false }
}
