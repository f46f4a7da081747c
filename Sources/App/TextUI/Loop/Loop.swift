internal import Synchronization

/// Runs a screen on a terminal; paints at most once for all events and actions that arrive together.
/// One thread runs the loop and sleeps while idle. A screen's `tick` is the only timer.
public final class Loop<Root: Screen> {
  public private(set) var state: Root.State
  public let mailbox: Mailbox<Root.Action>
  /// Events that came before the first turn; after `run`, those that came with the one that ended it.
  public var pending: [InputEvent] = []

  private let terminal: any Terminal
  private let performer: any EffectPerformer<Root.Effect, Root.Posting, Root.Action>
  private let now: () -> Int64
  private let executor: (any TaskExecutor)?
  private let input: InputTurns?
  private var running: [String: KeyedEffect] = [:]
  /// Reads begin at the end of a turn, the newest of each key alone: 500 keys at once want one preview.
  private var asked: [(key: String, effect: Root.Effect)] = []
  private var canvas = Canvas(Size(0, 0))
  private var isDirty = true
  private var isOver = false
  /// Beyond this many keys, those of ended effects are forgotten.
  static var keptKeys: Int { 32 }
  var keyCount: Int { running.count }
  private var readAt: Int64 = 0

  /// Paints the first frame, then performs `commands`. `now` returns milliseconds since 1970; effects run on `executor`, or
  /// on Swift's own pool if nil; `input` counts the turns with input.
  public init(
    _ state: Root.State, commands: [Command<Root.Effect, Root.Posting, Root.Action>] = [], terminal: any Terminal,
    performer: any EffectPerformer<Root.Effect, Root.Posting, Root.Action>, now: @escaping () -> Int64,
    executor: (any TaskExecutor)? = nil, input: InputTurns? = nil
  ) {
    self.state = state
    self.now = now
    self.executor = executor
    self.input = input
    self.terminal = terminal
    self.performer = performer
    mailbox = Mailbox(wake: terminal.waker)
    readAt = now() / 1000
    Root.clockRead(&self.state, secondsSince1970: readAt)
    paint()
    carryOut(commands)
    startAsked()
  }

  /// Runs until a `quit` command.
  public func run() {
    while !isOver { turn() }
    for effect in running.values { effect.task.cancel() }
  }

  /// For work after `run`.
  public func start(_ effect: Root.Effect) { start(effect, key: nil) }

  /// Blocks after `run` until all effects have ended, at most `seconds`; returns true if they have. Effects with a key
  /// are already cancelled.
  public func settle(seconds: Double) -> Bool { mailbox.waitForEffects(seconds: seconds) }

  public func turn() {
    let tick = Self.tick(&state)
    let events = pending.isEmpty ? terminal.wait(seconds: tick) : pending
    pending = []
    if !events.isEmpty { input?.came() }
    let came = now()
    let time = came / 1000
    if tick != nil, time != readAt { isDirty = true }
    readAt = time
    Root.clockRead(&state, secondsSince1970: time)
    Root.eventsCame(&state, milliseconds: came)
    for event in events {
      if isOver {
        pending.append(event)
        continue
      }
      isDirty = true
      // Its glyphs may have other columns now.
      if case .abilities = event { canvas.forgetLines() }
      if let action = Self.action(for: event, in: &state) { apply(action) }
    }
    let actions = mailbox.drain()
    // The list is usually empty, and even an empty loop over an unspecialised element type costs.
    if !actions.isEmpty { for action in actions where !isOver { apply(action) } }
    // The member sees the answer before the reads for it begin.
    if isDirty, !isOver { paint() }
    startAsked()
  }

  private func apply(_ action: Root.Action) {
    isDirty = true
    carryOut(Root.update(&state, action))
  }

  private func carryOut(_ commands: [Command<Root.Effect, Root.Posting, Root.Action>]) {
    guard !commands.isEmpty else { return }
    for command in commands {
      switch command {
      case .run(let effect, nil): start(effect, key: nil)
      case .run(let effect, let key?):
        cancel(key)
        asked.append((key, effect))
      case .post(let posting): performer.post(posting)
      case .cancel(let key): cancel(key)
      case .handOver(let program, let then):
        startAsked()
        apply(then(terminal.handOver(to: program)))
        terminal.invalidate()
      case .redraw: terminal.invalidate()
      case .suspend:
        startAsked()
        terminal.suspend()
      case .bell: terminal.bell()
      case .copy(let text): terminal.copy(text)
      case .tell(let message): terminal.tell(message)
      case .askBackground: terminal.askBackground()
      case .quit: isOver = true
      }
    }
  }

  private func cancel(_ key: String) {
    running.removeValue(forKey: key)?.task.cancel()
    asked.removeAll { $0.key == key }
  }

  private func startAsked() {
    if asked.isEmpty { return }
    if !isOver { for (key, effect) in asked { start(effect, key: key) } }
    asked = []
  }

  private func start(_ effect: Root.Effect, key: String?) {
    // Counted before its task starts: an idle mailbox never has an effect about to begin.
    mailbox.effectStarts()
    let (performer, mailbox) = (performer, mailbox)
    let end = EffectEnd()
    let task = Task(executorPreference: executor) {
      await performer.perform(effect, Sender { mailbox.send($0, replacing: $1) })
      end.isOver.store(true, ordering: .releasing)
      mailbox.effectEnded()
    }
    guard let key else { return }
    running[key] = KeyedEffect(task: task, end: end)
    if running.count > Self.keptKeys { running = running.filter { !$1.end.isOver.load(ordering: .acquiring) } }
  }

  private func paint() {
    canvas.begin(terminal.size)
    Self.draw(&state, on: &canvas)
    canvas.end()
    terminal.paint(canvas.grid)
    isDirty = false
  }

  // Swift copies a class property before passing it to a function, but not for inout. A copied state would retain and
  // release dozens of parts for every key.

  private static func action(for event: InputEvent, in state: inout Root.State) -> Root.Action? {
    Root.action(for: event, in: state)
  }

  private static func tick(_ state: inout Root.State) -> Int? { Root.tick(state) }

  private static func draw(_ state: inout Root.State, on canvas: inout Canvas) { Root.draw(state, on: &canvas) }
}

private struct KeyedEffect {
  let task: Task<Void, Never>
  let end: EffectEnd
}

private final class EffectEnd: Sendable {
  let isOver = Atomic(false)
}
