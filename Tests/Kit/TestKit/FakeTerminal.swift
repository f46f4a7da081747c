internal import Dispatch
internal import Synchronization
public import TextUI

/// A terminal for tests: events come from the test, and frames are recorded.
///
/// Any thread may call `send` and `waker`; all other calls belong on the loop's thread.
public final class FakeTerminal: Terminal {
  /// Columns and rows; a `.resize` event changes them.
  public private(set) var size: Size
  public let abilities: TerminalAbilities
  public private(set) var grid: Grid
  public private(set) var paintCount = 0
  public private(set) var invalidateCount = 0
  public private(set) var bellCount = 0
  public private(set) var suspendCount = 0
  /// The texts sent to the clipboard, in order.
  public private(set) var copied: [String] = []
  /// The seconds of the last wait.
  public private(set) var lastWait: Int?
  /// The messages shown outside the screen, in order.
  public private(set) var told: [TerminalMessage] = []
  /// The programs that had the terminal, in order.
  public private(set) var programs: [ExternalProgram] = []
  /// Simulates a program that gets the terminal; by default programs exit with 0.
  public var onHandOver: (ExternalProgram) -> ExternalProgram.End = { _ in .exited(0) }

  private final class Events: Sendable {
    struct State {
      var events: [InputEvent] = []
      var isWoken = false
    }
    let state = Mutex(State())
    let changed = DispatchSemaphore(value: 0)
  }

  private let events = Events()
  private let patience: DispatchTimeInterval

  /// Makes a terminal with pending events. A `wait` longer than `patience` seconds returns `.terminate`, which ends a
  /// failing test.
  public init(
    _ size: Size = Size(80, 24), abilities: TerminalAbilities = TerminalAbilities(colors: .palette),
    events: [InputEvent] = [], patience: Int = 240
  ) {
    self.size = size
    self.abilities = abilities
    self.patience = .seconds(patience)
    grid = Grid(size)
    self.events.state.withLock { $0.events = events }
  }

  /// Sends events to the loop; any thread may call.
  public func send(_ new: InputEvent...) { append(new) }

  /// Sends key presses by name, such as `Ctrl-S`; any thread may call.
  public func press(_ names: String...) {
    append(
      names.map { name in
        guard let key = Key(name) else { preconditionFailure("no key is called \(name)") }
        return .key(key)
      })
  }

  /// Sends a key press for each character; any thread may call.
  public func type(_ text: String) { append(text.unicodeScalars.map { .key(Key(.character($0))) }) }

  private func append(_ new: [InputEvent]) {
    events.state.withLock { $0.events += new }
    events.changed.signal()
  }

  /// Ends a `wait`.
  public var waker: @Sendable () -> Void {
    { [events] in
      events.state.withLock { $0.isWoken = true }
      events.changed.signal()
    }
  }

  /// Returns all pending events; blocks if there are none. Time does not pass: a test that wants `seconds` to end calls
  /// `waker`.
  public func wait(seconds: Int?) -> [InputEvent] {
    lastWait = seconds
    let deadline = DispatchTime.now() + patience
    while true {
      let taken: [InputEvent]? = events.state.withLock { state in
        guard !state.events.isEmpty || state.isWoken else { return nil }
        defer { state = Events.State() }
        return state.events
      }
      if let taken {
        for case .resize(let size) in taken { self.size = size }
        return taken
      }
      if events.changed.wait(timeout: deadline) == .timedOut { return [.terminate] }
    }
  }

  public func paint(_ grid: Grid) {
    self.grid = grid
    paintCount += 1
  }

  public func invalidate() { invalidateCount += 1 }

  /// Counts, and sends a `.resumed` event.
  public func suspend() {
    suspendCount += 1
    append([.resumed])
  }

  /// Calls `onHandOver`.
  public func handOver(to program: ExternalProgram) -> ExternalProgram.End {
    programs.append(program)
    return onHandOver(program)
  }

  /// The number of questions for the background.
  public private(set) var backgroundCount = 0

  public func askBackground() { backgroundCount += 1 }

  public func bell() { bellCount += 1 }

  public func copy(_ text: String) { copied.append(text) }

  public func tell(_ message: TerminalMessage) { told.append(message) }
}
