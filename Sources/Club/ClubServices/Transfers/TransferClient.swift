import Basics
import FileStores
import POSIX
import Synchronization

/// A connection to the process that owns the transfers.
final class TransferClient: Sendable {
  enum Outcome: Sendable {
    case answer(TransferMessage)
    /// The owner is gone; it may have carried out the request.
    case lost
    case silent
    case cancelled
  }

  private struct State {
    var waiting: [Int: PendingAnswer<Outcome>] = [:]
    var last = 0
    var process: Int32 = 0
    var isOver = false
    var source: TransferBroadcast.Source?
    var onEnd: (@Sendable () -> Void)?
  }

  private static let greeting = 0

  private let state = Mutex(State())
  private let connection = Mutex<LineConnection?>(nil)
  private let executor: (any TaskExecutor)?
  private let patience: Duration

  /// Connects to the owner, if one listens in that directory. Blocks briefly.
  /// - Parameter patience: the time limit for an answer. A stopped process (Ctrl-Z) gives none.
  static func connect(
    in directory: String, executor: (any TaskExecutor)?, patience: Duration
  ) throws(StoreError) -> TransferClient? {
    guard let descriptor = try LocalSocket.connect(to: TransferServer.socket, in: directory) else { return nil }
    return TransferClient(descriptor, executor, patience)
  }

  private init(_ descriptor: Int32, _ executor: (any TaskExecutor)?, _ patience: Duration) {
    (self.executor, self.patience) = (executor, patience)
    let connection = LineConnection(owning: descriptor, maxLineBytes: TransferMessage.maxAnswerBytes) {
      [weak self] event in
      self?.receive(event)
    }
    self.connection.withLock { $0 = connection }
  }

  deinit { connection.withLock { $0?.cut() } }

  /// Greets the owner, and reports all events to `source`. `onEnd` is called once the owner has gone, except after
  /// `close`.
  /// - Returns: false if the owner went away meanwhile.
  /// - Throws: `unsupported` if it is another version; `server` if it does not answer.
  func open(
    journal: String, telling source: TransferBroadcast.Source, onEnd: @escaping @Sendable () -> Void
  ) async throws(StoreError) -> Bool {
    state.withLock { ($0.source, $0.onEnd) = (source, onEnd) }
    connection.withLock { $0 }?.start()
    switch await call(Self.greeting, .hello(version: TransferMessage.version, journal: journal)) {
    case .answer(.welcome(_, let process)): state.withLock { $0.process = process }
    case .answer(.refused(let error)): throw error
    case .silent: throw silence
    case .answer, .lost, .cancelled: return false
    }
    switch await call({ .attach($0) }) {
    case .answer(.done): return true
    case .silent: throw silence
    case .answer, .lost, .cancelled: return false
    }
  }

  /// Sends a request with the given number, and waits for the answer or the task's cancellation.
  func call(_ make: (Int) -> TransferMessage) async -> Outcome {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return await call(number, make(number))
  }

  func close() {
    state.withLock { $0.onEnd = nil }
    connection.withLock { $0 }?.cut()
  }

  var silence: StoreError {
    let process = state.withLock { $0.process }
    let who = process > 0 ? " (process \(process))" : ""
    return StoreError(
      .server, "The byteclub that runs the transfers\(who) does not answer.",
      remedy: "When it is stopped, continue it (fg); otherwise end it, and try again.")
  }

  private func call(_ number: Int, _ request: TransferMessage) async -> Outcome {
    let timer = Task.detached(executorPreference: executor) { [weak self, patience] in
      guard (try? await TimerClock().sleep(for: patience)) != nil else { return }
      self?.answer(number, .silent)
    }
    defer { timer.cancel() }
    let pending = PendingAnswer<Outcome>()
    let isOver = state.withLock { state in
      if !state.isOver { state.waiting[number] = pending }
      return state.isOver
    }
    if isOver { return .lost }
    connection.withLock { $0 }?.send(request.line)
    if let outcome = await pending.value() { return outcome }
    state.withLock { _ = $0.waiting.removeValue(forKey: number) }
    return .cancelled
  }

  private func answer(_ number: Int, _ outcome: Outcome) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.give(outcome)
  }

  private func receive(_ event: LineConnection.Event) {
    switch event {
    case .end: ended()
    case .line(let line):
      defer { connection.withLock { $0 }?.handled() }
      guard let message = TransferMessage(line, maxBytes: TransferMessage.maxAnswerBytes), take(message) else {
        connection.withLock { $0 }?.cut()
        return
      }
    }
  }

  /// Returns false for a message that no server sends.
  private func take(_ message: TransferMessage) -> Bool {
    switch message {
    case .welcome, .refused: answer(Self.greeting, .answer(message))
    case .event(let event):
      if let source = state.withLock({ $0.source }) { source.report(event) }
    default:
      guard let number = message.answered else { return false }
      answer(number, .answer(message))
    }
    return true
  }

  private func ended() {
    let (waiting, onEnd) = state.withLock { state in
      state.isOver = true
      defer { (state.waiting, state.onEnd, state.source) = ([:], nil, nil) }
      return (state.waiting, state.onEnd)
    }
    for pending in waiting.values { pending.give(.lost) }
    onEnd?()
  }
}
