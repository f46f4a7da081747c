import FileStores
import Hummingbird
import NIOCore

/// The size of the pieces that are sent. It grows while the client reads fast, which saves writes; small pieces show
/// `ConnectionPace` that a slow client still reads.
struct PieceSize {
  static let smallest = 16 * 1024
  private static let largest = 1024 * 1024
  private var bytes = 64 * 1024
  private var began = ContinuousClock.now

  mutating func next(of rest: inout ByteChunk) -> ByteBuffer {
    let piece = rest.prefix(bytes)
    rest = rest.dropFirst(piece.count)
    began = ContinuousClock.now
    return ByteBuffer(bytes: piece)
  }

  mutating func noteTaken() {
    let time = ContinuousClock.now - began
    if time < .milliseconds(100) {
      bytes = min(bytes * 2, PieceSize.largest)
    } else if time > .seconds(2) {
      bytes = max(bytes / 4, PieceSize.smallest)
    }
  }
}

extension ResponseBody {
  static func pieces(_ text: String) -> ResponseBody {
    let bytes = Array(text.utf8)
    guard bytes.count > 64 * 1024 else { return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) }
    return ResponseBody(contentLength: bytes.count) { writer in
      var size = PieceSize()
      var rest = bytes[...]
      while !rest.isEmpty {
        try await writer.write(size.next(of: &rest))
        size.noteTaken()
      }
      try await writer.finish(nil)
    }
  }
}
