/// Something that is shown outside of the screen: by the terminal's window, its tab, or the desktop.
public enum TerminalMessage: Sendable, Hashable {
  /// A sentence for a member who looks elsewhere. Any text; filtered as what is drawn is.
  case notification(String)
  /// The window's title; nil gives it back the one that it had. Any text; filtered as what is drawn is.
  case title(String?)
  /// How far something is, for the window's icon or tab; nil takes it away.
  case progress(TerminalProgress?)
}

/// How far something is.
public struct TerminalProgress: Sendable, Hashable {
  /// 0 to 100.
  public let percent: Int
  /// Whether it stands still for now.
  public let isPaused: Bool

  /// Makes one; what is beyond 0 to 100 is brought there.
  public init(percent: Int, isPaused: Bool = false) {
    self.percent = max(0, min(100, percent))
    self.isPaused = isPaused
  }
}
