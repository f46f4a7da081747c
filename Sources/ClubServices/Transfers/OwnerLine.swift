import FileStores
import FoundationEssentials
import Glibc
import Synchronization
import Transfers

/// A line to the process that carries out the transfers.
final class OwnerLine: Sendable {
  /// What a call came to.
  enum Outcome: Sendable {
    case answer(TransferAnswer)
    /// The owner is gone; whether it did what was asked is not known.
    case lost
    /// The owner is there and says nothing.
    case silent
  }

  private struct State {
    var waiting: [Int: UnsafeContinuation<Outcome, Never>] = [:]
    var last = 0
    var process: Int32 = 0
    var isOver = false
    var source: TransferAudience.Source?
    var onEnd: (@Sendable () -> Void)?
  }

  /// How long an answer may take. A process that was stopped (Ctrl-Z) gives none.
  private static let patience = Duration.seconds(20)
  /// The number under which the answer to `hello` is waited for.
  private static let greeting = 0

  private let state = Mutex(State())
  private let connection = Mutex<LineConnection?>(nil)
  private let executor: (any TaskExecutor)?

  /// Connects to the owner, if one listens in that directory. Blocks for a moment.
  static func connect(in directory: String, executor: (any TaskExecutor)?) throws(StoreError) -> OwnerLine? {
    guard let descriptor = try LocalSocket.connect(to: OwnerDesk.socket, in: directory) else { return nil }
    return OwnerLine(descriptor, executor)
  }

  private init(_ descriptor: Int32, _ executor: (any TaskExecutor)?) {
    self.executor = executor
    let connection = LineConnection(owning: descriptor, maxLineBytes: TransferAnswer.maxBytes) { [weak self] event in
      self?.receive(event)
    }
    self.connection.withLock { $0 = connection }
  }

  deinit { connection.withLock { $0?.cut() } }

  /// Begins to talk, and tells everything to `source`. `onEnd` is called once when the owner has gone, unless that was
  /// said by `close`.
  /// - Returns: false when the owner went away meanwhile.
  /// - Throws: `unsupported` when it is another version; `server` when it does not answer.
  func open(
    journal: String, telling source: TransferAudience.Source, onEnd: @escaping @Sendable () -> Void
  ) async throws(StoreError) -> Bool {
    state.withLock { ($0.source, $0.onEnd) = (source, onEnd) }
    connection.withLock { $0 }?.start()
    switch await call(Self.greeting, .hello(version: TransferRequest.version, journal: journal)) {
    case .answer(.hello(_, let process)): state.withLock { $0.process = process }
    case .answer(.refused(let form)): throw try form.error
    case .silent: throw silence
    case .answer, .lost: return false
    }
    switch await call({ .attach(number: $0) }) {
    case .answer(.done): return true
    case .silent: throw silence
    case .answer, .lost: return false
    }
  }

  /// Asks, and waits for the answer. `make` gets the number of the request.
  func call(_ make: (Int) -> TransferRequest) async -> Outcome {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return await call(number, make(number))
  }

  /// Ends the line.
  func close() {
    state.withLock { $0.onEnd = nil }
    connection.withLock { $0 }?.cut()
  }

  /// That the owner does not answer.
  var silence: StoreError {
    let process = state.withLock { $0.process }
    let who = process > 0 ? " (process \(process))" : ""
    return StoreError(
      .server, "The byteclub that runs the transfers\(who) does not answer.",
      remedy: "When it is stopped, continue it (fg); otherwise end it, and try again.")
  }

  private func call(_ number: Int, _ request: TransferRequest) async -> Outcome {
    guard let line = try? JSONEncoder().encode(request) else { return .lost }
    let timer = Task.detached(executorPreference: executor) { [weak self] in
      guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
      self?.answer(number, .silent)
    }
    defer { timer.cancel() }
    return await withUnsafeContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting[number] = continuation }
        return state.isOver
      }
      if isOver { return continuation.resume(returning: .lost) }
      connection.withLock { $0 }?.send(Array(line))
    }
  }

  private func answer(_ number: Int, _ outcome: Outcome) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: outcome)
  }

  private func receive(_ event: LineConnection.Event) {
    switch event {
    case .end: ended()
    case .line(let line):
      defer { connection.withLock { $0 }?.handled() }
      guard let answer = try? JSONDecoder().decode(TransferAnswer.self, from: Data(line)), (try? take(answer)) != nil
      else {
        connection.withLock { $0 }?.cut()
        return
      }
    }
  }

  private func take(_ answer: TransferAnswer) throws(StoreError) {
    let source = state.withLock { $0.source }
    switch answer {
    case .hello, .refused: self.answer(Self.greeting, .answer(answer))
    case .added(let number, _), .done(let number), .failed(let number, _), .transfers(let number, _),
      .limit(let number, _):
      self.answer(number, .answer(answer))
    case .appeared(let form): source?.transferDidAppear(try form.transfer)
    case .progressed(let form):
      let transfer = try form.transfer
      switch transfer.direction {
      case .upload: source?.transfer(transfer, didSend: transfer.sent, of: transfer.total)
      case .download: source?.transfer(transfer, didReceive: transfer.sent, of: transfer.total)
      }
    case .resumed(let form, let offset):
      let transfer = try form.transfer
      source?.transfer(transfer, didResumeAt: offset, of: transfer.total)
    case .entered(let form):
      let transfer = try form.transfer
      source?.transfer(transfer, didEnter: transfer.state)
    case .finished(let form): source?.transferDidFinish(try form.transfer)
    case .disappeared(let id): source?.transferDidDisappear(id)
    case .reordered(let ids): source?.transfersDidReorder(ids)
    }
  }

  private func ended() {
    let (waiting, onEnd) = state.withLock { state in
      state.isOver = true
      defer { (state.waiting, state.onEnd, state.source) = ([:], nil, nil) }
      return (state.waiting, state.onEnd)
    }
    for continuation in waiting.values { continuation.resume(returning: .lost) }
    onEnd?()
  }
}
