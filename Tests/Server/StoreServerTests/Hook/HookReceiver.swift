import Backends
import FileStores
import JSON
import Synchronization
import TestKit

@testable import StoreServer

/// A receiver of a hook on loopback, with the answers of a test.
final class HookReceiver: Sendable {
  static let key = Array("a key of some length".utf8)
  static let time: Int64 = 1_700_000_000

  struct Delivery: Sendable {
    let id: String
    let signature: String
    let body: String

    init(_ request: RawRequest) {
      id = request.headers["X-Byteclub-Delivery"] ?? ""
      signature = request.headers["X-Byteclub-Signature"] ?? ""
      body = String(decoding: request.body, as: UTF8.self)
    }

    var json: JSON {
      get throws { try JSONReader.read(Array(body.utf8)) }
    }
  }

  private final class Deliveries: Sendable {
    let all = Mutex<[Delivery]>([])
  }

  private let deliveries: Deliveries
  private let stream: AsyncStream<Delivery>
  private let server: RawServer

  /// - Parameter answer: by the number of the delivery, from 0; nil to say nothing.
  init(_ answer: @escaping @Sendable (Int) -> RawAnswer?) throws {
    let (stream, arrived) = AsyncStream<Delivery>.makeStream()
    let deliveries = Deliveries()
    server = try RawServer { connection in
      while let request = connection.request() {
        let delivery = Delivery(request)
        let number = deliveries.all.withLock { all in
          all.append(delivery)
          return all.count - 1
        }
        arrived.yield(delivery)
        guard let answer = answer(number) else { return connection.waitUntilClosed() }
        guard connection.send(answer), !answer.closes else { return }
      }
    }
    (self.stream, self.deliveries) = (stream, deliveries)
  }

  deinit { server.stop() }

  var all: [Delivery] { deliveries.all.withLock { $0 } }

  /// The next deliveries, which must come.
  func next(_ count: Int = 1) async -> [Delivery] {
    var found: [Delivery] = []
    for await delivery in stream {
      found.append(delivery)
      if found.count == count { break }
    }
    return found
  }

  /// A hook that posts to this receiver.
  func hook(
    _ clock: any Clock<Duration>, allowsPrivate: Bool = true, now: (@Sendable () -> Int64)? = { HookReceiver.time }
  ) throws -> EventHook {
    let web = PublicWeb(allowsPrivate: allowsPrivate, timeouts: .patient)
    let url = server.url + "/hook?secret"
    return try EventHook(
      key: Self.key, clock: clock, now: now,
      post: { (body, headers) throws(StoreError) in try await web.post(body, to: url, headers) })
  }
}
