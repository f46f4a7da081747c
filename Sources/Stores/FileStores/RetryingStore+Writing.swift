extension RetryingStore {
  /// The most writes of others that are expected between an unanswered write and its next try.
  private static let versionsLookedAt = 20

  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    let watched = CheckedSource(source)
    var attempt = 1
    while true {
      do throws(StoreError) {
        retrying.report(.asks)
        let done = attempt > 1 ? try await alreadyWritten(watched, at: path) : nil
        let entry = if let done { done } else { try await base.put(watched, at: path, mode: mode) }
        if let sent = source.size { try entry.checkSize(sent) }
        retrying.report(.answered)
        return entry
      } catch {
        // An error of the source is not the store's failure, whatever its kind.
        if let failure = watched.failure { throw failure }
        if attempt > 1, error.kind == .conflict, case .replace(let base) = mode {
          if let done = await writtenOver(watched, at: path, since: base) { return done }
          if Task.isCancelled { throw .cancelled("Writing", path: path) }
          throw error
        }
        attempt += 1
        try await retrying.pause(before: attempt, after: error)
      }
    }
  }

  /// The version of an unanswered put, if another write has replaced it. nil also if the store's history cannot tell;
  /// the caller then reports the conflict.
  private func writtenOver(_ source: any ByteSource, at path: StorePath, since base: Revision) async -> FileEntry? {
    guard let revisions = capabilities.revisions else { return nil }
    do throws(StoreError) {
      let versions = try await revisions.versions(of: path, limit: RetryingStore.versionsLookedAt)
      guard let begin = versions.firstIndex(where: { $0.revision == base }) else { return nil }
      let wanted = try await source.contentHash()
      // The first after the replaced one; a version with the same content by chance would be later.
      for version in versions[..<begin].reversed() where source.size == nil || version.size == source.size {
        if try await has(wanted, version, in: revisions) { return version }
      }
      return nil
    } catch {
      // A server without history, a folder in place of the file, or a version that is gone.
      return nil
    }
  }

  private func has(
    _ wanted: ContentHash, _ version: FileEntry, in revisions: any RevisionHistory
  ) async throws(StoreError) -> Bool {
    if let hash = version.contentHash { return hash == wanted }
    guard let revision = version.revision else { return false }
    let hasher = ContentHasher()
    _ = try await revisions.read(revision, of: version.path) { chunk throws(StoreError) in hasher.update(chunk) }
    return hasher.finish() == wanted
  }

  func alreadyWritten(_ source: any ByteSource, at path: StorePath) async throws(StoreError) -> FileEntry? {
    try await base.entry(at: path, holding: source)
  }
}
