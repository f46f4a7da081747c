/// What `Screen.update` asks the edge to do.
public enum Command<Effect: Sendable, Action: Sendable>: Sendable {
  /// Perform an effect. With a `key`, an earlier effect of the same key that still runs is cancelled: only for
  /// reads. A write has no key.
  case run(Effect, key: String? = nil)
  /// Hand an effect to `EffectPerformer.post`, on the loop's thread, in order with the others that are posted.
  case post(Effect)
  /// Cancel the running effect of a key.
  case cancel(key: String)
  /// Give the terminal to another program until it ends.
  case handOver(ExternalProgram, then: @Sendable (ExternalProgram.End) -> Action)
  /// Paint everything anew, whatever the terminal shows.
  case redraw
  /// Stop the process as Ctrl-Z does.
  case suspend
  /// Ring the bell.
  case bell
  /// Put text on the clipboard through the terminal (OSC 52); controls are dropped from it.
  case copy(String)
  /// Show something outside of the screen, as far as the terminal can.
  case tell(TerminalMessage)
  /// End the loop.
  case quit
}

/// A program that takes the terminal over, such as an editor.
public struct ExternalProgram: Sendable, Hashable {
  /// The program and its arguments; no shell is involved.
  public var arguments: [String]

  /// Makes a program.
  public init(_ arguments: [String]) { self.arguments = arguments }

  /// How it ended.
  public enum End: Sendable, Hashable {
    /// With an exit code.
    case exited(Int32)
    /// By a signal.
    case signalled(Int32)
    /// It could not be started, for this reason.
    case notStarted(String)
  }
}
