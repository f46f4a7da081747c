internal import CLinux
public import FileStores

extension FolderStore {
  /// Reads a file in chunks; see `FileStore`.
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The reading", path)
    let disk = disk
    let read = try await pool.run { () throws(StoreError) -> OpenRead in
      try disk.beginRead(path, from: offset, ifRevision: ifRevision)
    }
    let hashing = offset == 0 && read.stat.raw.size <= disk.tuning.hashedReadBytes
    let hasher = hashing && disk.hashes[read.stat.revision] == nil ? SharedHasher() : nil
    var at = offset
    var chunk = read.first
    if hasher == nil, offset + UInt64(chunk.count) == read.stat.raw.size {
      // All of it: small files cost one trip to the pool.
      try checkCancelled("The reading", path)
      if !chunk.isEmpty { try await receive(chunk[...]) }
      return disk.entry(read.stat, path)
    }
    while !chunk.isEmpty {
      try checkCancelled("The reading", path)
      try await receive(chunk[...])
      at += UInt64(chunk.count)
      let (bytes, from) = (chunk, at)
      chunk = try await pool.run { () throws(StoreError) -> [UInt8] in
        hasher?.update(bytes[...])
        guard from < read.stat.raw.size else { return [] }
        return try disk.readChunk(read.file, at: from, read.stat, path)
      }
    }
    if let hasher { disk.hashes.remember(hasher.finish(), for: read.stat.revision) }
    return disk.entry(read.stat, path)
  }
}
