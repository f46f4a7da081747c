public import FileStores

public struct Transfer: Sendable, Hashable, Identifiable {
  /// Printable ASCII, never used twice.
  public typealias ID = String

  public enum Direction: String, Sendable, Hashable, CaseIterable {
    case upload
    case download
  }

  public let id: ID
  public let direction: Direction
  /// The name of the file, for people. Not filtered for a terminal.
  public var name: String
  /// The file's present or future path in the store. An upload moves to another path if its name is taken meanwhile.
  public var path: StorePath
  public var club = ""
  /// `TransferOrder.store`.
  public var store = ""
  /// The file's name on this machine, if the transfer changed it.
  public var renamedFrom: String?
  /// The source file of an upload, or the folder of a download.
  public var local = ""
  public var state: TransferState = .queued
  /// Bytes that the store has taken or this machine has received.
  public var sent: UInt64 = 0
  /// The part of `sent` that a break does not undo; nil if its owner does not say.
  public var kept: UInt64?
  public var total: UInt64?
  /// Bytes a second: a moving average while it runs, the true average at the end; nil if unknown.
  public var rate: Double?
  /// nil while an estimate would mean nothing.
  public var secondsLeft: Int?
  /// The number of attempts, including the running one.
  public var attempts = 0
  /// Restarts from nothing, because the source or the stored file had changed.
  public var restarts = 0
  /// The last error; at the end the reason of the failure, or an error of kind `cancelled`.
  public var error: StoreError?
  /// The time of the next try; nil unless it is `waiting` for a time.
  public var resumesAt: Timestamp?
  /// The time until which the store keeps the sent bytes; nil without any.
  public var keptUntil: Timestamp?
  /// The path of a finished download on this machine.
  public var place: String?
  /// True if a member has seen its end.
  public var isAcknowledged = false
  public var entry: FileEntry?
  /// Of the bytes of an upload that is done.
  public var contentHash: ContentHash?

  public init(id: ID, direction: Direction, name: String, path: StorePath) {
    (self.id, self.direction, self.name, self.path) = (id, direction, name, path)
  }

  /// 0 to 99, and 100 once it is done; nil without a total.
  package var percent: Int? {
    if state == .done { return 100 }
    return total.map { $0 == 0 ? 0 : min(99, Int(Double(sent) / Double($0) * 100)) }
  }
}

public enum TransferState: String, Sendable, Hashable, CaseIterable {
  case queued
  case running
  case paused
  /// It is tried again by itself: at `Transfer.resumesAt`, or when the network is back.
  case waiting
  case finishing
  case verifying
  /// A job still runs that was asked to stop.
  case cancelling
  case done
  case cancelled
  /// Ended by an error. Sent or received bytes are kept for a retry until the transfer is dismissed.
  case failed

  /// The state in one English word, for people and for `--json`.
  public var word: String { rawValue }

  /// True for `done`, `cancelled` and `failed`, which only a command changes.
  public var isOver: Bool { self == .done || self == .cancelled || self == .failed }
}
