import FileStores
import Hummingbird
import NIOCore

/// The body of a request, in pieces of a useful size. Read by one task at a time.
actor RequestBytes {
  private static let pieceBytes = 256 * 1024
  /// A body that comes slower than this after the first half minute is given up: bytes a second.
  private static let slowest: Double = 256
  private var iterator: RequestBody.AsyncIterator
  private let declared: UInt64?
  private var received: UInt64 = 0
  private var isAtEnd = false
  private let began = ContinuousClock.now

  init(_ body: RequestBody, declared: UInt64?) {
    iterator = body.makeAsyncIterator()
    self.declared = declared
  }

  /// The next bytes; nil at the end.
  /// - Throws: `badInput` when the connection broke before the end, or was too slow.
  func next() async throws(StoreError) -> ByteChunk? {
    var piece: [UInt8] = []
    while !isAtEnd, piece.count < RequestBytes.pieceBytes {
      let buffer: ByteBuffer?
      do {
        var reading = iterator
        buffer = try await reading.next(isolation: self)
        iterator = reading
      } catch {
        throw StoreError(.badInput, "The connection broke before all had come.")
      }
      guard let buffer else {
        isAtEnd = true
        if let declared, declared != received {
          throw StoreError(.badInput, "The connection broke before all had come.")
        }
        break
      }
      received += UInt64(buffer.readableBytes)
      piece.append(contentsOf: buffer.readableBytesView)
      let elapsed = (ContinuousClock.now - began) / .seconds(1)
      if elapsed > 30, Double(received) / elapsed < RequestBytes.slowest {
        throw StoreError(.badInput, "The content came too slowly.")
      }
    }
    return piece.isEmpty ? nil : piece[...]
  }

  /// The whole body, when it is not longer than `limit`; nil when it is.
  func all(atMost limit: Int) async throws(StoreError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let piece = try await next() {
      guard bytes.count + piece.count <= limit else { return nil }
      bytes += piece
    }
    return bytes
  }
}
