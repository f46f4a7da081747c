import FileStores
import POSIX
import Synchronization
import Transfers

/// Listens for this user's other processes, in the process that owns the transfers.
final class TransferServer: Sendable {
  static let socket = "transfers.sock"
  private static let maxClients = 64

  private struct State {
    var sessions: [Int: ClientSession] = [:]
    var last = 0
    var isClosed = false
  }

  private let carrier: any TransferControl
  private let journal: String
  private let executor: (any TaskExecutor)?
  private let state = Mutex(State())
  private let listener = Mutex<LineListener?>(nil)

  init(_ carrier: any TransferControl, journal: String, executor: (any TaskExecutor)?) {
    (self.carrier, self.journal, self.executor) = (carrier, journal, executor)
  }

  func open(in directory: String) throws(StoreError) {
    let new = try LineListener(at: Self.socket, in: directory) { [weak self] connection in
      if let self { self.accept(connection) } else { POSIX.close(connection) }
    }
    listener.withLock { $0 = new }
  }

  func close() async {
    listener.withLock { listener in
      listener?.close()
      listener = nil
    }
    let sessions = state.withLock { state in
      state.isClosed = true
      return Array(state.sessions.values)
    }
    // Pending events are still sent.
    for session in sessions { await carrier.detach(session) }
    for session in sessions { session.end() }
  }

  private func accept(_ connection: Int32) {
    let session = state.withLock { state -> ClientSession? in
      guard !state.isClosed, state.sessions.count < Self.maxClients else { return nil }
      state.last += 1
      let number = state.last
      let session = ClientSession(
        connection, carrier: carrier, journal: journal, executor: executor,
        left: { [weak self] in self?.state.withLock { _ = $0.sessions.removeValue(forKey: number) } })
      state.sessions[number] = session
      return session
    }
    if let session { session.start() } else { POSIX.close(connection) }
  }
}

/// One client of the server. Its requests are carried out in their order; once it has attached, it gets all events. A
/// client that does not read, or sends anything but requests, is cut off: the server never waits for it.
final class ClientSession: TransferDelegate {
  private let carrier: any TransferControl
  private let journal: String
  private let executor: (any TaskExecutor)?
  private let left: @Sendable () -> Void
  private let lines: AsyncStream<[UInt8]>
  private let connection: LineConnection

  init(
    _ descriptor: Int32, carrier: any TransferControl, journal: String, executor: (any TaskExecutor)?,
    left: @escaping @Sendable () -> Void
  ) {
    (self.carrier, self.journal, self.executor, self.left) = (carrier, journal, executor, left)
    let (lines, entrance) = AsyncStream.makeStream(of: [UInt8].self)
    self.lines = lines
    connection = LineConnection(owning: descriptor, maxLineBytes: TransferMessage.maxRequestBytes) { event in
      switch event {
      case .line(let line): entrance.yield(line)
      case .end: entrance.finish()
      }
    }
  }

  func start() {
    connection.start()
    Task.detached(executorPreference: executor) { [self] in
      var isKnown = false
      for await line in lines {
        guard let request = TransferMessage(line, maxBytes: TransferMessage.maxRequestBytes) else {
          connection.cut()
          break
        }
        if isKnown { await answer(request) } else { isKnown = greet(request) }
        connection.handled()
        if !isKnown { break }
      }
      await carrier.detach(self)
      left()
    }
  }

  func end() { connection.finish() }

  private func greet(_ request: TransferMessage) -> Bool {
    guard case .hello(let version, let journal) = request else {
      connection.cut()
      return false
    }
    var problem: StoreError?
    if version != TransferMessage.version {
      problem = StoreError(
        .unsupported, "Another version of byteclub runs the transfers (process \(getpid())).",
        remedy: "End it, and try again.")
    } else if journal != self.journal {
      problem = StoreError(
        .unsupported, "A byteclub with other data runs transfers (process \(getpid()), \(self.journal)).",
        remedy: "End it, or give each data directory its own XDG_RUNTIME_DIR.")
    }
    if let problem {
      send(.refused(problem))
      connection.finish()
      return false
    }
    send(.welcome(version: TransferMessage.version, process: getpid()))
    return true
  }

  private func answer(_ request: TransferMessage) async {
    switch request {
    case .add(let number, let orders):
      await reply(number) { () throws(StoreError) in .added(number, try await carrier.add(orders)) }
    case .perform(let number, let command):
      await reply(number) { () throws(StoreError) in
        try await carrier.perform(command)
        return .done(number)
      }
    case .list(let number, let file):
      await reply(number) { () throws(StoreError) in
        guard let file else { return .listed(number, try await carrier.transfers()) }
        return .listed(number, try await carrier.transfers(ofLocal: file))
      }
    case .askLimit(let number):
      await reply(number) { () throws(StoreError) in .limit(number, try await carrier.limit()) }
    case .attach(let number):
      await carrier.attach(self)
      send(.done(number))
    case .hello, .welcome, .refused, .added, .done, .failed, .listed, .limit, .event: connection.cut()
    }
  }

  private func reply(_ number: Int, _ body: () async throws(StoreError) -> TransferMessage) async {
    do throws(StoreError) {
      send(try await body())
    } catch {
      send(.failed(number, error))
    }
  }

  private func send(_ message: TransferMessage, replacing key: String? = nil) {
    connection.send(message.line, replacing: key)
  }

  /// Newer progress replaces progress that still waits.
  func report(_ event: TransferEvent) {
    if case .progressed(let transfer) = event { return send(.event(event), replacing: transfer.id) }
    if let id = event.id { connection.settle(id) }
    send(.event(event))
  }
}
