import FileStores
import Synchronization
import Transfers

@testable import Screens

/// Runs no transfers: sends the delegate the events of a test, and records commands.
final class ScriptedControl: TransferControl, TransferLeaving, DesktopOpener {
  struct State {
    var commands: [TransferCommand] = []
    var delegates: [any TransferDelegate] = []
    var error: StoreError?
  }

  let state = Mutex(State())

  var commands: [TransferCommand] { state.withLock { $0.commands } }
  var delegate: (any TransferDelegate)? { state.withLock { $0.delegates.last } }

  func fail(_ error: StoreError?) { state.withLock { $0.error = error } }

  private func check() throws(StoreError) {
    if let error = state.withLock({ $0.error }) { throw error }
  }

  func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] { orders.indices.map { "t\($0)" } }
  func perform(_ command: TransferCommand) async throws(StoreError) {
    try check()
    state.withLock { $0.commands.append(command) }
  }
  func transfers() async throws(StoreError) -> [Transfer] { [] }
  func limit() async throws(StoreError) -> UInt64? {
    try check()
    return 512_000
  }
  func attach(_ delegate: any TransferDelegate) async { state.withLock { $0.delegates.append(delegate) } }
  func detach(_ delegate: any TransferDelegate) async { state.withLock { $0.delegates.removeAll { $0 === delegate } } }
  func ended(_ id: Transfer.ID) async -> Transfer? { nil }

  func isElsewhere() async -> Bool { state.withLock { $0.error != nil } }
  func canGoOn() async -> Bool { true }
  func pauseAll() async throws(StoreError) { try check() }
  func goOnInBackground() async throws(StoreError) -> String? {
    try check()
    return "They go on."
  }

  func open(_ path: StorePath) async throws(StoreError) -> String { "Opened \"\(path)\"." }
  func open(address: String) async throws(StoreError) -> String { "Opened \"\(address)\"." }
  func open(file: String) async throws(StoreError) -> String {
    try check()
    return "Opened \"\(file)\"."
  }
}
