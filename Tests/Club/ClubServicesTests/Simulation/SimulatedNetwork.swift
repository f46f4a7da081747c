import FileStores
import Synchronization

/// The network of a simulated club. Each request of a machine waits for the simulation twice: before the server gets it,
/// and before the machine gets the answer.
final class SimulatedNetwork: Sendable {
  enum Fate: Sendable {
    case passes, isLost, isBusy, isBroken
  }

  struct Turn: Sendable {
    let number: Int
    let link: SimulatedLink
    let call: StoreCallName
    let path: StorePath
    let isAnswer: Bool
    fileprivate let continuation: UnsafeContinuation<Fate, Never>

    func end(_ fate: Fate) { continuation.resume(returning: fate) }
  }

  private struct State {
    var turns: [Turn] = []
    var last = 0
    var nanoseconds: Int64 = 1_780_000_000_000_000_000
  }

  private let state = Mutex(State())

  /// The requests and answers under way, oldest first.
  var count: Int { state.withLock { $0.turns.count } }

  func take(_ index: Int) -> Turn { state.withLock { $0.turns.remove(at: index) } }

  /// One time for all machines and the server. Each look is a moment later, so that no order is left to chance.
  var now: Timestamp {
    state.withLock { state in
      state.nanoseconds += 1_000_000
      return Timestamp(nanoseconds: state.nanoseconds)
    }
  }

  func tick() { state.withLock { $0.nanoseconds += 1_000_000_000 } }

  fileprivate func turn(
    of link: SimulatedLink, _ call: StoreCallName, _ path: StorePath, isAnswer: Bool
  ) async -> Fate {
    await withUnsafeContinuation { continuation in
      state.withLock { state in
        state.last += 1
        state.turns.append(
          Turn(
            number: state.last, link: link, call: call, path: path, isAnswer: isAnswer, continuation: continuation))
      }
    }
  }
}

/// The way of one process to the server. A process that has crashed gets and sends nothing.
final class SimulatedLink: StoreWrapper {
  private struct State {
    var isDead = false
    var isConnected: Bool
    var afterMove: (@Sendable (StorePath, StorePath) async -> Void)?
  }

  let base: any FileStore
  let machine: Int
  private let network: SimulatedNetwork
  private let state: Mutex<State>

  init(_ base: any FileStore, machine: Int, isConnected: Bool, _ network: SimulatedNetwork) {
    (self.base, self.machine, self.network) = (base, machine, network)
    state = Mutex(State(isConnected: isConnected))
  }

  var isDead: Bool { state.withLock(\.isDead) }
  func die() { state.withLock { $0.isDead = true } }

  var isConnected: Bool {
    get { state.withLock(\.isConnected) }
    set { state.withLock { $0.isConnected = newValue } }
  }

  /// Gets the paths of each rename that the server has made, before the answer goes out.
  func watchMoves(_ body: @escaping @Sendable (StorePath, StorePath) async -> Void) {
    state.withLock { $0.afterMove = body }
  }

  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    let (base, watch) = (base, state.withLock(\.afterMove))
    return try await call(StoreCall(.move, path, "rename")) { () async throws(StoreError) in
      let moved = try await base.move(path, to: target, ifRevision: ifRevision)
      await watch?(path, target)
      return moved
    }
  }

  func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    try check(await turn(call, isAnswer: false), call.path)
    let answer: Result<Answer, StoreError>
    do throws(StoreError) {
      answer = .success(try await body())
    } catch {
      answer = .failure(error)
    }
    try check(await turn(call, isAnswer: true), call.path)
    return try answer.get()
  }

  private func turn<Answer>(_ call: StoreCall<Answer>, isAnswer: Bool) async -> SimulatedNetwork.Fate {
    guard isConnected, !isDead else { return .isLost }
    return await network.turn(of: self, call.name, call.path, isAnswer: isAnswer)
  }

  private func check(_ fate: SimulatedNetwork.Fate, _ path: StorePath) throws(StoreError) {
    if isDead || !isConnected { throw StoreError(.offline, "The server does not answer.", path: path) }
    switch fate {
    case .passes: return
    case .isLost: throw StoreError(.offline, "The connection broke.", path: path)
    case .isBusy: throw StoreError(.rateLimited, "Too many requests.", path: path, retryAfter: .seconds(1))
    case .isBroken: throw StoreError(.server, "The server has failed.", path: path)
    }
  }
}
