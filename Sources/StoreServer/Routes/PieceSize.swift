import FileStores
import Hummingbird
import NIOCore

/// How large the pieces are in which content is sent: larger and larger as long as the client takes them fast. So a fast
/// client is sent few pieces, and of a slow one it is seen that it takes something, which `ConnectionPace` wants.
struct PieceSize {
  static let smallest = 16 * 1024
  private static let largest = 1024 * 1024
  private var bytes = 64 * 1024
  private var began = ContinuousClock.now

  /// Takes the next piece off the front of what is left.
  mutating func next(of rest: inout ByteChunk) -> ByteBuffer {
    let piece = rest.prefix(bytes)
    rest = rest.dropFirst(piece.count)
    began = ContinuousClock.now
    return ByteBuffer(bytes: piece)
  }

  /// Notes that the piece was taken.
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
  /// A whole answer, in pieces when it is large.
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
