/// What comes from a terminal.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// Text was pasted: UTF-8 bytes as they came, line ends as line feeds. Never keys.
  case paste([UInt8])
  /// The mouse was used.
  case mouse(Mouse)
  /// The terminal has another size.
  case resize(Size)
  /// The program was told to end (SIGTERM, SIGHUP), or the terminal is gone.
  case terminate
  /// The program is in the foreground again after a stop.
  case resumed
  /// The terminal's window is looked at from now on, or no longer. Not all terminals tell.
  case focus(Bool)

  /// One mouse event at a cell.
  public struct Mouse: Hashable, Sendable {
    /// What was done.
    public enum Kind: Hashable, Sendable {
      case press, release, drag, wheelUp, wheelDown
    }
    /// What was done.
    public var kind: Kind
    /// Where.
    public var point: Point
    /// Makes an event.
    public init(_ kind: Kind, at point: Point) {
      self.kind = kind
      self.point = point
    }
  }
}
