public import Basics
public import Database
public import FileStores
import JSON
public import Transfers

public struct OutboxTransferJournal: TransferJournal {
  private let outbox: OutboxDatabase
  private let pool: BlockingPool
  private let usualLimit: UInt64?
  private let own: @Sendable ([TransferRecord]) async -> [TransferRecord]
  private let late: @Sendable () async -> [TransferRecord]?

  /// Blocking calls run on the pool. `limit` applies until a member sets another one, or none. `own` leaves out the records
  /// of other accounts: an engine neither shows, runs nor changes them. `late` is `lateRecords`.
  public init(
    _ outbox: OutboxDatabase, pool: BlockingPool, limit: UInt64? = nil,
    own: @escaping @Sendable ([TransferRecord]) async -> [TransferRecord] = { $0 },
    late: @escaping @Sendable () async -> [TransferRecord]? = { nil }
  ) {
    self.outbox = outbox
    self.pool = pool
    usualLimit = limit
    (self.own, self.late) = (own, late)
  }

  /// The cost does not depend on the number of rows.
  public func isEmpty() async throws(StoreError) -> Bool {
    try await pool.run { [outbox] () throws(StoreError) in try !outbox.hasTransfers() }
  }

  /// The member's records; damage as in `allRecords`.
  public func records() async throws(StoreError) -> (records: [TransferRecord], damaged: Int) {
    let (all, damaged) = try await allRecords()
    return (await own(all), damaged)
  }

  public func lateRecords() async -> [TransferRecord]? { await late() }

  /// All records, those of other accounts, too. An unreadable row becomes a failed transfer with that error until it is dismissed. Rows without an
  /// id, and a damaged limit, count as damaged.
  public func allRecords() async throws(StoreError) -> (records: [TransferRecord], damaged: Int) {
    try await pool.run { [outbox] () throws(StoreError) in
      var records: [TransferRecord] = []
      var damaged = 0
      var ids: Set<Transfer.ID> = []
      for row in try outbox.transfers() {
        guard !row.id.isEmpty, ids.insert(row.id).inserted else {
          damaged += 1
          continue
        }
        if !row.isDamaged, let json = try? JSONReader.read(row.body),
          let record = try? TransferRecord(json, id: row.id, position: row.position)
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

  /// The local files and folders of all transfers, of every account, that are not done or cancelled.
  public func neededFiles() async throws(StoreError) -> Set<String> {
    Set(try await allRecords().records.filter { $0.phase != .done && $0.phase != .cancelled }.map(\.order.local))
  }

  public func write(_ records: [TransferRecord]) async throws(StoreError) {
    try await pool.run { [outbox] () throws(StoreError) in
      let rows = records.map { record in
        TransferRow(id: record.id, position: record.position, body: Array(record.json.encoded.utf8))
      }
      try outbox.putTransfers(rows)
    }
  }

  public func remove(_ ids: [Transfer.ID]) async throws(StoreError) {
    try await pool.run { [outbox] () throws(StoreError) in try outbox.removeTransfers(ids) }
  }

  /// A damaged limit counts as unset; `records` counts it.
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

  public func setLimit(_ bytesPerSecond: UInt64?) async throws(StoreError) {
    try await pool.run { [outbox] () throws(StoreError) in
      try outbox.setTransferLimit(bytesPerSecond.map { Int64(clamping: $0) })
    }
  }

  /// Removes records that were done or cancelled before `time`, and of the rest all but the newest `count`. For a done
  /// record that no member has seen, `unseen` applies instead of `time`.
  /// - Returns: the number of damaged rows, as `records` counts them.
  @discardableResult
  public func forgetFinished(
    before time: Timestamp, unseenBefore unseen: Timestamp? = nil, keeping count: Int
  ) async throws(StoreError) -> Int {
    let (all, damaged) = try await allRecords()
    let over = all.filter { $0.phase == .done || $0.phase == .cancelled }
      .sorted { ($0.ended ?? $0.created) > ($1.ended ?? $1.created) }
    let old = over.enumerated().filter { place, record in
      let limit = record.phase == .done && !record.isAcknowledged ? unseen ?? time : time
      return place >= count || (record.ended ?? record.created) < limit
    }
    try await remove(old.map(\.element.id))
    return damaged
  }
}

extension StoreError {
  public static var unreadableTransfer: StoreError {
    StoreError(
      .corrupt, "byteclub cannot read the record of this transfer.",
      remedy: "If the file is missing, begin the transfer again; then remove this one from the list.")
  }
}

extension TransferRecord {
  /// Stands for a row that is damaged or needs a later version: a failed transfer of which only the id is known.
  static func unreadable(_ id: Transfer.ID, at position: Int64) -> TransferRecord {
    let order = TransferOrder(club: "", store: "", work: .download(folder: ""), path: .root, name: "unknown file")
    var record = TransferRecord(id: id, order: order, created: Timestamp(seconds: 0), position: position)
    record.phase = .failed
    record.error = .unreadableTransfer
    // The row is not written anew: a later version may understand it.
    record.isAcknowledged = true
    return record
  }
}

extension TransferOrder {
  /// True for the placeholder of an unreadable row.
  public var isUnreadable: Bool { store.isEmpty }
}
