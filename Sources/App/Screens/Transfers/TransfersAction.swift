public import FileStores
public import Transfers

public enum TransfersAction: Sendable {
  case input(MemberInput)
  /// nil has no effect.
  indirect case answered(TransfersAction?)
  case confirmed([TransferCommand])

  /// All existing transfers have appeared.
  case attached
  /// The transfers of other accounts, which are not shown.
  case othersCounted(Int)
  /// Also reported again.
  case appeared(Transfer)
  /// Progressed, changed its state, or continues at another offset.
  case changed(Transfer)
  case finished(Transfer)
  case disappeared(Transfer.ID)
  case reordered([Transfer.ID])
  /// Bytes a second; `isNew` if it was changed.
  case limited(UInt64?, isNew: Bool)

  case failed(TransfersEffect, StoreError)
  case reported(String)

  /// `isElsewhere` if another process runs the transfers; `canGoOn` if they can continue without the app.
  case leaveAsked(isElsewhere: Bool, canGoOn: Bool = true)
  /// The work before quitting is done.
  case left(farewell: String?)
}

extension TransfersAction: FailableAction {}

public enum TransfersEffect: Sendable {
  /// Report all events from now on.
  case attach
  case carryOut
  case readLimit
  /// Open a finished download with the desktop's program.
  case openOutside(String)
  case askToLeave
  case pauseAndLeave
  case goOnInBackground
}

/// Work in order.
public enum TransfersPosting: Sendable {
  case say([TransferCommand])
}
