import FileStores
import Synchronization
import Transfers

@testable import ClubServices

/// The journal that several fake owners share, one after the other.
final class SharedList: Sendable {
  struct State {
    var transfers: [Transfer] = []
    var limit: UInt64?
    var carriers = 0
    var carrying = 0
    var mostCarrying = 0
    var commands: [TransferCommand] = []
    var added = 0
    var asked: [String] = []
  }
  let state = Mutex(State())

  var commands: [TransferCommand] { state.withLock { $0.commands } }
  /// The files of which transfers were asked for.
  var asked: [String] { state.withLock { $0.asked } }
  var ids: [Transfer.ID] { state.withLock { $0.transfers.map(\.id) } }
  /// How many were owners so far, and how many at once at most.
  var owners: (all: Int, atOnce: Int) { state.withLock { ($0.carriers, $0.mostCarrying) } }
  /// Takes one off, as another process would.
  func forget(_ id: Transfer.ID) { state.withLock { $0.transfers.removeAll { $0.id == id } } }
  /// A transfer as another process would have written it down.
  func change(_ id: Transfer.ID, _ body: (inout Transfer) -> Void) {
    state.withLock { state in
      for at in state.transfers.indices where state.transfers[at].id == id { body(&state.transfers[at]) }
    }
  }
}

/// Carries out nothing: the test says what happens.
actor FakeCarrier: TransferCarrier {
  private let list: SharedList
  private var delegates: [any TransferDelegate] = []
  /// Called before an order is answered.
  private let beforeAnswer: (@Sendable () async -> Void)?
  /// The transfer that fails at the start.
  private let failing: Transfer.ID?

  /// Called before a new delegate gets the transfers.
  private let beforeReport: (@Sendable (any TransferDelegate) async -> Void)?

  init(
    _ list: SharedList, failing: Transfer.ID? = nil, beforeAnswer: (@Sendable () async -> Void)? = nil,
    beforeReport: (@Sendable (any TransferDelegate) async -> Void)? = nil
  ) {
    (self.list, self.failing, self.beforeAnswer) = (list, failing, beforeAnswer)
    self.beforeReport = beforeReport
  }

  func start() async throws(StoreError) {
    list.state.withLock { state in
      state.carriers += 1
      state.carrying += 1
      state.mostCarrying = max(state.mostCarrying, state.carrying)
    }
    if let failing { enter(failing, .failed) }
  }

  func stop() async { list.state.withLock { $0.carrying -= 1 } }

  func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] {
    let new = list.state.withLock { state in
      orders.map { order in
        state.added += 1
        var transfer = Transfer(id: "t\(state.added)", direction: order.direction, name: order.name, path: order.path)
        transfer.club = order.club
        switch order.work {
        case .upload(let file, let size, _, _, _): (transfer.local, transfer.total) = (file, size)
        case .download(let folder): transfer.local = folder
        }
        state.transfers.append(transfer)
        return transfer
      }
    }
    for transfer in new {
      for delegate in delegates { delegate.report(.appeared(transfer)) }
    }
    await beforeAnswer?()
    return new.map(\.id)
  }

  func perform(_ command: TransferCommand) async throws(StoreError) {
    list.state.withLock { state in
      state.commands.append(command)
      if case .limit(let rate) = command { state.limit = rate }
    }
    if case .retry("refused") = command { throw StoreError(.quota, "The disk is full.", remedy: "Make room.") }
  }

  func transfers() async throws(StoreError) -> [Transfer] { list.state.withLock { $0.transfers } }
  /// All, as an owner of an earlier version answers.
  func transfers(ofLocal file: String) async throws(StoreError) -> [Transfer] {
    list.state.withLock { state in
      state.asked.append(file)
      return state.transfers
    }
  }
  func limit() async throws(StoreError) -> UInt64? { list.state.withLock { $0.limit } }

  func attach(_ delegate: any TransferDelegate) async {
    await beforeReport?(delegate)
    delegates.append(delegate)
    for transfer in list.state.withLock({ $0.transfers }) { delegate.report(.appeared(transfer)) }
  }

  func detach(_ delegate: any TransferDelegate) async { delegates.removeAll { $0 === delegate } }
  func ended(_ id: Transfer.ID) async -> Transfer? { nil }

  /// So many bytes are there.
  func progress(_ id: Transfer.ID, to bytes: UInt64) {
    tell(id, TransferEvent.progressed) { $0.sent = bytes }
  }

  func enter(_ id: Transfer.ID, _ state: TransferState) {
    enterOnly(id, state)
    if state.isOver { tell(id, TransferEvent.finished) { _ in } }
  }

  /// The last state, without the word that it was the end.
  func enterOnly(_ id: Transfer.ID, _ state: TransferState) {
    tell(id, TransferEvent.entered) { $0.state = state }
  }

  private func tell(_ id: Transfer.ID, _ event: (Transfer) -> TransferEvent, _ change: (inout Transfer) -> Void) {
    list.change(id, change)
    guard let transfer = list.state.withLock({ $0.transfers.first { $0.id == id } }) else { return }
    for delegate in delegates { delegate.report(event(transfer)) }
  }
}

/// Writes down the reports, and checks what every delegate can rely on.
final class WitnessDelegate: TransferDelegate {
  private struct State {
    var lines: [String] = []
    var known: Set<Transfer.ID> = []
    var faults: [String] = []
    var watchers: [(String, CheckedContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())

  var lines: [String] { state.withLock { $0.lines } }
  /// What should not have been reported.
  var faults: [String] { state.withLock { $0.faults } }

  /// Returns when the line has been reported.
  func heard(_ line: String) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.lines.contains(line) { continuation.resume() } else { state.watchers.append((line, continuation)) }
      }
    }
  }

  private func tell(_ line: String, _ id: Transfer.ID? = nil) {
    let ready = state.withLock { state in
      if let id, !state.known.contains(id) { state.faults.append("unknown: \(line)") }
      state.lines.append(line)
      defer { state.watchers.removeAll { $0.0 == line } }
      return state.watchers.filter { $0.0 == line }
    }
    for watcher in ready { watcher.1.resume() }
  }

  func report(_ event: TransferEvent) {
    switch event {
    case .appeared(let transfer):
      state.withLock { state in
        if !state.known.insert(transfer.id).inserted { state.faults.append("twice: \(transfer.id)") }
      }
      tell("\(transfer.id) appeared \(transfer.state)")
    case .progressed(let transfer):
      let verb = transfer.direction == .upload ? "sent" : "received"
      tell("\(transfer.id) \(verb) \(transfer.sent)", transfer.id)
    case .resumed(let transfer): tell("\(transfer.id) resumed \(transfer.sent)", transfer.id)
    case .entered(let transfer): tell("\(transfer.id) entered \(transfer.state)", transfer.id)
    case .finished(let transfer): tell("\(transfer.id) finished \(transfer.state)", transfer.id)
    case .disappeared(let id):
      tell("\(id) disappeared", id)
      state.withLock { _ = $0.known.remove(id) }
    case .reordered(let ids): tell("order \(ids.joined(separator: " "))")
    }
  }
}
