public import FileStores

/// One upload or download, as it stands.
public struct Transfer: Sendable, Hashable, Identifiable {
  /// The journal's word for it: printable ASCII, never used twice.
  public typealias ID = String

  /// Which way the bytes go.
  public enum Direction: String, Sendable, Hashable, CaseIterable {
    /// To the store.
    case upload
    /// From the store.
    case download
  }

  /// The journal's word for it.
  public let id: ID
  /// Which way the bytes go.
  public let direction: Direction
  /// What people call it: the name of the file. Not filtered for a terminal.
  public var name: String
  /// Where the file is, or will be, in the store. An upload whose name was taken by somebody meanwhile moves on to
  /// another.
  public var path: StorePath
  /// The club's name.
  public var club = ""
  /// The name that the file had on this machine, when it was given another one.
  public var renamedFrom: String?
  /// The file of this machine that goes up, or the folder that a download goes to.
  public var local = ""
  /// What it is doing.
  public var state: TransferState = .queued
  /// Bytes that the store has taken, or that have been received.
  public var sent: UInt64 = 0
  /// Bytes in all, once that is known.
  public var total: UInt64?
  /// Bytes a second: while it runs a moving average, at the end the true average over the time that it ran; nil while
  /// nothing is known.
  public var rate: Double?
  /// Whole seconds that are left; nil while a guess would say nothing.
  public var secondsLeft: Int?
  /// How often it was begun, counting this time.
  public var attempts = 0
  /// How often it had to start from nothing again because the source or the file in the store had changed.
  public var restarts = 0
  /// The last thing that went wrong, also while it waits to be tried again; nil when nothing did. When it is over: why
  /// it failed, or the error of kind `cancelled`.
  public var error: StoreError?
  /// When it is tried again; nil unless it is `waiting` for a time.
  public var resumesAt: Timestamp?
  /// Until when the store keeps what was sent; nil when it has not said, or nothing was.
  public var keptUntil: Timestamp?
  /// Where a finished download lies on this machine.
  public var place: String?
  /// Whether a member has seen how it ended.
  public var isTold = false
  /// The entry of a finished transfer.
  public var entry: FileEntry?

  /// A transfer of which nothing but this is known.
  public init(id: ID, direction: Direction, name: String, path: StorePath) {
    self.id = id
    self.direction = direction
    self.name = name
    self.path = path
  }
}
