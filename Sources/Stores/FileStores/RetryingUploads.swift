/// Uploads with retries. An unanswered append is recognised by the offset; an unanswered finish, by the missing session
/// and a file of its size.
struct RetryingUploads: ResumableUploads {
  let base: any ResumableUploads
  let store: RetryingStore

  var piece: UploadPiece { base.piece }
  var keptFor: Duration? { base.keptFor }
  var finishesElsewhere: Bool { base.finishesElsewhere }

  func piece(of session: UploadSession) -> UploadPiece { base.piece(of: session) }

  func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession {
    try await store.retrying { _ throws(StoreError) in try await base.begin(path, size: size, modified: modified) }
  }

  func append(
    _ bytes: ByteChunk, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    // The offset before the call tells a piece that has arrived from a piece at a wrong offset.
    let isDue: Bool
    if let known = store.offsets[session] {
      isDue = known == offset
    } else {
      isDue = try await self.offset(of: session) == offset
    }
    let reached = try await store.retrying { attempt throws(StoreError) in
      if attempt > 1, isDue {
        let reached = try await base.offset(of: session)
        if reached == offset + UInt64(bytes.count) { return reached }
      }
      return try await base.append(bytes, to: session, at: offset)
    }
    store.offsets[session] = reached
    return reached
  }

  func offset(of session: UploadSession) async throws(StoreError) -> UInt64 {
    let offset = try await store.retrying { _ throws(StoreError) in try await base.offset(of: session) }
    store.offsets[session] = offset
    return offset
  }

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    let entry = try await store.retrying { attempt throws(StoreError) in
      do throws(StoreError) {
        return try await base.finish(session, size: size, at: path, mode: mode)
      } catch {
        // Only a finish ends a session. Stores that check the name first are asked if the session is gone.
        guard attempt > 1, try await isGone(session, error), let there = try await store.base.entryIfAny(path),
          there.kind == .file, there.size == size
        else { throw error }
        return there
      }
    }
    store.offsets[session] = nil
    try entry.checkSize(size)
    return entry
  }

  func abandon(_ session: UploadSession) async throws(StoreError) {
    try await store.retrying { _ throws(StoreError) in try await base.abandon(session) }
    store.offsets[session] = nil
  }

  func abandonLost(to path: StorePath) async throws(StoreError) {
    try await store.retrying { _ throws(StoreError) in try await base.abandonLost(to: path) }
  }

  private func isGone(_ session: UploadSession, _ error: StoreError) async throws(StoreError) -> Bool {
    switch error.kind {
    case .notFound: return true
    case .exists, .conflict:
      return try await ifThere { () throws(StoreError) in try await base.offset(of: session) } == nil
    default: return false
    }
  }
}

/// Batch uploads with retries. Before a file is sent again, the store is asked if it has the content.
struct RetryingBatches: CapabilityWrapper, BatchUploads {
  let base: any BatchUploads
  let store: RetryingStore

  func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>] {
    let watched = files.map { Watched(source: CheckedSource($0.source), path: $0.path, mode: $0.mode) }
    // An error of a source is not the store's failure, whatever its kind.
    return try await store.retrying.each(watched, isFinal: { $0.source.failure != nil }) {
      (files, attempt) throws(StoreError) in
      var results = [Result<FileEntry, StoreError>?](repeating: nil, count: files.count)
      if attempt > 1 {
        for (index, file) in files.enumerated() {
          // A file that cannot be checked now waits for the next try, and delays no other.
          do throws(StoreError) {
            results[index] = try await store.alreadyWritten(file.source, at: file.path).map { .success($0) }
          } catch {
            results[index] = .failure(error)
          }
        }
      }
      let open = files.indices.filter { results[$0] == nil }
      if !open.isEmpty {
        let answers = try await base.put(
          open.map { BatchFile(files[$0].source, at: files[$0].path, mode: files[$0].mode) })
        for (index, answer) in zip(open, answers) { results[index] = answer }
      }
      return results.map { $0 ?? .failure(.cancelled("The writing")) }
    }
  }

  private struct Watched: Sendable {
    let source: CheckedSource
    let path: StorePath
    let mode: WriteMode
  }
}
