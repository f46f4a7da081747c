/// Uploads in pieces that are tried again: a piece whose answer was lost is found by the offset, a finish by the
/// session that is gone and the file that is there with its size.
struct RetryingUploads: ResumableUploads {
  let base: any ResumableUploads
  let store: RetryingStore

  var pieceBytes: Int { base.pieceBytes }

  func begin(_ path: StorePath) async throws(StoreError) -> UploadSession {
    try await store.retrying { _ throws(StoreError) in try await base.begin(path) }
  }

  func append(
    _ bytes: ByteChunk, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    // What the store had before tells a piece that arrived from one that was never due.
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
        // Only a finish uses a session up. Some stores look at the name first: then the session's absence is asked for.
        guard attempt > 1, try await isGone(session, error), let there = try await store.entryIfAny(path),
          there.kind == .file, there.size == size
        else { throw error }
        return there
      }
    }
    store.offsets[session] = nil
    return entry
  }

  func abandon(_ session: UploadSession) async throws(StoreError) {
    try await store.retrying { _ throws(StoreError) in try await base.abandon(session) }
    store.offsets[session] = nil
  }

  private func isGone(_ session: UploadSession, _ error: StoreError) async throws(StoreError) -> Bool {
    switch error.kind {
    case .notFound: return true
    case .exists, .conflict:
      do throws(StoreError) {
        _ = try await base.offset(of: session)
        return false
      } catch {
        if error.kind == .notFound { return true }
        throw error
      }
    default: return false
    }
  }
}
