public import Transfers

/// What happens to the transfers.
public enum TransfersAction: Sendable {
  /// The member did something in their view.
  case input(MemberInput)
  /// A question was answered; nil: nothing is to happen.
  indirect case answered(TransfersAction?)
  /// The member is sure.
  case confirmed([TransferCommand])

  /// All transfers that are there have appeared.
  case attached
  /// A transfer is there, or is told of anew.
  case appeared(Transfer)
  /// A transfer got on, is in another state, or goes on from another place.
  case changed(Transfer)
  /// A transfer is over.
  case finished(Transfer)
  /// A transfer was taken off the list.
  case disappeared(Transfer.ID)
  /// The order of the queue.
  case reordered([Transfer.ID])
  /// The limit of their rate; another one when that was asked for.
  case limited(UInt64?, isNew: Bool)

  /// Something failed.
  case failed(String)
  /// Something was done that is told in a sentence.
  case told(String)

  /// The member wants to quit: whether another process carries the transfers out, and whether they can go on without the
  /// app.
  case leaveAsked(isElsewhere: Bool, canGoOn: Bool = true)
  /// What has to be done before quitting is done; with a sentence for after it.
  case left(farewell: String?)
  /// It could not be done: the app stays.
  case stayed(String)
}

extension TransfersAction: FailableAction {}
