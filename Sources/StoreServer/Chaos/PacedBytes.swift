import Hummingbird
import NIOCore

/// A request's body that comes slowly, or breaks off.
struct PacedBytes: AsyncSequence, Sendable {
  let base: RequestBody
  let pace: Pace?
  /// After so many bytes, `broken` is called in the place of the rest.
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
