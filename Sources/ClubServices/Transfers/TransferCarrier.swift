public import FileStores
public import Transfers

/// What carries out transfers while this process owns them: the engine, or, where nothing is to be carried out,
/// `StillTransfers`.
public protocol TransferCarrier: TransferControl {
  /// Reads the journal and begins.
  func start() async throws(StoreError)
  /// Stops at what is durable; afterwards the journal may go to another process.
  func stop() async
}
