import FileStores
import FoundationEssentials
import Glibc
import Synchronization
import Transfers

/// Another process, as the owner of the transfers sees it: what it asks is done in its order, and when it has attached
/// it is told what delegates are told. One that does not read, or says what is no request, is cut; the owner never waits
/// for it.
final class DeskGuest: TransferDelegate {
  private let carrier: any TransferControl
  private let journal: String
  private let executor: (any TaskExecutor)?
  private let left: @Sendable () -> Void
  private let lines: AsyncStream<[UInt8]>
  private let connection: LineConnection

  /// Takes over a connection.
  init(
    _ descriptor: Int32, carrier: any TransferControl, journal: String, executor: (any TaskExecutor)?,
    left: @escaping @Sendable () -> Void
  ) {
    (self.carrier, self.journal, self.executor, self.left) = (carrier, journal, executor, left)
    let (lines, entrance) = AsyncStream.makeStream(of: [UInt8].self)
    self.lines = lines
    connection = LineConnection(owning: descriptor, maxLineBytes: TransferRequest.maxBytes) { event in
      switch event {
      case .line(let line): entrance.yield(line)
      case .end: entrance.finish()
      }
    }
  }

  /// Begins to listen to it.
  func start() {
    connection.start()
    Task.detached(executorPreference: executor) { [self] in
      var isKnown = false
      for await line in lines {
        guard let request = try? JSONDecoder().decode(TransferRequest.self, from: Data(line)) else {
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

  /// Says goodbye, after what waits has been sent.
  func end() { connection.finish() }

  private func greet(_ request: TransferRequest) -> Bool {
    guard case .hello(let version, let journal) = request else {
      connection.cut()
      return false
    }
    var problem: StoreError?
    if version != TransferRequest.version {
      problem = StoreError(
        .unsupported, "Another version of byteclub runs the transfers (process \(getpid())).",
        remedy: "End it, and try again.")
    } else if journal != self.journal {
      problem = StoreError(
        .unsupported, "A byteclub with other data runs transfers (process \(getpid()), \(self.journal)).",
        remedy: "End it, or give each data directory its own XDG_RUNTIME_DIR.")
    }
    if let problem {
      say(.refused(error: ErrorForm(problem)))
      connection.finish()
      return false
    }
    say(.hello(version: TransferRequest.version, process: getpid()))
    return true
  }

  private func answer(_ request: TransferRequest) async {
    switch request {
    case .hello: connection.cut()
    case .add(let number, let orders):
      await reply(number) { () throws(StoreError) in
        var all: [TransferOrder] = []
        for form in orders { all.append(try form.order) }
        return .added(number: number, ids: try await carrier.add(all))
      }
    case .perform(let number, let command):
      await reply(number) { () throws(StoreError) in
        try await carrier.perform(command.command)
        return .done(number: number)
      }
    case .transfers(let number):
      await reply(number) { () throws(StoreError) in
        .transfers(number: number, transfers: try await carrier.transfers().map { TransferForm($0) })
      }
    case .limit(let number):
      await reply(number) { () throws(StoreError) in
        .limit(number: number, bytesPerSecond: try await carrier.limit())
      }
    case .attach(let number):
      await carrier.attach(self)
      say(.done(number: number))
    }
  }

  private func reply(_ number: Int, _ body: () async throws(StoreError) -> TransferAnswer) async {
    do throws(StoreError) {
      say(try await body())
    } catch {
      say(.failed(number: number, error: ErrorForm(error)))
    }
  }

  private func say(_ answer: TransferAnswer, replacing key: String? = nil) {
    guard let line = try? JSONEncoder().encode(answer) else { return connection.cut() }
    connection.send(Array(line), replacing: key)
  }

  // MARK: - As a delegate

  func transferDidAppear(_ transfer: Transfer) { say(.appeared(TransferForm(transfer))) }

  func transfer(_ transfer: Transfer, didSend bytes: UInt64, of total: UInt64?) {
    say(.progressed(TransferForm(transfer)), replacing: transfer.id)
  }

  func transfer(_ transfer: Transfer, didReceive bytes: UInt64, of total: UInt64?) {
    say(.progressed(TransferForm(transfer)), replacing: transfer.id)
  }

  func transfer(_ transfer: Transfer, didResumeAt offset: UInt64, of total: UInt64?) {
    connection.settle(transfer.id)
    say(.resumed(TransferForm(transfer), offset: offset))
  }

  func transfer(_ transfer: Transfer, didEnter state: TransferState) {
    connection.settle(transfer.id)
    say(.entered(TransferForm(transfer)))
  }

  func transferDidFinish(_ transfer: Transfer) {
    connection.settle(transfer.id)
    say(.finished(TransferForm(transfer)))
  }

  func transferDidDisappear(_ id: Transfer.ID) {
    connection.settle(id)
    say(.disappeared(id: id))
  }

  func transfersDidReorder(_ ids: [Transfer.ID]) { say(.reordered(ids: ids)) }
}
