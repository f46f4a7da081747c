/// What went wrong in a session on a pseudo terminal; the description shows the screen.
public struct PtyError: Error, CustomStringConvertible, Sendable {
  /// What happened.
  public let message: String
  /// The screen then.
  public let screen: String

  /// Both.
  public var description: String {
    screen.isEmpty ? message : "\(message). The screen was:\n\(screen)"
  }
}
