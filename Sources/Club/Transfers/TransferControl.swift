public import FileStores

/// Orders and controls transfers: the engine in the process that owns them, or a connection to that process.
public protocol TransferControl: Sendable {
  /// Appends orders to the queue. When this returns they are durable and survive the death of every process.
  /// - Throws: `quota`, `notPermitted`, `corrupt` or `server` if the journal cannot be written; then it takes no order.
  func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID]

  /// The command is in the journal when this returns; delegates get its consequences as events.
  func perform(_ command: TransferCommand) async throws(StoreError)

  /// All transfers: first the queue in its order, then ended ones, newest first.
  func transfers() async throws(StoreError) -> [Transfer]

  /// Those of one file of this machine, in the same order. Each planned upload asks for them, among thousands.
  func transfers(ofLocal file: String) async throws(StoreError) -> [Transfer]

  /// Bytes a second for all transfers together; nil without a limit.
  func limit() async throws(StoreError) -> UInt64?

  /// Reports all events to `delegate` from now on, beginning with the existing transfers.
  func attach(_ delegate: any TransferDelegate) async
  func detach(_ delegate: any TransferDelegate) async

  /// Waits until the transfer is over or the task is cancelled.
  /// - Returns: the transfer in its state then; nil if it does not exist.
  func ended(_ id: Transfer.ID) async -> Transfer?
}

extension TransferControl {
  public func transfers(ofLocal file: String) async throws(StoreError) -> [Transfer] {
    try await transfers().filter { $0.local == file }
  }
}

public protocol TransferCarrier: TransferControl {
  /// Reads the journal and begins.
  func start() async throws(StoreError)
  /// Stops and keeps durable progress; afterwards the journal may go to another process.
  func stop() async
}

/// A member's command. It does nothing if the transfer does not exist or its state does not allow it.
public enum TransferCommand: Sendable, Hashable {
  /// Pauses and keeps the sent or received bytes.
  case pause(Transfer.ID)
  case resume(Transfer.ID)
  case cancel(Transfer.ID)
  /// Continues a failed transfer, or begins a cancelled one anew.
  case retry(Transfer.ID)
  case move(Transfer.ID, TransferMove)
  /// Removes an ended transfer from the list, and the bytes that a failed one had kept.
  case dismiss(Transfer.ID)
  case acknowledge(Transfer.ID)
  case pauseAll
  /// Bytes a second for all transfers together; nil for no limit. Also applies after a restart.
  case limit(UInt64?)
}

public enum TransferMove: String, Sendable, Hashable, CaseIterable {
  case up, down, first, last

  func target(from place: Int, of count: Int) -> Int {
    switch self {
    case .up: max(0, place - 1)
    case .down: min(count - 1, place + 1)
    case .first: 0
    case .last: count - 1
    }
  }
}

public enum TransferEvent: Sendable, Hashable {
  case appeared(Transfer)
  /// The count `sent` has grown.
  case progressed(Transfer)
  /// The transfer continues at `sent`, which may be less than the last progress.
  case resumed(Transfer)
  case entered(Transfer)
  case finished(Transfer)
  case disappeared(Transfer.ID)
  case reordered([Transfer.ID])

  package var id: Transfer.ID? {
    if case .disappeared(let id) = self { id } else { transfer?.id }
  }

  /// nil for `disappeared` and `reordered`.
  package var transfer: Transfer? {
    switch self {
    case .appeared(let transfer), .progressed(let transfer), .resumed(let transfer), .entered(let transfer),
      .finished(let transfer):
      transfer
    case .disappeared, .reordered: nil
    }
  }
}

/// Gets the events of transfers, of this process and of others.
///
/// - Calls come one at a time, in the order of the events, from any thread.
/// - `appeared` comes first for each transfer, also for transfers that existed when the delegate was attached.
/// - `progressed` comes at most ten times a second for one transfer, and once more with the last count before the
///   transfer leaves `running`. The count only grows until the next `resumed`. Only the state `done` says that the file
///   is complete, not a count that equals `total`.
/// - `finished` comes exactly once for each end of a transfer, after `entered` with the last state. A retry begins
///   again with `entered` and `queued`.
/// - `disappeared` is the last event of a transfer.
/// - The delegate is held until it is detached.
///
/// The caller waits for a delegate: return at once, and never wait for a transfer in a call.
public protocol TransferDelegate: AnyObject, Sendable {
  /// True if a member sees each reported end. The journal then marks the end as seen.
  var isSeen: Bool { get }
  func report(_ event: TransferEvent)
}

extension TransferDelegate {
  public var isSeen: Bool { false }
}
