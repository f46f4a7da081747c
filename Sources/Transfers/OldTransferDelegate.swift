public import FileStores

/// Is told what becomes of transfers. Shaped like the delegates of NSURLSession.
///
/// What a delegate can rely on:
/// - Calls for one transfer come one after the other, in the order in which things happened, from any thread. Calls
///   for different transfers of one engine never overlap either.
/// - The first calls may come before the call that started the transfer has returned its ID.
/// - Progress (`didSend`, `didReceive`) comes at most ten times a second for one transfer, and once more with the last
///   count before the transfer leaves `running`. Between two `didResumeAt` the count never goes down, and the same
///   count is never told twice.
/// - `transferDidFinish` comes exactly once, after everything else, and after `didEnter` with the last state. After it
///   the engine lets go of the delegate; until then it holds it.
/// - A count that equals `total` does not mean that the file is there: that is known when the state is `done`.
///
/// The engine waits for a delegate: return at once, and never wait for the engine from within a call.
public protocol OldTransferDelegate: AnyObject, Sendable {
  /// The store has taken `bytes` bytes so far.
  func transfer(_ id: Transfer.ID, didSend bytes: UInt64, of total: UInt64?)
  /// `bytes` bytes have been received so far.
  func transfer(_ id: Transfer.ID, didReceive bytes: UInt64, of total: UInt64?)
  /// The transfer goes on from `offset`, which may be less than the last progress said.
  func transfer(_ id: Transfer.ID, didResumeAt offset: UInt64, of total: UInt64?)
  /// The transfer is in another state than before.
  func transfer(_ id: Transfer.ID, didEnter state: TransferState)
  /// The transfer is over. A transfer that was cancelled is a failure of kind `cancelled`.
  func transferDidFinish(_ id: Transfer.ID, _ result: Result<FileEntry, StoreError>)
}
