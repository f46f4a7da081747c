import Basics
import Database
import FileStores
import Logging

extension ClubFiles {
  /// The lock held while content becomes a version or is deleted as unused.
  static func lock(_ hash: ContentHash) -> String { "version " + hash.hex }

  /// Keeps the file's current content as a version, unless it is kept already.
  /// - Throws: if that fails; the history then shows that the version is not kept.
  func keepVersion(of node: ServerNode) async throws {
    guard !node.isFolder, node.size <= versions.fileBytes else { return }
    if try await isKept(node) { return }
    let content = try await room.receive(from: index.store, node.path, node.storeRevision)
    try await keep(content, of: node)
  }

  private func isKept(_ node: ServerNode) async throws -> Bool {
    guard let hash = node.hash, await room.holds(hash, node.size) else { return false }
    return try await index.read { try $0.revision(node.rev) } != nil
  }

  private func keep(_ content: Content, of node: ServerNode) async throws {
    let (now, hash) = (index.now(), try await content.hash())
    try await index.locks.with(ClubFiles.lock(hash)) {
      let failure: StoreError?
      do throws(StoreError) {
        try await room.keep(content, as: hash)
        failure = nil
      } catch {
        failure = error
      }
      try await index.write { writing in
        var known = try ClubFiles.newest(node, in: writing)
        known.hash = hash
        if let version = ServerRevision(of: known) { try writing.add(version, at: now) }
      }
      if let failure { throw failure }
    }
    await makeRoom(added: node.size, at: node.key)
  }

  /// A file as it was before its content was read. If its member has been noted since, the same version of the store has
  /// another number, under which it is kept.
  static func newest(_ node: ServerNode, in reading: ServerIndexReading) throws -> ServerNode {
    guard node.author == nil, let now = try reading.node(id: node.id), now.key == node.key,
      now.storeRevision == node.storeRevision
    else { return node }
    return now
  }

  /// Keeps a file's content if possible. A failure does not block a member's change; the log and the history show it.
  func keepIfPossible(_ node: ServerNode) async {
    do {
      try await keepVersion(of: node)
    } catch {
      tellUnkept(node.display, error)
    }
  }

  /// A copy of content about to be written, for `keepIfPossible`; nil if it is kept already or cannot be copied.
  func copyIfPossible(of content: Content, _ display: String) async -> Content? {
    do throws(StoreError) {
      if await room.holds(try await content.hash(), content.size) { return nil }
      return try await room.copy(of: content)
    } catch {
      tellUnkept(display, error)
      return nil
    }
  }

  func keepIfPossible(_ copy: Content, as hash: ContentHash, _ display: String) async {
    do throws(StoreError) {
      try await room.keep(copy, as: hash)
    } catch {
      tellUnkept(display, error)
    }
  }

  func tellUnkept(_ display: String, _ error: any Error) {
    logger.warning("The server could not keep a version of \"\(display)\": \(error)")
  }

  func isRestorable(_ gone: ServerNode) async throws -> Bool {
    guard !gone.isFolder else { return false }
    for version in try await index.read({ try $0.revisions(key: gone.key, before: .max, limit: 100) })
    where try await isKept(version) { return true }
    return false
  }

  func isKept(_ revision: ServerRevision) async throws -> Bool {
    if await room.holds(revision.hash, revision.size) { return true }
    return try await holder(of: revision) != nil
  }

  /// The file that was moved away from the version's path and still has its content.
  private func holder(of revision: ServerRevision) async throws -> ServerNode? {
    guard let node = try await index.read({ try $0.node(id: revision.id) }), node.hash == revision.hash else {
      return nil
    }
    return node
  }

  func content(of revision: ServerRevision) async throws -> Content? {
    guard await room.holds(revision.hash, revision.size) else {
      guard let node = try await holder(of: revision) else { return nil }
      let content = try await room.receive(from: index.store, node.path, nil)
      return try await content.hash() == revision.hash ? content : nil
    }
    let path = room.versions.path(of: revision.hash.hex)
    let file = try await room.pool.run { () throws(StoreError) -> LocalFile in
      try LocalFile(path: path, creating: false)
    }
    return Content(file, size: revision.size, hash: revision.hash, fate: .kept, pool: room.pool)
  }

  /// Makes an old version the newest of its path; nil if it is not kept.
  func restore(
    _ revision: ServerRevision, to display: String, by author: ServerAuthor
  ) async throws -> ServerNode? {
    guard let content = try await content(of: revision) else { return nil }
    return try await put(
      content,
      CommitOrder(
        display: display, mode: .overwrite, autorename: false, isStrict: false,
        clientModified: revision.clientModified, author: author))
  }
}
