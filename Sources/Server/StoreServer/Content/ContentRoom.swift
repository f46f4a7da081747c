import Basics
import FileStores
import POSIX

/// The server's directories for bytes: incoming content, uploads in pieces, and old versions.
struct ContentRoom: Sendable {
  /// Content up to this size stays in memory.
  static let memoryBytes = 1024 * 1024
  let incoming: PrivateDirectory
  let uploads: PrivateDirectory
  let versions: PrivateDirectory
  let pool: BlockingPool
  let place: String
  private let freeBytes: @Sendable () -> UInt64?

  /// A change needs this many free bytes, which leaves room for the database.
  static let reservedBytes: UInt64 = 256 << 10
  /// The most that one changed entry adds.
  static let entryBytes: UInt64 = 2 << 10
  /// A file of this size is kept in reserve and deleted when the database has no room to record a completed change.
  private static let reserveBytes: off_t = 1 << 20
  private let reserve: String
  /// Keeping a version leaves at least this many bytes free.
  private static let spareBytes: UInt64 = 1 << 20

  /// Deletes incomplete content of an earlier server.
  /// - Parameter freeBytes: asks the disk by default; nil if unknown.
  init(
    below directory: PrivateDirectory, pool: BlockingPool, freeBytes: (@Sendable () -> UInt64?)? = nil
  ) throws(StoreError) {
    let place = directory.path
    self.place = place
    reserve = directory.path(of: "reserve")
    self.freeBytes = freeBytes ?? { ContentRoom.freeBytes(at: place) }
    incoming = try directory.directory("incoming")
    uploads = try directory.directory("uploads")
    versions = try directory.directory("versions")
    self.pool = pool
    for name in try incoming.names() { try incoming.remove(name) }
    _ = holdReserve()
  }

  /// - Throws: errors of `next`; `tooLarge` past the limit.
  func receive(
    limit: UInt64, _ next: () async throws(StoreError) -> ByteChunk?
  ) async throws(StoreError) -> Content {
    var memory: [UInt8] = []
    var file: LocalFile?
    var size: UInt64 = 0
    let hasher = ContentHashLane(pool: pool)
    do throws(StoreError) {
      while let chunk = try await next() {
        guard size + UInt64(chunk.count) <= limit else { throw StoreError(.tooLarge, "The content is too large.") }
        await hasher.add(chunk)
        if file == nil, memory.count + chunk.count <= ContentRoom.memoryBytes {
          memory += chunk
        } else {
          if file == nil {
            let made = try await makeFile()
            file = made
            let kept = memory
            memory = []
            try await pool.run { () throws(StoreError) in try made.write(kept[...], at: 0) }
          }
          let (target, at) = (file, size)
          try await pool.run { () throws(StoreError) in try target?.write(chunk, at: at) }
        }
        size += UInt64(chunk.count)
      }
    } catch {
      file?.remove()
      throw error
    }
    let blocks = await hasher.finishBlocks()
    if let file { return Content(file, size: size, blocks: blocks, fate: .removed, pool: pool) }
    let content = Content(memory, pool: pool)
    content.learn(blocks.hash)
    return content
  }

  func receive(from store: any FileStore, _ path: StorePath, _ revision: Revision?) async throws(StoreError) -> Content
  {
    let file = try await makeFile()
    let (hash, size) = try await file.receive(path, revision, from: store, pool)
    return Content(file, size: size, hash: hash, fate: .removed, pool: pool)
  }

  /// - Throws: `quota` if the disk is nearly full.
  func copy(of content: Content) async throws(StoreError) -> Content {
    try await checkSpare(content.size)
    let file = try await makeFile()
    do throws(StoreError) {
      var reading = try await content.source.open(at: 0)
      var size: UInt64 = 0
      while let chunk = try await reading.next() {
        let at = size
        try await pool.run { () throws(StoreError) in try file.write(chunk, at: at) }
        size += UInt64(chunk.count)
      }
      return Content(file, size: size, hash: try await content.hash(), fate: .removed, pool: pool)
    } catch {
      file.remove()
      throw error
    }
  }

  func holds(_ hash: ContentHash, _ size: UInt64) async -> Bool {
    // A power cut may have truncated it.
    return await pool.run { versions.bytes(of: hash.hex) == size }
  }

  /// Moves content with a file of its own to the kept versions.
  /// - Throws: `quota` if the disk is nearly full.
  func keep(_ content: Content, as hash: ContentHash) async throws(StoreError) {
    if await holds(hash, content.size) { return }
    try await checkSpare(0)
    let target = versions.path(of: hash.hex)
    try await inOwnFolders { () throws(StoreError) in try content.move(to: target) }
  }

  private func checkSpare(_ bytes: UInt64) async throws(StoreError) {
    guard await !hasRoom(for: bytes.addingReportingOverflow(ContentRoom.spareBytes).partialValue) else { return }
    throw StoreError(.quota, "The disk of \"\(place)\" is full.", remedy: "Free some space on that disk.")
  }

  /// Creates the reserve file if it is missing; false if the disk has no room. Blocks.
  func holdReserve() -> Bool {
    if access(reserve, F_OK) == 0 { return true }
    let file = open(reserve, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    let code = posix_fallocate(file, 0, ContentRoom.reserveBytes)
    if code == 0 || code == EOPNOTSUPP || code == EINVAL { return true }
    unlink(reserve)
    return false
  }

  /// Deletes the reserve file; false if there was none. Blocks.
  func giveUpReserve() -> Bool { unlink(reserve) == 0 }

  /// True if this many bytes are free, or if the free space is unknown.
  func hasRoom(for bytes: UInt64) async -> Bool {
    return await pool.run { freeBytes().map { $0 >= bytes } ?? true }
  }

  private static func freeBytes(at path: String) -> UInt64? {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return nil }
    return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
  }

  private func makeFile() async throws(StoreError) -> LocalFile {
    let path = incoming.path(of: FreshID.word(22))
    return try await inOwnFolders { () throws(StoreError) in try LocalFile(path: path, creating: true) }
  }

  /// Runs blocking calls. `notFound` would be a file of the club: a missing folder of the server is an error of the server.
  private func inOwnFolders<Value: Sendable>(
    _ body: @escaping @Sendable () throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    return try await pool.run { () throws(StoreError) in
      do throws(StoreError) {
        return try body()
      } catch {
        guard error.kind == .notFound else { throw error }
        throw StoreError(
          .server, "A folder of the server's own, below \"\(place)\", is missing.",
          remedy: "Start the server again, which makes it anew.")
      }
    }
  }
}

extension LocalFile {
  /// Writes the content of a file of the store into this one, which it removes after an error.
  func receive(
    _ path: StorePath, _ revision: Revision?, from store: any FileStore, _ pool: BlockingPool
  ) async throws(StoreError) -> (hash: ContentHash, size: UInt64) {
    let hasher = ContentHashLane(pool: pool)
    var size: UInt64 = 0
    do throws(StoreError) {
      _ = try await store.read(path, from: 0, ifRevision: revision) { chunk throws(StoreError) in
        let at = size
        await hasher.add(chunk)
        try await pool.run { () throws(StoreError) in try self.write(chunk, at: at) }
        size += UInt64(chunk.count)
      }
    } catch {
      remove()
      throw error
    }
    return (await hasher.finish(), size)
  }
}
