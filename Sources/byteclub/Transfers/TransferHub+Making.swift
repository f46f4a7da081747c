import ClubServices
import Database
import FileStores
import Transfers

extension TransferHub {
  /// What is over is kept in the journal so long, and so many of it at most.
  private static let keptSeconds: Int64 = 24 * 3600
  private static let keptCount = 500
  /// What nobody has seen yet is kept so long.
  private static let keptUnseenSeconds: Int64 = 30 * 24 * 3600

  /// The transfers of this installation. Nothing is opened yet.
  ///
  /// With `carries` the engine works while this process is the owner; otherwise what is said is only written down.
  static func of(_ base: TransferBase, outbox: OutboxDatabase, carries: Bool = true) -> TransferHub {
    let limit = base.config.transferLimitKibibytes.map { UInt64($0) * 1024 }
    let journal = OutboxTransferJournal(outbox, pool: base.pool, limit: limit)
    let log = base.log
    return TransferHub(
      directory: base.paths.runtime, journal: base.paths.outboxFile, listens: carries, pool: base.pool,
      hasTransfers: { () throws(StoreError) in try await !journal.isEmpty() },
      onFailure: { log.error("the transfers could not be taken over", $0) }
    ) { () throws(StoreError) in
      guard carries else { return StillTransfers(journal: journal, now: { TransferBase.now }) }
      let now = TransferBase.now.seconds
      try await journal.forgetFinished(
        before: Timestamp(seconds: now - keptSeconds), unseenBefore: Timestamp(seconds: now - keptUnseenSeconds),
        keeping: keptCount)
      let engine = TransferEngine(
        journal: journal, stores: ClubStores(base), settings: base.config.transfers, pool: base.pool,
        executor: base.pool.tasks, now: { TransferBase.now })
      try await engine.start()
      let damaged = await engine.damaged
      if damaged > 0 { log.warning("rows of the journal of transfers cannot be read", ["rows": "\(damaged)"]) }
      log.info("carrying out transfers")
      return engine
    }
  }
}

extension Config {
  /// How transfers are carried out.
  var transfers: TransferSettings {
    TransferSettings(
      concurrent: concurrentTransfers, perStore: network.connectionsPerHost, pieceBytes: transferChunkMebibytes << 20)
  }
}
