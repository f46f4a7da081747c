public import FileStores

extension FolderStore {
  /// Writes a whole file; see `FileStore`.
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The writing", path)
    let disk = disk
    let pending = try await pool.run { () throws(StoreError) -> PendingFile in try disk.beginPut(path, mode) }
    do throws(StoreError) {
      let hasher = SharedHasher()
      try await fill(pending, from: source, path, hasher)
      try checkCancelled("The writing", path)
      let modified = source.modified
      return try await pool.run { () throws(StoreError) -> FileEntry in
        if let modified { pending.file.setModified(modified) }
        return try disk.commit(pending, at: path, mode, hash: hasher.finish())
      }
    } catch {
      await pool.run { disk.abandon(pending) }
      throw error
    }
  }

  private func fill(
    _ pending: PendingFile, from source: any ByteSource, _ path: StorePath, _ hasher: SharedHasher
  ) async throws(StoreError) {
    let disk = disk
    let declared = source.size
    var reading = try await source.open(at: 0)
    var offset: UInt64 = 0
    while let chunk = try await reading.next() {
      try checkCancelled("The writing", path)
      let at = offset
      offset += UInt64(chunk.count)
      if let declared, offset > declared { throw .wrongLength(path, declared: declared, given: nil) }
      try await pool.run { () throws(StoreError) in
        hasher.update(chunk)
        try disk.write(chunk, at: at, to: pending, path)
      }
      source.delivered(offset)
    }
    if let declared, offset != declared { throw .wrongLength(path, declared: declared, given: offset) }
  }
}
