import Basics
import Database
import FileStores

extension ClubFiles {
  func move(_ node: ServerNode, to display: String, autorename: Bool) async throws -> ServerNode {
    let key = Folding.key(display)
    guard key == node.key || !PathText.isBelow(key, node.key) else { throw RelocationFault.intoItself }
    return try await index.locks.with(node.key) {
      try await checkRoom()
      return try await relocating {
        var display = display
        if key != node.key, let existing = try await place(display).node {
          guard autorename else { throw Tagged.conflict(existing.isFolder ? "folder" : "file") }
          display = try await freeName(display) { " (\($0))" }
        }
        let target =
          key == node.key
          ? try node.path.parent.appending(PathText.name(display)) : try await place(display).path
        if target == node.path { return try await index.refreshed(node) }
        let below = try await index.read { try node.isFolder ? ClubFiles.below(node, in: $0) : [] }
        if !below.isEmpty { try await checkRoom(entries: below.count) }
        let entry = try await index.store.move(node.path, to: target, ifRevision: node.storeRevision)
        if node.isFolder {
          index.later.noteMoved(node.path)
          index.films.noteMoved(node.path)
        }
        let now = index.now()
        return try await written { try ClubFiles.moved(node, below, to: entry, in: $0, now: now) }
      }
    }
  }

  /// Like `trying`, but reports a source that has gone as `RelocationFault.gone`.
  private func relocating(_ body: () async throws -> ServerNode?) async throws -> ServerNode {
    try await trying {
      do {
        return try await body()
      } catch let error as StoreError where error.kind == .notFound {
        throw RelocationFault.gone
      }
    }
  }

  private static func below(_ folder: ServerNode, in reading: ServerIndexReading) throws -> [ServerNode] {
    try reading.nodes(in: .subtree(folder.key), after: "", limit: .max)
  }

  /// Moves rows, which keep their ids; files get new version numbers.
  /// - Parameter known: the rows below `node` before the move.
  private static func moved(
    _ node: ServerNode, _ known: [ServerNode], to entry: FileEntry, in writing: ServerIndexWriting, now: Int64
  ) throws -> ServerNode? {
    // The change feed may have been faster. The given rows then replace a row that it removed, and a row that it added
    // at the new path has an id that no client has seen.
    var (old, below) = (node, known)
    if let row = try writing.node(path: node.path) {
      old = row
      if row.isFolder { below = try ClubFiles.below(row, in: writing) }
      try writing.remove(row)
    }
    if let version = ServerRevision(of: old) { try writing.add(version, at: now) }
    if let early = try writing.node(path: entry.path) { try writing.remove(early) }
    let known = old.hash.map { entry.hashed($0) } ?? entry
    guard var new = try ClubIndex.admit(known, in: writing, now: now) else { return nil }
    new.id = old.id
    new.clientModified = old.clientModified
    new.author = old.author
    new = try writing.save(new)
    for each in below {
      guard let rest = each.path.relative(to: old.path) else { continue }
      if let version = ServerRevision(of: each) { try writing.add(version, at: now) }
      var child = each
      child.display = new.display + each.display.dropFirst(old.display.count)
      child.key = Folding.key(child.display)
      child.path = new.path.descending(rest)
      if !child.isFolder { child.rev = try writing.nextNumber() }
      try writing.save(child)
    }
    return new
  }

  func copy(
    _ node: ServerNode, to display: String, autorename: Bool, by author: ServerAuthor
  ) async throws -> ServerNode {
    let key = Folding.key(display)
    guard !PathText.isBelow(key, node.key) else { throw RelocationFault.intoItself }
    guard node.isFolder else { return try await copyFile(node, to: display, autorename: autorename, by: author) }
    try await seeAll(below: node)
    let top = try await createFolder(display, autorename: autorename)
    let below = try await index.read {
      try $0.nodes(in: .subtree(node.key), after: "", limit: ClubFiles.mostEntries + 1)
    }
    guard below.count <= ClubFiles.mostEntries else { throw RelocationFault.tooMany }
    for each in below {
      let target = top.display + each.display.dropFirst(node.display.count)
      if each.isFolder {
        _ = try await createFolder(target, autorename: false)
      } else {
        _ = try await copyFile(each, to: target, autorename: false, by: author)
      }
    }
    return top
  }

  private func copyFile(
    _ node: ServerNode, to display: String, autorename: Bool, by author: ServerAuthor
  ) async throws -> ServerNode {
    guard Folding.key(display) != node.key || autorename else { throw Tagged.conflict("file") }
    let content = try await ifThere { () throws(StoreError) in
      try await room.receive(from: index.store, node.path, node.storeRevision)
    }
    guard let content else { throw RelocationFault.gone }
    return try await put(
      content,
      CommitOrder(
        display: display, mode: .add, autorename: autorename, isStrict: true, clientModified: node.clientModified,
        author: author))
  }
}

enum RelocationFault: Error {
  case gone
  case intoItself
  case tooMany
}
