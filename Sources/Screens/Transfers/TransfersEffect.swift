public import Transfers

/// What the transfers' part of the app asks to be done.
public enum TransfersEffect: Sendable {
  /// Tell everything that happens to transfers from now on.
  case attach
  /// Say something to transfers. Posted: commands are said in the order in which they were given.
  case say([TransferCommand])
  /// Say what was posted.
  case carryOut
  /// Tell the limit of their rate.
  case readLimit
  /// Open a finished download with the desktop's program.
  case openOutside(String)
  /// Tell whether another process carries the transfers out.
  case askToLeave
  /// Pause all transfers, as the app is about to quit.
  case pauseAndLeave
  /// Let the transfers go on without the app.
  case goOnInBackground
}
