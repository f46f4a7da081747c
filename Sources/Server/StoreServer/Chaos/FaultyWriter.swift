import HTTPTypes
import Hummingbird
import NIOCore

struct FaultyWriter: ResponseBodyWriter {
  struct Stop: Sendable {
    let at: UInt64
    let time: Duration
  }

  private var base: any ResponseBodyWriter
  private let pace: Pace?
  private let stop: Stop?
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

struct Pace: Sendable {
  let bytesPerSecond: UInt64
  private let began = ContinuousClock.now

  init(_ bytesPerSecond: UInt64) { self.bytesPerSecond = max(bytesPerSecond, 1) }

  /// A twentieth of a second, but at least 256 bytes.
  var piece: Int { Int(clamping: max(bytesPerSecond / 20, 256)) }

  /// Waits until this many bytes in total are due.
  func wait(for count: UInt64) async throws {
    let due = began + .seconds(Double(count) / Double(bytesPerSecond))
    if due > .now { try await Task.sleep(until: due) }
  }
}

struct PacedBytes: AsyncSequence, Sendable {
  let base: RequestBody
  let pace: Pace?
  /// `broken` is called after this many bytes.
  let limit: UInt64?
  let broken: @Sendable () async throws -> Void

  struct AsyncIterator: AsyncIteratorProtocol {
    var base: RequestBody.AsyncIterator
    let sequence: PacedBytes
    var count: UInt64 = 0

    @concurrent mutating func next() async throws -> ByteBuffer? {
      guard let buffer = try await base.next() else { return nil }
      count += UInt64(buffer.readableBytes)
      if let limit = sequence.limit, count > limit { try await sequence.broken() }
      try await sequence.pace?.wait(for: count)
      return buffer
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator(), sequence: self) }
}
