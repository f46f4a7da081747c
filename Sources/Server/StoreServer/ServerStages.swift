import ServiceLifecycle
import Synchronization
import UnixSignals

/// The stages in the life of a server.
public enum ServerStage: Sendable {
  /// It answers at all addresses. The port is that of the first one with a host, 0 if there are sockets alone.
  case listening(port: Int, metrics: Int?)
  case reloading
  /// The new certificate is in use, or the old one still is.
  case reloaded
  case stopping
}

/// Calls back when a graceful shutdown begins.
struct StopNotice: Service, CustomStringConvertible {
  let stopping: @Sendable () -> Void

  var description: String { "StopNotice" }

  func run() async throws {
    do { try await gracefulShutdown() } catch is CancellationError { return }
    stopping()
  }
}

/// Calls back at each SIGHUP.
struct HangupService: Service, CustomStringConvertible {
  /// Made before the server says that it serves: from then on a SIGHUP ends nothing.
  let signals: UnixSignalsSequence
  let hangup: @Sendable () async -> Void

  var description: String { "HangupService" }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await _ in signals { await hangup() }
    }
  }
}

/// The listeners at all addresses, which stop together.
struct Listeners: Service, CustomStringConvertible {
  let all: [(address: ListenAddress, service: any Service)]

  var description: String { "Listeners" }

  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (address, service) in all {
        group.addTask {
          defer { address.close() }
          do {
            try await service.run()
          } catch {
            throw ListenFault.error(error, at: address) ?? error
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Calls back once, when all listeners have their ports.
final class ListeningLatch: Sendable {
  private let state = Mutex<(ports: [Int: Int], metrics: Int?, isDone: Bool)>(([:], nil, false))
  private let count: Int
  /// The number of the listener whose port is reported.
  private let first: Int
  private let needsMetrics: Bool
  private let ready: @Sendable (Int, Int?) -> Void

  init(_ addresses: [ListenAddress], needsMetrics: Bool, _ ready: @escaping @Sendable (Int, Int?) -> Void) {
    (count, first) = (addresses.count, addresses.firstIndex { $0.host != nil } ?? 0)
    (self.needsMetrics, self.ready) = (needsMetrics, ready)
  }

  func note(port: Int, of number: Int) { note { $0.ports[number] = port } }

  func note(metrics port: Int) { note { $0.metrics = port } }

  private func note(_ change: (inout (ports: [Int: Int], metrics: Int?, isDone: Bool)) -> Void) {
    let found = state.withLock { state -> (Int, Int?)? in
      change(&state)
      guard state.ports.count == count, let port = state.ports[first], state.metrics != nil || !needsMetrics,
        !state.isDone
      else { return nil }
      state.isDone = true
      return (port, state.metrics)
    }
    if let found { ready(found.0, found.1) }
  }
}
