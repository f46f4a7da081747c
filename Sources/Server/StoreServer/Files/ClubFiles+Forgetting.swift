import Basics
import Database
import FileStores
import Logging
import Synchronization

extension ClubFiles {
  /// Drops surplus versions of a path that got a new one, and of all paths if together they are too large.
  func makeRoom(added bytes: UInt64, at key: String) async {
    do {
      let most = max(versions.count, 1)
      let surplus = try await index.read { try $0.surplusRevisions(key: key, keeping: most) }
      try await forget(surplus)
      if added.mustLook(bytes, limit: versions.totalBytes) { try await makeRoom() }
    } catch {
      logger.warning("The server could not remove old versions: \(error)")
    }
  }

  /// Drops expired versions, then the oldest ones until the rest fits.
  func forgetOld() async throws {
    let end = index.now() - versions.seconds
    while true {
      let old = try await index.read { try $0.replacedRevisions(before: end, limit: 500) }
      if old.isEmpty { break }
      try await forget(old)
    }
    try await makeRoom()
  }

  /// Drops the versions of all that is deleted at a key and below it.
  func forgetDeleted(at key: String) async throws {
    try await forget(try await index.read { try $0.revisions(ofDeletedAt: key) })
  }

  private func makeRoom() async throws {
    let limit = versions.totalBytes
    guard try await index.read({ UInt64(clamping: try $0.oldBytes()) }) > limit else { return }
    let dropped = try await index.write { writing -> [ServerRevision] in
      var used = UInt64(clamping: try writing.oldBytes())
      var dropped: [ServerRevision] = []
      while used > limit, let oldest = try writing.oldestRevisions(limit: 1).first {
        try writing.forget(oldest)
        dropped.append(oldest)
        if try writing.count(ofOld: oldest.hash) == 0 { used -= min(used, oldest.size) }
      }
      return dropped
    }
    try await removeContents(of: dropped)
  }

  private func forget(_ revisions: [ServerRevision]) async throws {
    guard !revisions.isEmpty else { return }
    try await index.write { writing in for each in revisions { try writing.forget(each) } }
    try await removeContents(of: revisions)
  }

  private func removeContents(of revisions: [ServerRevision]) async throws {
    let kept = room.versions
    for hash in Set(revisions.map(\.hash)) {
      try await index.locks.with(ClubFiles.lock(hash)) {
        guard try await index.read({ try $0.count(of: hash) }) == 0 else { return }
        try await room.pool.run { () throws(StoreError) in try kept.remove(hash.hex) }
      }
    }
  }
}

/// Bytes of versions added since the last check of the total. A check costs more than keeping one version.
final class AddedBytes: Sendable {
  private let state = Mutex<(bytes: UInt64, count: Int)>((0, 0))

  /// True if a check is due; the count then starts again.
  func mustLook(_ bytes: UInt64, limit: UInt64) -> Bool {
    state.withLock { state in
      state = (state.bytes + bytes, state.count + 1)
      guard state.bytes >= limit / 64 || state.count >= 256 else { return false }
      state = (0, 0)
      return true
    }
  }
}
