import FileStores
import Hummingbird
import NIOCore

/// A request's body in pieces of a useful size. Read by one task at a time.
actor RequestBytes {
  static let pieceBytes = 256 * 1024
  private var iterator: RequestBody.AsyncIterator
  /// The length that the request's head names; nil without one.
  let declared: UInt64?
  private var received: UInt64 = 0
  private let counter: ByteCounter
  /// Bytes that `peek` has read and `next` has not returned.
  private var held: ArraySlice<UInt8> = []
  private var isAtEnd = false
  /// Of the body that ended too early; thrown once all that came is read.
  private var fault: StoreError?
  private let began = ContinuousClock.now
  private let slowest: (rate: Double, after: Double)

  /// - Parameter slowest: the lowest rate in bytes a second, and the seconds after which it applies.
  /// - Parameter counter: gets the number of bytes that were read.
  init(
    _ body: RequestBody, declared: UInt64?, slowest: (rate: Double, after: Double), counter: ByteCounter = ByteCounter()
  ) {
    iterator = body.makeAsyncIterator()
    self.counter = counter
    self.declared = declared
    self.slowest = slowest
  }

  /// The next bytes, `bytes` or a few more; nil at the end.
  /// - Throws: `badInput` if the connection broke early or the body is too slow.
  func next(about bytes: Int = pieceBytes) async throws(StoreError) -> ByteChunk? {
    if !held.isEmpty {
      defer { held = [] }
      return held
    }
    return try await read(about: bytes)
  }

  /// The whole body, which `next` returns again; nil if it is longer than `limit`.
  func peek(atMost limit: Int) async throws(StoreError) -> [UInt8]? {
    if let declared, declared > UInt64(limit) { return nil }
    var bytes = Array(held)
    while bytes.count <= limit, let piece = try await read(about: min(limit + 1, RequestBytes.pieceBytes)) {
      bytes += piece
    }
    held = bytes[...]
    return bytes.count <= limit ? bytes : nil
  }

  private func read(about bytes: Int) async throws(StoreError) -> ByteChunk? {
    var piece: [UInt8] = []
    while !isAtEnd, fault == nil, piece.count < bytes {
      let buffer: ByteBuffer?
      do {
        var reading = iterator
        buffer = try await reading.next(isolation: self)
        iterator = reading
      } catch {
        fault = RequestBytes.broken
        break
      }
      guard let buffer else {
        isAtEnd = true
        if let declared, declared != received { fault = RequestBytes.broken }
        break
      }
      received += UInt64(buffer.readableBytes)
      counter.add(buffer.readableBytes)
      piece.append(contentsOf: buffer.readableBytesView)
      let elapsed = (ContinuousClock.now - began) / .seconds(1)
      if elapsed > slowest.after, Double(received) / elapsed < slowest.rate {
        fault = StoreError(.badInput, "The content came too slowly.")
      }
    }
    if piece.isEmpty, let fault { throw fault }
    return piece.isEmpty ? nil : piece[...]
  }

  private static let broken = StoreError(.badInput, "The connection broke during the request.")

  /// nil if the body is longer than `limit`.
  func all(atMost limit: Int) async throws(StoreError) -> [UInt8]? {
    if let declared, declared > UInt64(limit) { return nil }
    var bytes: [UInt8] = []
    while let piece = try await next(about: min(limit + 1, RequestBytes.pieceBytes)) {
      guard bytes.count + piece.count <= limit else { return nil }
      bytes += piece
    }
    return bytes
  }
}
