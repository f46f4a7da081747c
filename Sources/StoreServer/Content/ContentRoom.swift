import Database
import FileStores
import Glibc

/// The server's directories for bytes: what is being received, uploads in pieces, and old versions.
struct ContentRoom: Sendable {
  /// Bytes that are kept in memory before a file is made for them.
  static let memoryBytes = 1024 * 1024
  let incoming: PrivateDirectory
  let uploads: PrivateDirectory
  let versions: PrivateDirectory
  let pool: BlockingPool
  /// Where all of it is.
  let place: String
  private let freeBytes: @Sendable () -> UInt64?

  /// Bytes that must be free on the disk for a change to be made: what is then written down has room.
  static let reservedBytes: UInt64 = 256 << 10
  /// What a changed entry takes besides, at most.
  static let entryBytes: UInt64 = 2 << 10
  /// A file of this size is held on the disk, and given up when something that was done cannot be written down.
  private static let reserveBytes: off_t = 1 << 20
  private let reserve: String
  /// Bytes that stay free when a version is kept.
  private static let spareBytes: UInt64 = 1 << 20

  /// Makes the directories, and throws away what an earlier server had not received whole.
  /// - Parameter freeBytes: what is free on the disk, when nobody knows nil; as the disk says, when not given.
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

  /// Takes in bytes up to their end.
  /// - Throws: what `next` throws; `tooLarge` past the limit.
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

  /// Takes in what the store has at a path.
  func receive(from store: any FileStore, _ path: StorePath, _ revision: Revision?) async throws(StoreError) -> Content
  {
    let file = try await makeFile()
    let pool = pool
    let hasher = ContentHashLane(pool: pool)
    var size: UInt64 = 0
    do throws(StoreError) {
      _ = try await store.read(path, from: 0, ifRevision: revision) { chunk throws(StoreError) in
        let at = size
        await hasher.add(chunk)
        try await pool.run { () throws(StoreError) in try file.write(chunk, at: at) }
        size += UInt64(chunk.count)
      }
    } catch {
      file.remove()
      throw error
    }
    return Content(file, size: size, hash: await hasher.finish(), fate: .removed, pool: pool)
  }

  /// A copy of content, in a file of its own.
  /// - Throws: `quota` when the disk is nearly full.
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

  /// Whether a version's content is here.
  func holds(_ hash: ContentHash, _ size: UInt64) async -> Bool {
    let versions = versions
    // A power cut may have left less of it.
    return await pool.run { versions.bytes(of: hash.hex) == size }
  }

  /// Makes content that is in a file of its own a version's.
  /// - Throws: `quota` when the disk is nearly full.
  func keep(_ content: Content, as hash: ContentHash) async throws(StoreError) {
    if await holds(hash, content.size) { return }
    try await checkSpare(0)
    let target = versions.path(of: hash.hex)
    try await pool.run { () throws(StoreError) in try content.move(to: target) }
  }

  private func checkSpare(_ bytes: UInt64) async throws(StoreError) {
    guard await !hasRoom(for: bytes.addingReportingOverflow(ContentRoom.spareBytes).partialValue) else { return }
    throw StoreError(.quota, "The disk of \"\(place)\" is full.", remedy: "Free some space on that disk.")
  }

  /// Sees to it that the reserve is there. Blocks.
  /// - Returns: false when the disk has no room for it.
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

  /// Gives the reserve up. Blocks.
  /// - Returns: false when there is none.
  func giveUpReserve() -> Bool { unlink(reserve) == 0 }

  /// Whether so many bytes are free on the disk, as far as that is known.
  func hasRoom(for bytes: UInt64) async -> Bool {
    let freeBytes = freeBytes
    return await pool.run { freeBytes().map { $0 >= bytes } ?? true }
  }

  private static func freeBytes(at path: String) -> UInt64? {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return nil }
    return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
  }

  private func makeFile() async throws(StoreError) -> LocalFile {
    let path = incoming.path(of: FreshID.word(22))
    return try await pool.run { () throws(StoreError) -> LocalFile in try LocalFile(path: path, creating: true) }
  }
}
