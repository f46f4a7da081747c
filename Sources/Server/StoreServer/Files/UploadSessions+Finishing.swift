import Basics
import Database
import FileStores

extension UploadSessions {
  /// Turns a complete upload of `expected` bytes (nil: any size) into a file. The upload stays if `put` throws; it is
  /// locked meanwhile, so the club may take its file instead of a copy.
  func finish<Value>(
    _ upload: ServerUpload, size expected: UInt64?, mustBeClosed: Bool, _ put: (Content) async throws -> Value
  ) async throws -> Value {
    try await index.locks.with("upload " + upload.id) {
      let upload = try await find(upload.id, member: upload.member)
      let file = try await open(upload)
      let size = try file.size
      guard size == expected ?? size else { throw Fault.incorrectOffset(size) }
      guard upload.isClosed || !(mustBeClosed || upload.isConcurrent) else { throw Fault.notClosed }
      if upload.isConcurrent, let missing = try await firstMissing(upload, size) {
        throw Fault.incorrectOffset(missing)
      }
      let blocks = try await blocks(of: upload, file, size)
      let value: Value
      do {
        value = try await put(Content(file, size: size, blocks: blocks, fate: .takeable, pool: room.pool))
      } catch {
        // If this fails too, the upload is lost and the client starts again.
        try? await bringBack(upload, from: file, size)
        throw error
      }
      try await remove(upload)
      return value
    }
  }

  /// Restores the file of an upload that the club took but did not keep.
  private func bringBack(_ upload: ServerUpload, from file: LocalFile, _ size: UInt64) async throws(StoreError) {
    guard !room.uploads.holds(upload.id) else { return }
    let (from, to) = (room.incoming.path(of: FreshID.word(22)), room.uploads.path(of: upload.id))
    try await room.pool.run { () throws(StoreError) in
      let copy = try LocalFile(path: from, creating: true)
      do throws(StoreError) {
        var at: UInt64 = 0
        while at < size {
          let bytes = try file.read(512 << 10, at: at)
          if bytes.isEmpty { break }
          try copy.write(bytes[...], at: at)
          at += UInt64(bytes.count)
        }
        guard at == size else { throw StoreError(.server, "An upload is no longer complete.") }
        try copy.sync()
        try copy.rename(to: to)
      } catch {
        copy.remove()
        throw error
      }
    }
  }
}
