import Database
import FileStores
import Logging

extension ClubFiles {
  /// Keeps a file's content, before it is replaced or deleted.
  func keepVersion(of node: ServerNode) async throws {
    guard !node.isFolder, node.size <= versions.fileBytes else { return }
    let node = try await index.hashed(node)
    guard let hash = node.hash else { return }
    if !room.versions.holds(hash.hex) {
      let content = try await room.receive(from: index.store, node.path, node.storeRevision)
      guard try await content.hash() == hash else { return }
      let target = room.versions.path(of: hash.hex)
      try await room.pool.run { () throws(StoreError) in try content.move(to: target) }
    }
    try await index.write { writing in
      try writing.add(
        ServerRevision(
          rev: node.rev, id: node.id, key: node.key, display: node.display, size: node.size, hash: hash,
          clientModified: node.clientModified, serverModified: node.serverModified))
    }
    try await makeRoom()
  }

  /// Keeps a file's content where that can be done. A member's change is not refused because the version before it
  /// cannot be kept; the log says so.
  func keepIfPossible(_ node: ServerNode) async {
    do {
      try await keepVersion(of: node)
    } catch {
      logger.warning("The version before a change could not be kept: \(error)")
    }
  }

  /// Drops the oldest versions until the rest is within the limit.
  private func makeRoom() async throws {
    let limit = versions.totalBytes
    let free = try await index.write { writing -> [String] in
      var used = UInt64(clamping: try writing.keptBytes())
      var free: [String] = []
      while used > limit, let oldest = try writing.oldestRevisions(limit: 1).first {
        try writing.forget(oldest)
        guard try writing.count(of: oldest.hash) == 0 else { continue }
        used -= min(used, oldest.size)
        free.append(oldest.hash.hex)
      }
      return free
    }
    guard !free.isEmpty else { return }
    let kept = room.versions
    try await room.pool.run { () throws(StoreError) in
      for name in free { try kept.remove(name) }
    }
  }

  /// The content of an old version; nil when it is not kept any more.
  func content(of revision: ServerRevision) async throws -> Content? {
    guard room.versions.holds(revision.hash.hex) else { return nil }
    let path = room.versions.path(of: revision.hash.hex)
    let file = try await room.pool.run { () throws(StoreError) -> LocalFile in
      try LocalFile(path: path, creating: false)
    }
    return Content(file, size: revision.size, hash: revision.hash, fate: .kept, pool: room.pool)
  }

  /// Makes an old version the newest of its place.
  /// - Returns: nil when it is not kept.
  func restore(_ revision: ServerRevision, to display: String) async throws -> ServerNode? {
    guard let content = try await content(of: revision) else { return nil }
    return try await put(
      content,
      CommitOrder(
        display: display, mode: .overwrite, autorename: false, isStrict: false,
        clientModified: revision.clientModified))
  }
}
