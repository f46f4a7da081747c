import Basics
import Database
import FileStores

extension ClubFiles {
  /// Turns content into a file, and returns it under its actual name.
  func put(_ content: Content, _ order: CommitOrder) async throws -> ServerNode {
    let node = try await index.locks.with(Folding.key(order.display)) {
      try await checkRoom()
      return try await trying { try await attempt(content, order, display: order.display) }
    }
    if node.size <= versions.atOnceBytes { await makeRoom(added: node.size, at: node.key) }
    return node
  }

  private func attempt(_ content: Content, _ order: CommitOrder, display: String) async throws -> ServerNode? {
    let (existing, path) = try await place(display)
    guard let existing else {
      if case .update = order.mode, order.isStrict { return try await renamed(content, order, "file") }
      return try await write(content, order, at: path, over: nil)
    }
    guard !existing.isFolder else { return try await renamed(content, order, "folder") }
    let isExpected =
      switch order.mode {
      case .add: false
      case .overwrite: true
      case .update(let rev): rev == existing.rev
      }
    // Equal content is neither a conflict nor a new version.
    if !order.isStrict || order.mode == .overwrite, existing.size == content.size {
      if try await content.hash() == existing.hash { return existing }
    }
    guard isExpected else { return try await renamed(content, order, "file") }
    return try await write(content, order, at: path, over: existing)
  }

  private func renamed(_ content: Content, _ order: CommitOrder, _ obstacle: String) async throws -> ServerNode? {
    guard order.autorename else { throw Tagged.conflict(obstacle) }
    // Clients take the name from the answer. Dropbox's "(conflicted copy)" would not say whose text it is.
    let isUpdate = if case .update = order.mode { true } else { false }
    let now = Timestamp(seconds: index.now())
    let display = try await freeName(order.display) { number in
      isUpdate ? NumberedName.version(of: order.author.name, now, number: number) : " (\(number))"
    }
    return try await write(content, order, at: try await place(display).path, over: nil)
  }

  private func write(
    _ content: Content, _ order: CommitOrder, at path: StorePath, over existing: ServerNode?
  ) async throws -> ServerNode? {
    try await claiming(content.size, over: existing, by: order.author) {
      if let existing { await keepIfPossible(existing) }
      guard content.size <= versions.atOnceBytes else {
        return try await write(content, order, at: path, over: existing, copy: nil)
      }
      return try await index.locks.with(ClubFiles.lock(try await content.hash())) {
        let copy = await copyIfPossible(of: content, order.display)
        return try await write(content, order, at: path, over: existing, copy: copy)
      }
    }
  }

  /// - Parameter copy: the same content, kept as a version once it is in the club.
  private func write(
    _ content: Content, _ order: CommitOrder, at path: StorePath, over existing: ServerNode?, copy: Content?
  ) async throws -> ServerNode? {
    let mode: WriteMode = existing?.storeRevision.map { .replace($0) } ?? .create
    let entry = try await stored(content, at: path, mode)
    content.learn(entry.contentHash)
    let hash = try await content.hash()
    if let copy { await keepIfPossible(copy, as: hash, order.display) }
    let now = index.now()
    let isVersion = content.size <= versions.atOnceBytes
    let node = try await written { writing -> ServerNode? in
      let newest = try writing.newestNumber()
      guard var node = try ClubIndex.admit(entry.hashed(hash), in: writing, now: now) else { return nil }
      // Rewriting the same bytes is still a new version, and what the change feed has recorded first was reported without its
      // author; this is that version.
      var wasKept = false
      if node.rev <= newest {
        if node.author == nil, node.rev != existing?.rev, let early = try writing.revision(node.rev) {
          try writing.forget(early)
          wasKept = true
        }
        node.rev = try writing.nextNumber()
      }
      node.serverModified = now
      node.clientModified = order.clientModified ?? now
      node.author = order.author
      node = try writing.save(node)
      if isVersion || wasKept, let version = ServerRevision(of: node) { try writing.add(version, at: now) }
      return node
    }
    // Another program may have written since, and the change feed may have reported it first. If this refresh fails,
    // the next read repeats it.
    if let node { _ = try? await index.refreshed(node) }
    return node
  }

  /// Writes content to the store; renames the server's own file if both are on one disk.
  private func stored(
    _ content: Content, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    if let file = content.takeablePath, let store = index.store.capabilities.adopting,
      let entry = try await store.put(adopting: file, hash: try await content.hash(), at: path, mode: mode)
    {
      return entry
    }
    return try await index.store.put(content.source, at: path, mode: mode)
  }
}

/// Parameters for turning content into a file: the API's `CommitInfo`.
struct CommitOrder: Sendable {
  enum Mode: Sendable, Equatable {
    case add
    case overwrite
    /// Any other version than this is a conflict.
    case update(Int64)
  }

  let display: String
  let mode: Mode
  let autorename: Bool
  /// True if equal content or a deleted file is a conflict too.
  let isStrict: Bool
  /// Seconds since 1970; nil for now.
  let clientModified: Int64?
  let author: ServerAuthor
}
