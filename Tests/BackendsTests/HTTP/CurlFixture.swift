import Backends
import FileStores
import Synchronization
import TestKit
import Testing

/// A transport for a server's origin, without proxies unless a test names some.
func transport(
  _ urls: String..., change: (inout HTTPOptions) -> Void = { _ in }
) -> CurlTransport {
  var options = HTTPOptions(origins: Set(urls.compactMap { HTTPOrigin($0) }), proxies: HTTPProxies())
  change(&options)
  return CurlTransport(options: options)
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
