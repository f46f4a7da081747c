import Database
import FileStores

extension ClubIndex {
  /// How many files are read at once.
  private static let readers = 4

  /// The node with its checksum, which is found by reading the file when nobody has wanted it before.
  func hashed(_ node: ServerNode) async throws(StoreError) -> ServerNode {
    guard ClubIndex.lacksHash(node), let revision = node.storeRevision else { return node }
    let hash = try await contentHash(of: node.path, revision)
    return try await write { writing in
      var hashed = node
      hashed.hash = hash
      guard var known = try writing.node(path: node.path), known.storeRevision == revision else { return hashed }
      known.hash = hash
      try writing.keep(known)
      return known
    }
  }

  /// The nodes with their checksums, in their order: those that nobody has wanted before are found by reading the files,
  /// some at once, and are written down together. What cannot be read, or is another version by now, is told without.
  func hashed(_ nodes: [ServerNode]) async throws(StoreError) -> [ServerNode] {
    let missing = nodes.indices.filter { ClubIndex.lacksHash(nodes[$0]) }
    guard !missing.isEmpty else { return nodes }
    let results = await withTaskGroup(of: [(Int, Result<ContentHash, StoreError>)].self) { group in
      for reader in 0..<min(ClubIndex.readers, missing.count) {
        group.addTask {
          var found: [(Int, Result<ContentHash, StoreError>)] = []
          for place in stride(from: reader, to: missing.count, by: ClubIndex.readers) {
            let node = nodes[missing[place]]
            do throws(StoreError) {
              found.append((missing[place], .success(try await self.contentHash(of: node.path, node.storeRevision))))
            } catch {
              found.append((missing[place], .failure(error)))
              if !ClubIndex.isOfOneFile(error) { break }
            }
          }
          return found
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    var nodes = nodes
    var fresh: [(node: ServerNode, hash: ContentHash)] = []
    for (index, result) in results {
      switch result {
      case .success(let hash):
        fresh.append((nodes[index], hash))
        nodes[index].hash = hash
      case .failure(let error): guard ClubIndex.isOfOneFile(error) else { throw error }
      }
    }
    guard !fresh.isEmpty else { return nodes }
    try await write { [fresh] writing in
      for (node, hash) in fresh { try writing.set(hash, of: node) }
    }
    return nodes
  }

  private static func lacksHash(_ node: ServerNode) -> Bool {
    !node.isFolder && !node.isDeleted && node.hash == nil && node.storeRevision != nil
  }

  /// Whether an error of reading says something of the file, and nothing of the others.
  private static func isOfOneFile(_ error: StoreError) -> Bool {
    error.kind != .cancelled && error.kind != .offline
  }

  func contentHash(of path: StorePath, _ revision: Revision?) async throws(StoreError) -> ContentHash {
    let hasher = ContentHashLane(pool: pool)
    _ = try await store.read(path, from: 0, ifRevision: revision) { chunk in await hasher.add(chunk) }
    return await hasher.finish()
  }
}
