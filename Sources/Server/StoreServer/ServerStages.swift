import ServiceLifecycle
import Synchronization
import UnixSignals

/// The stages in the life of a server.
public enum ServerStage: Sendable {
  /// It answers at this port, and at the port of the metrics if it has one.
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
  let hangup: @Sendable () async -> Void

  var description: String { "HangupService" }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await _ in await UnixSignalsSequence(trapping: [.sighup]) { await hangup() }
    }
  }
}

/// Calls back once, when all listeners have their ports.
final class ListeningLatch: Sendable {
  private let state = Mutex<(port: Int?, metrics: Int?, isDone: Bool)>((nil, nil, false))
  private let needsMetrics: Bool
  private let ready: @Sendable (Int, Int?) -> Void

  init(needsMetrics: Bool, _ ready: @escaping @Sendable (Int, Int?) -> Void) {
    (self.needsMetrics, self.ready) = (needsMetrics, ready)
  }

  func note(port: Int) { note { $0.port = port } }

  func note(metrics port: Int) { note { $0.metrics = port } }

  private func note(_ change: (inout (port: Int?, metrics: Int?, isDone: Bool)) -> Void) {
    let found = state.withLock { state -> (Int, Int?)? in
      change(&state)
      guard let port = state.port, state.metrics != nil || !needsMetrics, !state.isDone else { return nil }
      state.isDone = true
      return (port, state.metrics)
    }
    if let found { ready(found.0, found.1) }
  }
}
