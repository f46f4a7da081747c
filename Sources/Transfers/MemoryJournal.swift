public import FileStores

/// A journal that lasts as long as this process: for tests, and where nothing is to be kept.
public actor MemoryJournal: TransferJournal {
  private var rows: [Transfer.ID: TransferRecord]
  private var bytesPerSecond: UInt64?

  /// A journal with rows in it.
  public init(_ rows: [TransferRecord] = []) {
    self.rows = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Everything that is written down, by position.
  public func records() async throws(StoreError) -> (records: [TransferRecord], damaged: Int) {
    (rows.values.sorted { ($0.position, $0.id) < ($1.position, $1.id) }, 0)
  }

  /// Writes these down.
  public func write(_ records: [TransferRecord]) async throws(StoreError) {
    for record in records { rows[record.id] = record }
  }

  /// Crosses these out.
  public func remove(_ ids: [Transfer.ID]) async throws(StoreError) {
    for id in ids { rows[id] = nil }
  }

  /// Bytes a second that a member allowed.
  public func limit() async throws(StoreError) -> UInt64? { bytesPerSecond }

  /// Keeps a limit.
  public func setLimit(_ bytesPerSecond: UInt64?) async throws(StoreError) { self.bytesPerSecond = bytesPerSecond }
}
