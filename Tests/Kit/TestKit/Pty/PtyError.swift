/// An error of a session on a pseudo terminal; the description shows the screen.
public struct PtyError: Error, CustomStringConvertible, Sendable {
  public let message: String
  /// The screen at that time.
  public let screen: String

  public var description: String {
    screen.isEmpty ? message : "\(message). The screen was:\n\(screen)"
  }
}
