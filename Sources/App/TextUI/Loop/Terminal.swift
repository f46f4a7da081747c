/// Only the loop's thread calls the members, except for `waker`.
public protocol Terminal: AnyObject {
  var size: Size { get }
  var abilities: TerminalAbilities { get }
  /// Ends a `wait` from any thread.
  var waker: @Sendable () -> Void { get }
  /// Sleeps, without polling, until input, a signal, `waker`, or the end of `seconds`.
  func wait(seconds: Int?) -> [InputEvent]
  /// Writes only the changes. All grids must come from one canvas.
  func paint(_ grid: Grid)
  /// The next `paint` writes everything.
  func invalidate()
  /// Restores the terminal, stops the process, and takes the terminal again when the process continues.
  func suspend()
  func handOver(to program: ExternalProgram) -> ExternalProgram.End
  func bell()
  func copy(_ text: String)
  /// As far as the terminal can; the bell replaces a missing notification. Title and progress are removed whenever
  /// another program gets the terminal.
  func tell(_ message: TerminalMessage)
  /// The answer, if any, comes as an event at any later time.
  func askBackground()
}

extension Terminal {
  public func wait() -> [InputEvent] { wait(seconds: nil) }

  public func askBackground() {}
}

public struct TerminalAbilities: Sendable, Hashable {
  public enum Colors: Int, Sendable, Hashable, Comparable {
    case none, sixteen, palette, trueColor
    public static func < (left: Colors, right: Colors) -> Bool { left.rawValue < right.rawValue }
  }
  /// Terminals cut or drop longer text that is offered to the clipboard, xterm at some 75,000 bytes.
  public static let mostCopiedBytes = 74_000

  public var colors: Colors
  public var asciiOnly: Bool
  /// From the environment; nil if unknown.
  public var background: Theme.Background?
  public var graphics: GraphicsMode
  /// The pixels of a cell; a guess where the terminal does not say.
  public var cell: Size

  public init(
    colors: Colors, asciiOnly: Bool = false, background: Theme.Background? = nil, graphics: GraphicsMode = .halfBlocks,
    cell: Size = Size(10, 20)
  ) {
    self.background = background
    (self.graphics, self.cell) = (graphics, cell)
    self.colors = colors
    self.asciiOnly = asciiOnly
  }
}

public enum TerminalMessage: Sendable, Hashable {
  /// For a member who looks elsewhere. Any text; filtered like drawn text.
  case notification(String)
  /// nil restores the original. Any text; filtered like drawn text.
  case title(String?)
  /// For the window's icon or tab; nil removes it.
  case progress(TerminalProgress?)
}

public struct TerminalProgress: Sendable, Hashable {
  public let percent: Int
  public let isPaused: Bool

  /// Clamps `percent` to 0 to 100.
  public init(percent: Int, isPaused: Bool = false) {
    self.percent = max(0, min(100, percent))
    self.isPaused = isPaused
  }
}
