import FileStores
import POSIX
import Synchronization
import TestKit
import Testing

@testable import Backends

/// A transport for a server's origin, without proxies and short timeouts unless a test names some.
func transport(
  _ urls: String..., change: (inout HTTPOptions) -> Void = { _ in }
) -> CurlTransport {
  var options = HTTPOptions(
    origins: Set(urls.compactMap { HTTPOrigin($0) }), timeouts: .patient, proxies: HTTPProxies())
  change(&options)
  return CurlTransport(options: options)
}

/// The time of a transport, which passes only when a test says so.
final class TransferTime: Sendable {
  private struct State {
    var passed = Duration.zero
    /// How often the time was read.
    var looks = 0
    weak var transport: CurlTransport?
  }

  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// The time that has passed.
  var passed: Duration { state.withLock { $0.passed } }

  /// A transport for one request at a time.
  func transport(_ url: String) -> CurlTransport {
    let options = HTTPOptions(origins: Set([url].compactMap { HTTPOrigin($0) }), proxies: HTTPProxies())
    let made = CurlTransport(options: options) {
      self.state.withLock { state in
        state.looks += 1
        return self.start + state.passed
      }
    }
    state.withLock { $0.transport = made }
    return made
  }

  func pass(_ duration: Duration) {
    state.withLock { state in
      state.passed += duration
      return state.transport
    }?.wake()
  }

  /// Blocks until the transport's thread has done all that was to do, from then on: it reads the time once a turn, and
  /// the second turn began later. Only while a request runs.
  func waitForTurn() {
    let before = state.withLock { $0.looks }
    while true {
      let (looks, transport) = state.withLock { ($0.looks, $0.transport) }
      guard looks < before + 2, let transport else { return }
      transport.wake()
      sched_yield()
    }
  }
}

/// A raw server for one test, stopped afterwards.
func withServer<Value>(
  receiveBuffer: Int32? = nil, _ handle: @escaping @Sendable (RawConnection) -> Void,
  _ body: (RawServer) async throws -> Value
) async throws -> Value {
  let server = try RawServer(receiveBuffer: receiveBuffer, handle: handle)
  defer { server.stop() }
  return try await body(server)
}

/// A server that answers each request, stopped afterwards.
func withAnswers<Value>(
  _ answer: @escaping @Sendable (RawRequest) -> RawAnswer, _ body: (RawServer) async throws -> Value
) async throws -> Value {
  let server = try RawServer.answering(answer)
  defer { server.stop() }
  return try await body(server)
}

/// Bytes that no mistake in order or place survives.
func pattern(_ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  var state: UInt32 = 1
  for index in bytes.indices {
    state = state &* 1_664_525 &+ 1_013_904_223
    bytes[index] = UInt8(state >> 24)
  }
  return bytes
}

/// Values that a transport's thread writes down.
final class Notes<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  var all: [Value] { values.withLock { $0 } }
  func add(_ value: Value) { values.withLock { $0.append(value) } }
  func removeAll() { values.withLock { $0.removeAll() } }
}

/// A number that several threads look at.
final class Counter: Sendable {
  private let number = Atomic(0)
  var value: Int { number.load(ordering: .sequentiallyConsistent) }
  @discardableResult func add(_ count: Int) -> Int {
    number.add(count, ordering: .sequentiallyConsistent).newValue
  }
}
