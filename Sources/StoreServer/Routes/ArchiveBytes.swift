import FileStores
import Synchronization
import Zip

/// An archive that is being made: what of it nobody has taken yet. Used by one task at a time, from whatever thread.
final class ArchiveBytes: Sendable {
  private let state = Mutex((writer: ZipWriter(), bytes: [UInt8]()))

  /// Adds to the archive.
  func with(_ body: (_ writer: inout ZipWriter, _ bytes: inout [UInt8]) -> Void) {
    state.withLock { body(&$0.writer, &$0.bytes) }
  }

  /// Takes what is there, when it is so much; nil when it is not.
  func take(atLeast count: Int) -> ByteChunk? {
    state.withLock { state in
      guard state.bytes.count >= count else { return nil }
      defer { state.bytes = [] }
      return state.bytes[...]
    }
  }
}
