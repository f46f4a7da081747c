/// Runs a screen on a terminal: events and actions in, at most one paint for all that came together.
///
/// One thread, asleep while nothing happens. There is no timer but that of a screen which has a `tick`.
public final class Loop<Root: Screen> {
  /// What the screen is now.
  public private(set) var state: Root.State
  /// Where effects tell what happened.
  public let mailbox: Mailbox<Root.Action>

  private let terminal: any Terminal
  private let performer: any EffectPerformer<Root.Effect, Root.Action>
  private let now: () -> Int64
  private let executor: (any TaskExecutor)?
  private var running: [String: Task<Void, Never>] = [:]
  private var canvas = Canvas(Size(0, 0))
  private var isDirty = true
  private var isOver = false
  /// What the clock said last.
  private var readAt: Int64 = 0

  /// A loop over `state`; the first frame is painted and then `commands` are carried out before the first event.
  /// `now` tells the seconds since 1970. Effects run on `executor`, without one on Swift's own pool.
  public init(
    _ state: Root.State, commands: [Command<Root.Effect, Root.Action>] = [], terminal: any Terminal,
    performer: any EffectPerformer<Root.Effect, Root.Action>, now: @escaping () -> Int64,
    executor: (any TaskExecutor)? = nil
  ) {
    self.state = state
    self.now = now
    self.executor = executor
    self.terminal = terminal
    self.performer = performer
    mailbox = Mailbox(wake: terminal.waker)
    readAt = now()
    Root.clockRead(&self.state, secondsSince1970: readAt)
    paint()
    carryOut(commands)
  }

  /// Runs until a `quit` command.
  public func run() {
    while !isOver { turn() }
    for task in running.values { task.cancel() }
  }

  /// Begins an effect, as a command would; for what is to be done after `run`.
  public func start(_ effect: Root.Effect) { start(effect, key: nil) }

  /// After `run`: blocks until all effects have ended (what was keyed is cancelled), at most so many seconds.
  /// - Returns: whether all have ended.
  public func settle(seconds: Double) -> Bool { mailbox.waitForEffects(seconds: seconds) }

  /// Waits for something to happen, lets it happen, and paints.
  public func turn() {
    let tick = Self.tick(&state)
    let events = terminal.wait(seconds: tick)
    let time = now()
    if tick != nil, time != readAt { isDirty = true }
    readAt = time
    Root.clockRead(&state, secondsSince1970: time)
    for event in events where !isOver {
      isDirty = true
      if let action = Self.action(for: event, in: &state) { apply(action) }
    }
    let actions = mailbox.drain()
    // Between keys there are none, and for an element type that is not known here even an empty loop costs something.
    if !actions.isEmpty { for action in actions where !isOver { apply(action) } }
    if isDirty, !isOver { paint() }
  }

  private func apply(_ action: Root.Action) {
    isDirty = true
    carryOut(Root.update(&state, action))
  }

  private func carryOut(_ commands: [Command<Root.Effect, Root.Action>]) {
    guard !commands.isEmpty else { return }
    for command in commands {
      switch command {
      case .run(let effect, let key): start(effect, key: key)
      case .post(let effect): performer.post(effect)
      case .cancel(let key): running.removeValue(forKey: key)?.cancel()
      case .handOver(let program, let then):
        apply(then(terminal.handOver(to: program)))
        terminal.invalidate()
      case .redraw: terminal.invalidate()
      case .suspend: terminal.suspend()
      case .bell: terminal.bell()
      case .copy(let text): terminal.copy(text)
      case .tell(let message): terminal.tell(message)
      case .quit: isOver = true
      }
    }
  }

  private func start(_ effect: Root.Effect, key: String?) {
    // The token is taken before the task starts: idle never means "about to begin".
    mailbox.effectStarts()
    let (performer, mailbox) = (performer, mailbox)
    let task = Task(executorPreference: executor) {
      await performer.perform(effect, Sender { mailbox.send($0, replacing: $1) })
      mailbox.effectEnded()
    }
    guard let key else { return }
    running[key]?.cancel()
    running[key] = task
  }

  private func paint() {
    canvas.begin(terminal.size)
    Self.draw(&state, on: &canvas)
    canvas.end()
    terminal.paint(canvas.grid)
    isDirty = false
  }

  // A property of a class is copied before it is handed to a function; what is passed as inout is not. A state has
  // dozens of parts that would each be retained and released for every key.

  private static func action(for event: InputEvent, in state: inout Root.State) -> Root.Action? {
    Root.action(for: event, in: state)
  }

  private static func tick(_ state: inout Root.State) -> Int? { Root.tick(state) }

  private static func draw(_ state: inout Root.State, on canvas: inout Canvas) { Root.draw(state, on: &canvas) }
}
