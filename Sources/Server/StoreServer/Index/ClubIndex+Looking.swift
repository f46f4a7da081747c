import Database
import FileStores

/// A member's change may come between a look at the store and its recording. Each look therefore notes the newest index
/// number first, and is repeated if the row is newer.
extension ClubIndex {
  private enum Outcome: Sendable {
    case taken(ServerNode?)
    case outdated
  }

  /// Looks at a path and records its file; nil if nothing is there or it is not shown.
  /// - Parameter allowance: a file that it leaves out is recorded later.
  func look(
    at path: StorePath, _ allowance: HashAllowance = .all
  ) async throws(StoreError) -> ServerNode? {
    for _ in 0..<8 {
      let (number, known) = try await read { (try $0.newestNumber(), try $0.node(path: path)) }
      let entry = try await seen(path)
      if entry == nil, known == nil { return nil }
      if case .taken(let node) = try await take(entry, at: path, since: number, over: known, allowance) { return node }
    }
    // The file keeps changing; the newest recorded state is good enough.
    if let known = try await read({ try $0.node(path: path) }) { return known }
    guard allowance.persists else { return nil }
    // It is there, so no answer to a client may say that it is not.
    throw StoreError(.conflict, "\"\(path)\" keeps changing.", remedy: "Try again later.", path: path)
  }

  /// The node as the store has it now; nil if it is gone.
  func refreshed(
    _ node: ServerNode, _ allowance: HashAllowance = .all
  ) async throws(StoreError) -> ServerNode? {
    if node.path.isRoot { return node }
    let entry = try await seen(node.path)
    if let entry, node.holds(entry) { return node }
    switch try await take(entry, at: node.path, since: node.sequence, over: node, allowance) {
    case .taken(let fresh): return fresh
    case .outdated: return try await look(at: node.path, allowance)
    }
  }

  private func seen(_ path: StorePath) async throws(StoreError) -> FileEntry? {
    do throws(StoreError) {
      return try await store.entry(at: path)
    } catch {
      switch error.kind {
      // A path through a link, or a name that the store cannot hold, leads to nothing.
      case .notFound, .badName, .badInput, .notPermitted: return nil
      default: throw error
      }
    }
  }

  private func take(
    _ entry: FileEntry?, at path: StorePath, since number: Int64, over node: ServerNode?, _ allowance: HashAllowance
  ) async throws(StoreError) -> Outcome {
    guard let entry else {
      return try await write { writing in
        guard let known = try writing.node(path: path) else { return .taken(nil) }
        guard known.sequence <= number, known.storeRevision == node?.storeRevision else { return .outdated }
        try writing.remove(known)
        return .taken(nil)
      }
    }
    let known = try await read { try $0.nodes(at: [entry.path]) }
    var allowance = allowance
    guard let entry = try await settled([entry], known, &allowance).entries.first else { return .outdated }
    let now = now()
    return try await write { writing in
      if try ClubIndex.isOutdated(entry, since: number, in: writing) { return .outdated }
      return .taken(try ClubIndex.admit(entry, in: writing, now: now))
    }
  }

  /// True if another change of the entry's path was recorded after this index number.
  static func isOutdated(_ entry: FileEntry, since number: Int64, in reading: ServerIndexReading) throws -> Bool {
    if let known = try reading.node(path: entry.path) {
      return known.sequence > number && !known.holds(entry)
    }
    // A deleted file has its row under its shown name.
    var display = ""
    var path = StorePath.root
    for component in entry.path.components {
      guard let name = String(validating: component, as: UTF8.self) else { return false }
      path = try path.appending(component)
      if let known = try reading.node(path: path) {
        display = known.display
        continue
      }
      for candidate in candidates(display, Folding.composed(name)) {
        let key = Folding.key(candidate)
        let live = try reading.node(key: key)
        guard let row = try live ?? reading.node(key: key, deleted: true) else { break }
        if row.sequence > number { return true }
        if live == nil { break }
      }
      display += "/" + Folding.composed(name)
    }
    return false
  }
}
