/// What a transfer is doing. `TransferMachine` draws how one leads to another.
public enum TransferState: String, Sendable, Hashable, CaseIterable {
  /// Waits for its turn.
  case queued
  /// Bytes are on their way.
  case running
  /// A member has stopped it for a while.
  case paused
  /// It is tried again by itself: at a time (`Transfer.resumesAt`), or when the network is back.
  case waiting
  /// All bytes are there; the file is being given its name.
  case finishing
  /// All bytes are here and are compared with what the store says of them.
  case verifying
  /// Asked to stop.
  case cancelling
  /// The file is whole under its name.
  case done
  /// Stopped because that was asked for; nothing is left behind. A retry begins at the beginning.
  case cancelled
  /// Ended by an error. What was sent or received is kept for a retry until the transfer is dismissed.
  case failed

  /// The state in a word, for people and for `--json`.
  public var word: String { rawValue }

  /// True for `done`, `cancelled` and `failed`: no other state follows by itself.
  public var isOver: Bool {
    switch self {
    case .done, .cancelled, .failed: true
    case .queued, .running, .paused, .waiting, .finishing, .verifying, .cancelling: false
    }
  }
}
