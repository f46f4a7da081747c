import FileStores

/// A job's line to the engine. The calls that throw do so (`cancelled`) when the transfer was asked to stop.
struct OldTransferReport: Sendable {
  let engine: OldTransferEngine
  let id: Transfer.ID

  func progressed(to bytes: UInt64) async throws(StoreError) { try await engine.progressed(id, to: bytes) }
  func resumed(at offset: UInt64) async throws(StoreError) { try await engine.resumed(id, at: offset) }
  func advanced(to state: TransferState) async throws(StoreError) { try await engine.advanced(id, to: state) }
  func learned(total: UInt64?) async { await engine.learned(id, total: total) }
  func moved(to path: StorePath) async { await engine.moved(id, to: path) }
  func placed(at place: String) async { await engine.placed(id, at: place) }
}
