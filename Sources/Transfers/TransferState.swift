/// What a transfer is doing.
///
/// `queued` → `running` → `finishing` → `done`, for downloads `running` → `verifying` → `finishing` → `done`. A store
/// that has to start over leads back from `finishing` or `verifying` to `running`. A wish to cancel leads to
/// `cancelling`, and from there to `cancelled`, or to `done` when the store had finished first. Every state but the
/// last three can lead to `failed`.
public enum TransferState: String, Sendable, Hashable, CaseIterable {
  /// Waits for its turn.
  case queued
  /// Bytes are on their way.
  case running
  /// All bytes are there; the file is being given its name.
  case finishing
  /// All bytes are here and are compared with what the store says of them.
  case verifying
  /// Asked to stop.
  case cancelling
  /// The file is whole under its name.
  case done
  /// Stopped because that was asked for; nothing is left behind.
  case cancelled
  /// Ended by an error.
  case failed

  /// The state in a word, for people and for `--json`.
  public var word: String { rawValue }

  /// True for `done`, `cancelled` and `failed`: no other state follows.
  public var isOver: Bool {
    switch self {
    case .done, .cancelled, .failed: true
    case .queued, .running, .finishing, .verifying, .cancelling: false
    }
  }
}
