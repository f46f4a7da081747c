public import FileStores

/// Where transfers are written down, so that another process can carry them on.
///
/// - Calls are durable when they return, whole or not at all. They may be slow; none blocks its caller's thread.
/// - One process writes at a time (the owner); others may read.
/// - Errors are `quota`, `notPermitted`, `corrupt` or `server`.
public protocol TransferJournal: Sendable {
  /// Everything that is written down, by position. A row that cannot be read any more is left out and told in `damaged`.
  func records() async throws(StoreError) -> (records: [TransferRecord], damaged: Int)
  /// Writes these down, new or changed, in one step.
  func write(_ records: [TransferRecord]) async throws(StoreError)
  /// Crosses these out, in one step.
  func remove(_ ids: [Transfer.ID]) async throws(StoreError)
  /// Bytes a second that a member allowed; nil without a limit.
  func limit() async throws(StoreError) -> UInt64?
  /// Keeps a limit.
  func setLimit(_ bytesPerSecond: UInt64?) async throws(StoreError)
}
