public enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// Line ends become line feeds; other bytes stay. A paste never becomes keys.
  case paste([UInt8])
  case mouse(Mouse)
  case resize(Size)
  /// SIGTERM, SIGHUP, or the loss of the terminal.
  case terminate
  case resumed
  /// Not all terminals report it.
  case focus(Bool)
  /// 0xRRGGBB.
  case background(UInt32)
  /// An answer that the terminal's edge takes itself.
  case report(TerminalReport)
  /// The terminal can do more or less than it was known to.
  case abilities(TerminalAbilities)

  public struct Mouse: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      case press, release, drag, wheelUp, wheelDown
    }
    public var kind: Kind
    public var point: Point

    public init(_ kind: Kind, at point: Point) {
      self.kind = kind
      self.point = point
    }
  }
}
