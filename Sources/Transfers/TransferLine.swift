import FileStores

/// A job's line to the engine. The calls that throw do so (`cancelled`) when the job was asked to stop.
struct TransferLine: Sendable {
  let engine: TransferEngine
  let id: Transfer.ID

  /// Changes the record, durably before this returns.
  func keep(_ change: @Sendable (inout TransferRecord) -> Void) async throws(StoreError) -> TransferRecord {
    try await engine.keep(id, change)
  }

  /// Changes the record; it is written down with the next that are.
  func note(_ change: @Sendable (inout TransferRecord) -> Void) async -> TransferRecord {
    await engine.note(id, change)
  }

  func progressed(to bytes: UInt64) async throws(StoreError) { try await engine.progressed(id, to: bytes) }
  /// The store can have so many bytes, which it may not keep when the call fails. False when the job was asked to stop.
  func delivered(to bytes: UInt64) async -> Bool { await engine.delivered(id, to: bytes) }
  /// The store can have so many bytes, fewer than before. False when the job was asked to stop.
  func fellBack(to bytes: UInt64) async -> Bool { await engine.fellBack(id, to: bytes) }
  func resumed(at offset: UInt64) async throws(StoreError) { try await engine.resumed(id, at: offset) }
  func enter(_ event: TransferMachine.Event) async throws(StoreError) { try await engine.entered(id, event) }

  /// Bytes have come. Waits until more may; returns how many are to be handed on at once.
  func received(_ bytes: Int, to count: UInt64) async throws(StoreError) -> Int {
    try await engine.received(id, bytes, to: count)
  }

  /// Waits until so many bytes may go.
  func take(_ bytes: Int) async throws(StoreError) { try await engine.take(bytes) }
  /// How many bytes are handed on at once: fewer while there is a limit.
  var chunkBytes: Int { get async { await engine.chunkBytes } }
  var limit: UInt64? { get async { await engine.bucket.rate } }
  var time: Duration { engine.elapsed() }
  /// The names of all part files that a transfer has.
  var parts: Set<[UInt8]> { get async { await engine.parts } }
}
