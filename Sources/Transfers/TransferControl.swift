public import FileStores

/// Where transfers are ordered and steered: `TransferEngine`, when this process carries them out, or a line to the
/// process that does.
public protocol TransferControl: Sendable {
  /// Takes orders, in this order, at the end of the queue. They are in the journal, durably, when this returns: they are
  /// carried out even when every process dies now.
  /// - Returns: a word for each.
  /// - Throws: `quota`, `notPermitted`, `corrupt` or `server` when the journal cannot be written; then none was taken.
  func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID]

  /// Says something to transfers. It is known to the journal when this returns; what it leads to is told to the delegates.
  func perform(_ command: TransferCommand) async throws(StoreError)

  /// All transfers, in the order of the queue; those that are over last, the newest of them first.
  func transfers() async throws(StoreError) -> [Transfer]

  /// Bytes a second that all transfers together may take; nil without a limit.
  func limit() async throws(StoreError) -> UInt64?

  /// Tells `delegate` of everything from now on, beginning with all transfers that are there.
  func attach(_ delegate: any TransferDelegate) async
  /// Tells `delegate` nothing more.
  func detach(_ delegate: any TransferDelegate) async

  /// Waits until the transfer is over.
  /// - Returns: as it then is; nil when there is none.
  func ended(_ id: Transfer.ID) async -> Transfer?
}
