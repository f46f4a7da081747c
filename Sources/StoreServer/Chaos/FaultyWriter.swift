import HTTPTypes
import Hummingbird
import NIOCore

/// Sends an answer's body slowly, with a stop in the middle, or not to its end.
struct FaultyWriter: ResponseBodyWriter {
  /// A stop on the way.
  struct Stop: Sendable {
    let at: UInt64
    let time: Duration
  }

  private var base: any ResponseBodyWriter
  private let pace: Pace?
  private let stop: Stop?
  /// Where the connection is closed.
  private let end: UInt64?
  private let close: @Sendable () async throws -> Void
  private var count: UInt64 = 0
  private var hasStopped = false

  init(
    _ base: any ResponseBodyWriter, pace: Pace?, stop: Stop?, end: UInt64?,
    close: @escaping @Sendable () async throws -> Void
  ) {
    (self.base, self.pace, self.stop, self.end, self.close) = (base, pace, stop, end, close)
  }

  @concurrent mutating func write(_ buffer: ByteBuffer) async throws {
    var rest = buffer
    while rest.readableBytes > 0 {
      if let stop, !hasStopped, count >= stop.at {
        hasStopped = true
        try await Task.sleep(for: stop.time)
      }
      var most = rest.readableBytes
      if let pace { most = min(most, pace.piece) }
      if let stop, !hasStopped { most = min(most, Int(clamping: stop.at - count)) }
      if let end { most = min(most, Int(clamping: end - count)) }
      if most > 0, let piece = rest.readSlice(length: most) {
        try await base.write(piece)
        count += UInt64(most)
        try await pace?.wait(for: count)
      }
      if let end, count >= end, rest.readableBytes > 0 { try await close() }
    }
  }

  @concurrent consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await base.finish(trailingHeaders)
  }
}
