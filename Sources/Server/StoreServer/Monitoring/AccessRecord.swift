import Hummingbird
public import Logging
import NIOCore
import Synchronization

/// One answered request, for the access log and the metrics. It has no token, no query, no secret part of a link and no
/// name of a file.
public struct AccessRecord: Sendable {
  /// The request's id, as in the answer's `X-Dropbox-Request-Id`.
  public let request: String
  /// The client's IP address.
  public let client: String
  /// The member's name; nil for a request without a valid token.
  public var member: String?
  /// The name of the club; nil if no club of several knows the request's credentials.
  public var club: String?
  public let method: String
  /// The route's path, which is a constant of the program.
  public let call: String
  /// The first letters of a drop page's address, which separate its requests in the log; nil for other routes.
  public var page: String?
  public let status: Int
  /// Bytes of the request's body that were read.
  public var received: UInt64 = 0
  /// Bytes of the answer's body; fewer than announced if the connection broke.
  public var sent: UInt64 = 0
  /// From the head of the request to the end of a large answer, or until a small one was ready.
  public var seconds: Double = 0
  /// The faults of a server that fails on purpose.
  public var chaos: String?

  public var milliseconds: Int { Int(seconds * 1000) }

  /// The line of the log in its text form, behind time, level and request id.
  public var line: String {
    let fault = chaos.map { ", chaos: \($0)" } ?? ""
    return
      "\(client) \(member ?? "-") \(method) \(call)\(page.map { $0 + "…" } ?? "") \(status) \(milliseconds) ms\(fault)"
  }

  init(request: String, client: String, method: String, call: String, status: Int) {
    (self.request, self.client, self.method, self.call, self.status) = (request, client, method, call, status)
  }

  /// Writes the text form.
  public static let writeLine: @Sendable (AccessRecord, Logger) -> Void = { record, logger in
    logger.info("\(record.line)", metadata: ["hb.request.id": .string(record.request)])
  }
}

/// Passes each answered request to the access log and the metrics.
struct RequestMonitor: Sendable {
  let metrics: ServerMetrics
  let write: @Sendable (AccessRecord, Logger) -> Void

  /// Answers up to this size are recorded before they are sent, which keeps their fast way to the socket.
  private static let largestUncounted = 64 * 1024

  func note(_ record: AccessRecord, _ logger: Logger) {
    metrics.note(record)
    write(record, logger)
  }

  /// Records the answer: a small one now, any other when all of it is sent or its connection has ended.
  /// - Parameter began: the time of the request's head.
  func note(_ record: AccessRecord, of response: inout Response, began: ContinuousClock.Instant, _ logger: Logger) {
    var record = record
    if let length = response.body.contentLength, length <= RequestMonitor.largestUncounted {
      record.sent = UInt64(length)
      record.seconds = (ContinuousClock.now - began) / .seconds(1)
      return note(record, logger)
    }
    let pending = PendingRecord(record, began: began) { self.note($0, logger) }
    let body = response.body
    response.body = ResponseBody(contentLength: body.contentLength) { writer in
      defer { pending.end() }
      try await body.write(CountingWriter(parent: writer, pending: pending))
    }
  }
}

/// Counts bytes from any task.
final class ByteCounter: Sendable {
  private let bytes = Atomic<UInt64>(0)

  var total: UInt64 { bytes.load(ordering: .relaxed) }

  func add(_ count: Int) { bytes.wrappingAdd(UInt64(count), ordering: .relaxed) }
}

/// The record of an answer that is being sent. It is written once: at the end, or when the answer is dropped.
private final class PendingRecord: Sendable {
  private let record: Mutex<AccessRecord?>
  private let began: ContinuousClock.Instant
  private let write: @Sendable (AccessRecord) -> Void
  let sent = ByteCounter()

  init(_ record: AccessRecord, began: ContinuousClock.Instant, write: @escaping @Sendable (AccessRecord) -> Void) {
    self.record = Mutex(record)
    (self.began, self.write) = (began, write)
  }

  deinit { end() }

  func end() {
    guard var done = record.withLock({ $0.take() }) else { return }
    done.sent = sent.total
    done.seconds = (ContinuousClock.now - began) / .seconds(1)
    write(done)
  }
}

private struct CountingWriter: ResponseBodyWriter {
  var parent: any ResponseBodyWriter
  let pending: PendingRecord

  @concurrent mutating func write(_ buffer: ByteBuffer) async throws {
    try await parent.write(buffer)
    pending.sent.add(buffer.readableBytes)
  }

  @concurrent consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await parent.finish(trailingHeaders)
  }
}
