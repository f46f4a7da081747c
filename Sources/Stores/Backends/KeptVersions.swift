internal import Basics
internal import FileStores

struct KeptVersions: Sendable {
  let there: FileEntry?
  let versions: [FileEntry]

  /// - Parameter isThere: true if the newest version is the file that is there.
  init(_ versions: [FileEntry], isThere: Bool, limit: Int) {
    there = isThere ? versions.first : nil
    self.versions = Array(versions.prefix(max(0, limit)))
  }
}

/// The history of a server whose `restore` has no condition.
protocol UnconditionalHistory: RevisionHistory {
  func kept(of path: StorePath, limit: Int) async throws(StoreError) -> KeptVersions
  func makeNewest(_ revision: Revision, of path: StorePath) async throws(StoreError) -> FileEntry
  var pool: BlockingPool { get }
}

extension UnconditionalHistory {
  func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry] {
    try await kept(of: path, limit: limit).versions
  }

  /// Checks the history before and after. A version that another member wrote meanwhile becomes the newest again.
  func restore(
    _ revision: Revision, of path: StorePath, over base: Revision?
  ) async throws(StoreError) -> FileEntry {
    let before = try await kept(of: path, limit: looked)
    guard before.there?.revision == base else { throw .conflict(path, before.there) }
    if let there = before.there, there.revision == revision { return there }
    let restored = try await makeNewest(revision, of: path)
    let after = try await kept(of: path, limit: looked).versions
    guard let index = after.firstIndex(where: { $0.revision == restored.revision }),
      let below = after.dropFirst(index + 1).first, let overtaken = below.revision,
      !before.versions.contains(where: { $0.revision == overtaken })
    else { return restored }
    // If the restored version is not the newest, another member has knowingly written over it.
    if index == 0 {
      _ = try await pool.finishing { () throws(StoreError) in try await self.makeNewest(overtaken, of: path) }
    }
    throw .conflict(path, try await kept(of: path, limit: 1).there)
  }

  private var looked: Int { 20 }
}
