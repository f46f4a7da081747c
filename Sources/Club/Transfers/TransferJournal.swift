public import FileStores

/// Stores transfers durably, so that another process can resume them.
///
/// - Each call is durable when it returns, as a whole or not at all. It may be slow, but blocks no thread of the
///   caller.
/// - One process (the owner) writes at a time; others may read.
/// - Errors are `quota`, `notPermitted`, `corrupt` or `server`.
public protocol TransferJournal: Sendable {
  /// All records, by position. `damaged` counts unreadable rows.
  func records() async throws(StoreError) -> (records: [TransferRecord], damaged: Int)
  /// Waits for records that `records` left out, because it was not known whose they are.
  /// - Returns: nil if none can come, or if the task is cancelled.
  func lateRecords() async -> [TransferRecord]?
  func write(_ records: [TransferRecord]) async throws(StoreError)
  func remove(_ ids: [Transfer.ID]) async throws(StoreError)
  /// The member's limit in bytes a second; nil without a limit.
  func limit() async throws(StoreError) -> UInt64?
  func setLimit(_ bytesPerSecond: UInt64?) async throws(StoreError)
}

extension TransferJournal {
  public func lateRecords() async -> [TransferRecord]? { nil }
}

public actor MemoryJournal: TransferJournal {
  private var rows: [Transfer.ID: TransferRecord] = [:]
  private var bytesPerSecond: UInt64?

  public init() {}

  public func records() async throws(StoreError) -> (records: [TransferRecord], damaged: Int) {
    (rows.values.sorted { ($0.position, $0.id) < ($1.position, $1.id) }, 0)
  }

  public func write(_ records: [TransferRecord]) async throws(StoreError) {
    for record in records { rows[record.id] = record }
  }

  public func remove(_ ids: [Transfer.ID]) async throws(StoreError) {
    for id in ids { rows[id] = nil }
  }

  public func limit() async throws(StoreError) -> UInt64? { bytesPerSecond }
  public func setLimit(_ bytesPerSecond: UInt64?) async throws(StoreError) { self.bytesPerSecond = bytesPerSecond }
}
