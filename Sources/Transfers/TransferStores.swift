public import FileStores

/// Opens the stores that transfers go to and come from, each with its own club's sign-in.
public protocol TransferStores: Sendable {
  /// The store of an order, opened once and kept.
  /// - Throws: `notFound` or `badInput` when the club is not in the config any more, or is another store there now.
  func store(for order: TransferOrder) async throws(StoreError) -> any FileStore
}
