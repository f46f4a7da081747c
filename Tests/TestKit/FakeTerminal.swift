internal import Dispatch
internal import Synchronization
public import TextUI

/// A terminal without a terminal: events come from a test, frames are kept.
///
/// `send` and `waker` may be called from any thread; the rest on the loop's.
public final class FakeTerminal: Terminal {
  /// Columns and rows; a `.resize` event changes them.
  public private(set) var size: Size
  /// What it can show.
  public let abilities: TerminalAbilities
  /// The last frame.
  public private(set) var grid: Grid
  /// How many frames were painted.
  public private(set) var paintCount = 0
  /// How often everything was to be written anew.
  public private(set) var invalidateCount = 0
  /// How often the bell rang.
  public private(set) var bellCount = 0
  /// How often the process was to be stopped.
  public private(set) var suspendCount = 0
  /// What was put on the clipboard, in order.
  public private(set) var copied: [String] = []
  /// How long the last wait was to be at most.
  public private(set) var lastWait: Int?
  /// What was shown outside of the screen, in order.
  public private(set) var told: [TerminalMessage] = []
  /// Programs that had the terminal, in order.
  public private(set) var programs: [ExternalProgram] = []
  /// Plays a program to which the terminal is handed over; without it, programs end with 0.
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

  /// A terminal with events that are there from the start. A `wait` for longer than `patience` seconds returns
  /// `.terminate`, so that a test which has gone wrong ends.
  public init(
    _ size: Size = Size(80, 24), abilities: TerminalAbilities = TerminalAbilities(colors: .palette),
    events: [InputEvent] = [], patience: Int = 10
  ) {
    self.size = size
    self.abilities = abilities
    self.patience = .seconds(patience)
    grid = Grid(size)
    self.events.state.withLock { $0.events = events }
  }

  /// Gives the loop events; any thread.
  public func send(_ new: InputEvent...) { append(new) }

  /// Gives the loop key presses by their names, such as `Ctrl-S`; any thread.
  public func press(_ names: String...) {
    append(
      names.map { name in
        guard let key = Key(name) else { preconditionFailure("no key is called \(name)") }
        return .key(key)
      })
  }

  /// Gives the loop a key press for each character; any thread.
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

  /// Returns all events that are there; sleeps when there are none. No time passes: a test that wants `seconds` to be
  /// over calls `waker`.
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

  /// Keeps a frame.
  public func paint(_ grid: Grid) {
    self.grid = grid
    paintCount += 1
  }

  /// Counts.
  public func invalidate() { invalidateCount += 1 }

  /// Counts, and makes a `.resumed` event.
  public func suspend() {
    suspendCount += 1
    append([.resumed])
  }

  /// Asks `onHandOver`.
  public func handOver(to program: ExternalProgram) -> ExternalProgram.End {
    programs.append(program)
    return onHandOver(program)
  }

  /// Counts.
  public func bell() { bellCount += 1 }

  /// Keeps the text.
  public func copy(_ text: String) { copied.append(text) }

  /// Keeps the message.
  public func tell(_ message: TerminalMessage) { told.append(message) }
}
