import Database
import FileStores

extension ClubIndex {
  private static let readers = 4
  /// Files up to this size are hashed several at once, and listings wait for them up to `listedBytes` a page.
  private static let smallFile: UInt64 = 1 << 20
  /// Takes a tenth of a second.
  private static let listedBytes: UInt64 = 32 << 20

  func hashed(_ node: ServerNode) async throws(StoreError) -> ServerNode {
    guard ClubIndex.lacksHash(node), let revision = node.storeRevision else { return node }
    let hash = try await contentHash(of: node.path, revision, size: node.size)
    return try await write { writing in
      var hashed = node
      hashed.hash = hash
      guard var known = try writing.node(path: node.path), known.storeRevision == revision else { return hashed }
      known.hash = hash
      try writing.keep(known)
      return known
    }
  }

  /// The nodes in order. Computes missing checksums in parallel; an unreadable or changed file stays without one.
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
              found.append((missing[place], .success(try await self.contentHash(of: node))))
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

  private static func isOfOneFile(_ error: StoreError) -> Bool {
    error.kind != .cancelled && error.kind != .offline
  }

  /// Adds the checksums that are quick to compute. The others come later and are then reported as changes.
  func listed(_ nodes: [ServerNode]) async throws(StoreError) -> [ServerNode] {
    var nodes = nodes
    var rest = ClubIndex.listedBytes
    var soon: [Int] = []
    for place in nodes.indices where ClubIndex.lacksHash(nodes[place]) {
      let size = nodes[place].size
      if size <= ClubIndex.smallFile, size <= rest {
        rest -= size
        soon.append(place)
      } else {
        later.note(nodes[place])
      }
    }
    guard !soon.isEmpty else { return nodes }
    for (place, node) in zip(soon, try await hashed(soon.map { nodes[$0] })) { nodes[place] = node }
    return nodes
  }

  /// Computes the checksums that listings did not wait for, one file at a time, until the task is cancelled.
  func hashLater() async {
    await later.forEach { file in
      // If the file is unreadable or has changed, the next listing asks again.
      guard let hash = try? await contentHash(of: file) else { return }
      _ = try? await write { writing in
        guard var known = try writing.node(path: file.path), known.hash == nil,
          known.storeRevision == file.storeRevision
        else { return }
        known.hash = hash
        try writing.save(known)
      }
    }
  }

  private func contentHash(of node: ServerNode) async throws(StoreError) -> ContentHash {
    try await contentHash(of: node.path, node.storeRevision, size: node.size)
  }

  /// The checksum of one version of a file. Concurrent requests share one read, and large files are read one at a time.
  func contentHash(
    of path: StorePath, _ revision: Revision?, size: UInt64?
  ) async throws(StoreError) -> ContentHash {
    try await hashes.hash(of: SharedHashes.Version(path: path, revision: revision)) { () throws(StoreError) in
      if let size, size <= ClubIndex.smallFile { return try await self.readHash(of: path, revision) }
      return try await self.locks.with("hash") { () throws(StoreError) in try await self.readHash(of: path, revision) }
    }
  }

  private func readHash(of path: StorePath, _ revision: Revision?) async throws(StoreError) -> ContentHash {
    let hasher = ContentHashLane(pool: pool)
    _ = try await store.read(path, from: 0, ifRevision: revision) { chunk in await hasher.add(chunk) }
    return await hasher.finish()
  }
}
