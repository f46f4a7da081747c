/// What a member can say to transfers that are there. A command for a transfer that is not there, or in a state in which
/// it means nothing, does nothing.
public enum TransferCommand: Sendable, Hashable {
  /// Stop for a while; what was sent or received is kept.
  case pause(Transfer.ID)
  /// Go on: a paused one, or one that waits to be tried again.
  case resume(Transfer.ID)
  /// Stop for good and leave nothing behind.
  case cancel(Transfer.ID)
  /// Begin one again: a failed one from where it had come, a cancelled one from its beginning.
  case retry(Transfer.ID)
  /// Change its place in the queue.
  case move(Transfer.ID, TransferMove)
  /// Take one that is over off the list, with what a failed one had kept.
  case dismiss(Transfer.ID)
  /// A member has seen how one ended: it is not told at the next start.
  case acknowledge(Transfer.ID)
  /// `pause`, for all.
  case pauseAll
  /// `resume`, for all.
  case resumeAll
  /// `cancel`, for all.
  case cancelAll
  /// `dismiss`, for all that are done or cancelled.
  case dismissFinished
  /// At most so many bytes a second, all transfers together; nil for no limit. Holds from now on, also after a restart.
  case limit(UInt64?)
  /// At most so many transfers at once (at least one).
  case concurrency(Int)
}

/// Where in the queue.
public enum TransferMove: String, Sendable, Hashable, CaseIterable {
  /// Before the one before it.
  case up
  /// Behind the one behind it.
  case down
  /// Next to be started.
  case first
  /// After all others.
  case last
}
