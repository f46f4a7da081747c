import FileStores
import Hummingbird
import NIOCore

/// The size of the pieces that are sent. It grows while the client reads fast, which saves writes; small pieces show
/// `ConnectionPace` that a slow client still reads.
struct PieceSize {
  static let smallest = 16 * 1024
  private let largest: Int
  private var bytes: Int
  private var began = ContinuousClock.now

  init(_ pace: SendPace) {
    largest = pace.pieceBytes
    bytes = min(64 * 1024, largest)
  }

  mutating func next(of rest: inout ByteChunk) -> ByteBuffer {
    let piece = rest.prefix(bytes)
    // An empty slice would keep the bytes.
    rest = piece.count == rest.count ? [] : rest.dropFirst(piece.count)
    began = ContinuousClock.now
    return ByteBuffer(bytes: piece)
  }

  mutating func noteTaken() {
    let time = ContinuousClock.now - began
    if time < .milliseconds(100) {
      bytes = min(bytes * 2, largest)
    } else if time > .seconds(2) {
      bytes = max(bytes / 4, PieceSize.smallest)
    }
  }
}

extension ResponseBody {
  static func pieces(_ text: String) -> ResponseBody { pieces([Array(text.utf8)], .quick) }

  /// - Parameter parts: sent one after the other. They may be shared by many answers.
  static func pieces(_ parts: [[UInt8]], _ pace: SendPace) -> ResponseBody {
    let count = parts.reduce(0) { $0 + $1.count }
    guard count > 64 * 1024 else { return ResponseBody(byteBuffer: ByteBuffer(bytes: parts.joined())) }
    return ResponseBody(contentLength: count) { writer in
      var size = PieceSize(pace)
      for part in parts {
        var rest = part[...]
        while !rest.isEmpty {
          try await writer.write(size.next(of: &rest))
          size.noteTaken()
        }
      }
      try await writer.finish(nil)
    }
  }
}
