import FileStores
import POSIX
import Synchronization

/// A file that has its name when it is whole, compared and on the disk. Calls block, and come one at a time.
final class WholeFile: Sendable {
  private struct Content {
    let hasher = ContentHasher()
    var count: UInt64 = 0
  }

  private let part: String
  private let name: String
  private let descriptor: Int32
  private let content = Mutex(Content())

  init(_ name: String) throws(StoreError) {
    self.name = name
    part = name + ".part"
    descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("made", part) }
  }

  /// The file with more bytes; made when it is not there yet.
  static func adding(_ bytes: ByteChunk, to file: WholeFile?, _ name: String) throws(StoreError) -> WholeFile {
    guard let file else { return try adding(bytes, to: WholeFile(name), name) }
    try file.write(bytes)
    return file
  }

  func write(_ bytes: ByteChunk) throws(StoreError) {
    var rest = bytes
    while !rest.isEmpty {
      let wrote = rest.withUnsafeBytes { POSIX.write(descriptor, $0.baseAddress, $0.count) }
      guard wrote > 0 else { throw Self.failure("written", part) }
      rest = rest.dropFirst(wrote)
    }
    content.withLock { content in
      content.hasher.update(bytes)
      content.count += UInt64(bytes.count)
    }
  }

  /// Closes it, too.
  func finish(_ entry: FileEntry) throws(StoreError) {
    defer { close(descriptor) }
    let (count, hash) = content.withLock { ($0.count, $0.hasher.finish()) }
    guard entry.size ?? count == count, entry.contentHash == nil || entry.contentHash == hash else {
      throw StoreError(.corrupt, "\"\(name)\" arrived as something else.")
    }
    guard fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0, rename(part, name) == 0 else {
      throw Self.failure("named", name)
    }
  }

  private static func failure(_ what: String, _ name: String) -> StoreError {
    StoreError(.server, "\"\(name)\" could not be \(what) (error \(errno)).")
  }
}
