internal import Basics
internal import CPlatform
internal import FileStores
internal import POSIX

/// Uploads in pieces. Each is a growing file in `.byteclub/uploads/` that gets its name at the end. Appended bytes are
/// on the disk when `append` returns. An upload untouched for a week is dropped.
struct FolderUploads: ResumableUploads {
  let disk: FolderDisk
  let pool: BlockingPool

  /// 4 MiB: an fsync of 10 ms per piece costs little, and a crash loses little.
  var piece: UploadPiece { .upTo(4 * 1024 * 1024) }
  var keptFor: Duration? { .seconds(7 * 86_400) }

  func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession {
    try checkCancelled(path)
    return try await pool.run { () throws(StoreError) -> UploadSession in try disk.beginUpload(path) }
  }

  func append(
    _ bytes: ByteChunk, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try checkCancelled(.root)
    return try await pool.run { () throws(StoreError) -> UInt64 in
      try disk.append(bytes, to: session, at: offset)
    }
  }

  func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try checkCancelled(.root)
    let file = try await pool.run { () throws(StoreError) -> Descriptor in
      try disk.beginAppend(to: session, at: offset, waits: false)
    }
    do throws(StoreError) {
      let end = offset + UInt64(count)
      var reached = offset
      var reading = try await source.open(at: offset)
      while reached < end {
        guard let chunk = try await reading.next() else {
          throw StoreError(.badInput, "The source ended after \(reached) bytes.")
        }
        try checkCancelled(.root)
        let (bytes, at) = (chunk.prefix(Int(end - reached)), reached)
        try await pool.run { () throws(StoreError) in try disk.write(bytes, at: at, toUpload: file) }
        reached += UInt64(bytes.count)
        source.delivered(reached)
      }
      try await pool.run { () throws(StoreError) in try file.sync(.root) }
      file.unlock()
      return reached
    } catch {
      await pool.run { file.truncate(to: offset) }
      file.unlock()
      throw error
    }
  }

  func offset(of session: UploadSession) async throws(StoreError) -> UInt64 {
    try checkCancelled(.root)
    return try await pool.run { () throws(StoreError) -> UInt64 in
      try disk.openUpload(session, O_RDONLY).file.stat(.root).raw.size
    }
  }

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled(path)
    let pending = try await pool.run { () throws(StoreError) -> PendingFile in
      try disk.beginFinish(session, size: size, at: path, mode)
    }
    do throws(StoreError) {
      let hasher = SharedHasher()
      var offset: UInt64 = 0
      while offset < size {
        try checkCancelled(path)
        let at = offset
        offset += try await pool.run { () throws(StoreError) -> UInt64 in
          let bytes = try pending.file.read(1024 * 1024, at: at, path)
          hasher.update(bytes[...])
          return UInt64(bytes.count)
        }
        if offset == at { throw .wrongLength(path, declared: size, given: offset) }
      }
      try checkCancelled(path)
      return try await pool.run { () throws(StoreError) -> FileEntry in
        if let modified = session.modified { pending.file.setModified(modified) }
        return try disk.commit(pending, at: path, mode, hash: hasher.finish())
      }
    } catch {
      // The upload stays, and can be finished under another name or condition.
      await pool.run { disk.removeFolders(pending.made, below: pending.root) }
      throw error
    }
  }

  func abandon(_ session: UploadSession) async throws(StoreError) {
    try await pool.run { () throws(StoreError) in try disk.abandonUpload(session) }
  }

  private func checkCancelled(_ path: StorePath) throws(StoreError) {
    if Task.isCancelled { throw .cancelled("The upload", path: path) }
  }
}
