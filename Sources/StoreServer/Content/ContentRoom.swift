import Database
import FileStores

/// The server's directories for bytes: what is being received, uploads in pieces, and old versions.
struct ContentRoom: Sendable {
  /// Bytes that are kept in memory before a file is made for them.
  static let memoryBytes = 1024 * 1024
  let incoming: PrivateDirectory
  let uploads: PrivateDirectory
  let versions: PrivateDirectory
  let pool: BlockingPool

  /// Makes the directories, and throws away what an earlier server had not received whole.
  init(below directory: PrivateDirectory, pool: BlockingPool) throws(StoreError) {
    incoming = try directory.directory("incoming")
    uploads = try directory.directory("uploads")
    versions = try directory.directory("versions")
    self.pool = pool
    for name in try incoming.names() { try incoming.remove(name) }
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

  private func makeFile() async throws(StoreError) -> LocalFile {
    let path = incoming.path(of: FreshID.word(22))
    return try await pool.run { () throws(StoreError) -> LocalFile in try LocalFile(path: path, creating: true) }
  }
}
