/// The terminal as the loop sees it. All members are called on the loop's thread, but for `waker`.
public protocol Terminal: AnyObject {
  /// Columns and rows now.
  var size: Size { get }
  /// What it can show.
  var abilities: TerminalAbilities { get }
  /// Ends a `wait` from any thread.
  var waker: @Sendable () -> Void { get }
  /// Sleeps, without using the processor, until there is input, a signal or a call of `waker`, or so many seconds have
  /// passed; then returns all events that are there, perhaps none.
  func wait(seconds: Int?) -> [InputEvent]
  /// Makes the terminal show a grid, writing only what changed. Grids come from one canvas.
  func paint(_ grid: Grid)
  /// Writes everything at the next `paint`.
  func invalidate()
  /// Gives the terminal back, stops the process, and takes the terminal again when it goes on.
  func suspend()
  /// Gives the terminal to a program and waits for its end.
  func handOver(to program: ExternalProgram) -> ExternalProgram.End
  /// Rings the bell.
  func bell()
  /// Offers text to the clipboard.
  func copy(_ text: String)
  /// Shows something outside of the screen, as far as the terminal can; a notification rings the bell where it cannot
  /// show one. Title and progress are taken back whenever the terminal is given to somebody else.
  func tell(_ message: TerminalMessage)
}

extension Terminal {
  /// Sleeps until there is input, a signal or a call of `waker`.
  public func wait() -> [InputEvent] { wait(seconds: nil) }
}

/// What a terminal can show.
public struct TerminalAbilities: Sendable, Hashable {
  /// How many colours.
  public enum Colors: Int, Sendable, Hashable, Comparable {
    case none, sixteen, palette, trueColor
    /// The fewer are less.
    public static func < (left: Colors, right: Colors) -> Bool { left.rawValue < right.rawValue }
  }
  /// How many colours.
  public var colors: Colors
  /// Whether only ASCII should be drawn for bars and borders, by configuration.
  public var asciiOnly: Bool

  /// Makes abilities.
  public init(colors: Colors, asciiOnly: Bool = false) {
    self.colors = colors
    self.asciiOnly = asciiOnly
  }
}
