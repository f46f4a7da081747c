public import Database
public import FileStores
import FoundationEssentials
public import Transfers

/// The journal of transfers in the outbox.
public struct OutboxTransferJournal: TransferJournal {
  private let outbox: OutboxDatabase
  private let pool: BlockingPool
  private let usualLimit: UInt64?

  /// Keeps the journal in `outbox`. Calls that block do so on the pool's threads. `limit` holds until a member has said
  /// another one, or that there is none.
  public init(_ outbox: OutboxDatabase, pool: BlockingPool, limit: UInt64? = nil) {
    self.outbox = outbox
    self.pool = pool
    usualLimit = limit
  }

  /// Whether anything is written down. Cheap, however much it is.
  public func isEmpty() async throws(StoreError) -> Bool {
    try await pool.run { [outbox] () throws(StoreError) in try !outbox.hasTransfers() }
  }

  /// Everything that is written down. A row that cannot be read is a transfer that has failed and says so, until it is
  /// dismissed; one that has lost even its word, and a limit that is damaged, are counted.
  public func records() async throws(StoreError) -> (records: [TransferRecord], damaged: Int) {
    try await pool.run { [outbox] () throws(StoreError) in
      let decoder = JSONDecoder()
      var records: [TransferRecord] = []
      var damaged = 0
      var ids: Set<Transfer.ID> = []
      for row in try outbox.transfers() {
        guard !row.id.isEmpty, ids.insert(row.id).inserted else {
          damaged += 1
          continue
        }
        if !row.isDamaged, let form = try? decoder.decode(RecordForm.self, from: Data(row.body)),
          let record = try? form.record(id: row.id, position: row.position)
        {
          records.append(record)
        } else {
          records.append(.unreadable(row.id, at: row.position))
        }
      }
      do throws(StoreError) {
        _ = try outbox.transferLimit()
      } catch {
        guard error.kind == .corrupt else { throw error }
        damaged += 1
      }
      return (records, damaged)
    }
  }

  /// Writes these down.
  public func write(_ records: [TransferRecord]) async throws(StoreError) {
    try await pool.run { [outbox] () throws(StoreError) in
      let encoder = JSONEncoder()
      var rows: [TransferRow] = []
      for record in records {
        guard let body = try? encoder.encode(RecordForm(record)) else {
          throw StoreError(.server, "The transfer of \"\(record.order.name)\" cannot be recorded.")
        }
        rows.append(TransferRow(id: record.id, position: record.position, body: Array(body)))
      }
      try outbox.putTransfers(rows)
    }
  }

  /// Crosses these out.
  public func remove(_ ids: [Transfer.ID]) async throws(StoreError) {
    try await pool.run { [outbox] () throws(StoreError) in try outbox.removeTransfers(ids) }
  }

  /// Bytes a second that a member allowed. A number that is damaged counts as none, and is told by `records`.
  public func limit() async throws(StoreError) -> UInt64? {
    try await pool.run { [outbox, usualLimit] () throws(StoreError) in
      do throws(StoreError) {
        guard let said = try outbox.transferLimit() else { return usualLimit }
        return said.map { UInt64(clamping: $0) }
      } catch {
        guard error.kind == .corrupt else { throw error }
        return usualLimit
      }
    }
  }

  /// Keeps a limit.
  public func setLimit(_ bytesPerSecond: UInt64?) async throws(StoreError) {
    try await pool.run { [outbox] () throws(StoreError) in
      try outbox.setTransferLimit(bytesPerSecond.map { Int64(clamping: $0) })
    }
  }

  /// Crosses out what was done or cancelled before `time`, and of the rest all but the newest `count`. What was done, and
  /// no member has seen yet, counts as old only before `unseen`.
  public func forgetFinished(
    before time: Timestamp, unseenBefore unseen: Timestamp? = nil, keeping count: Int
  ) async throws(StoreError) {
    let over = try await records().records.filter { $0.phase == .done || $0.phase == .cancelled }
      .sorted { ($0.ended ?? $0.created) > ($1.ended ?? $1.created) }
    let old = over.enumerated().filter { place, record in
      let limit = record.phase == .done && !record.isTold ? unseen ?? time : time
      return place >= count || (record.ended ?? record.created) < limit
    }
    try await remove(old.map(\.element.id))
  }
}
