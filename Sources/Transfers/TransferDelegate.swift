/// Is told what becomes of transfers. Shaped like the delegates of NSURLSession; each call carries the transfer as it
/// then stood.
///
/// What a delegate can rely on, whether the transfers are carried out by this process or by another:
/// - Calls come one after the other, in the order in which things happened, from any thread.
/// - `transferDidAppear` comes first for each transfer, also for those that were there when the delegate was attached.
/// - Progress (`didSend`, `didReceive`) comes at most ten times a second for one transfer, and once more with the last
///   count before the transfer leaves `running`. Between two `didResumeAt` the count never goes down, and the same
///   count is never told twice.
/// - `didFinish` comes exactly once for each time that a transfer ends, after everything else, and after `didEnter` with
///   the last state. A retry begins again with `didEnter(.queued)`.
/// - `transferDidDisappear` is the last call for a transfer.
/// - A count that equals `total` does not mean that the file is there: that is known when the state is `done`.
/// - The delegate is held until it is detached.
///
/// The caller waits for a delegate: return at once, and never wait for a transfer from within a call.
public protocol TransferDelegate: AnyObject, Sendable {
  /// Whether a member sees each end that is told here: it is then written down as seen.
  var isSeen: Bool { get }
  /// There is such a transfer.
  func transferDidAppear(_ transfer: Transfer)
  /// The store has taken `bytes` bytes so far.
  func transfer(_ transfer: Transfer, didSend bytes: UInt64, of total: UInt64?)
  /// `bytes` bytes have been received so far.
  func transfer(_ transfer: Transfer, didReceive bytes: UInt64, of total: UInt64?)
  /// The transfer goes on from `offset`, which may be less than the last progress said.
  func transfer(_ transfer: Transfer, didResumeAt offset: UInt64, of total: UInt64?)
  /// The transfer is in another state than before, or waits for another time.
  func transfer(_ transfer: Transfer, didEnter state: TransferState)
  /// The transfer is over: `transfer.state` says how, `transfer.error` why.
  func transferDidFinish(_ transfer: Transfer)
  /// The transfer was taken off the list.
  func transferDidDisappear(_ id: Transfer.ID)
  /// The transfers are in this order now.
  func transfersDidReorder(_ ids: [Transfer.ID])
}

extension TransferDelegate {
  /// Nobody looks.
  public var isSeen: Bool { false }
}
