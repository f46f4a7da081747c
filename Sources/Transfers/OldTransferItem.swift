import FileStores

/// What the engine knows of one transfer.
struct OldTransferItem {
  typealias Work = @Sendable () async throws(StoreError) -> FileEntry

  var transfer: Transfer
  /// nil once it is over, as are `task` and `delegate`.
  var work: Work?
  var delegate: (any OldTransferDelegate)?
  /// nil while it waits.
  var task: Task<Void, Never>?
  var isCancelRequested = false
  /// The count that the delegate knows, and since when.
  var told: UInt64?
  var toldAt: Duration?
  var result: Result<FileEntry, StoreError>?
  var listeners: [UnsafeContinuation<Result<FileEntry, StoreError>?, Never>] = []

  /// Lets go of all that only a transfer needs that is not over.
  mutating func end() {
    work = nil
    delegate = nil
    task = nil
    listeners = []
  }
}
