internal import Basics
internal import FileStores

/// Writes many small files in few calls. The disk gets all bytes before the first fsync, and each folder is synced
/// once.
struct FolderBatches: BatchUploads {
  let store: FolderStore

  var mostFiles: Int { 1000 }
  var mostBytes: UInt64 { 1 << 20 }

  /// Limits of one group: open files, and approximate bytes in memory.
  private static let atOnce = 64
  private static let bytesAtOnce = 8 << 20

  struct Ready: Sendable {
    let index: Int
    let path: StorePath
    let mode: WriteMode
    let bytes: [UInt8]
    let hash: ContentHash
    let modified: Timestamp?
  }

  func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>] {
    try checkCount(of: files)
    var results = files.map { Result<FileEntry, StoreError>.failure(.cancelled("The writing", path: $0.path)) }
    var ready: [Ready] = []
    var held = 0
    for (index, file) in files.enumerated() {
      try store.checkCancelled("The writing", file.path)
      do throws(StoreError) {
        let next = try await read(file, index)
        held += next.bytes.count
        ready.append(next)
      } catch {
        results[index] = .failure(error.about(file.path))
      }
      guard ready.count == FolderBatches.atOnce || held >= FolderBatches.bytesAtOnce || index == files.count - 1 else {
        continue
      }
      let (disk, group) = (store.disk, ready)
      for (index, result) in await store.pool.run({ disk.put(group) }) { results[index] = result }
      (ready, held) = ([], 0)
    }
    return results
  }

  private func read(_ file: BatchFile, _ index: Int) async throws(StoreError) -> Ready {
    try store.disk.checkWritable(file.path)
    let (bytes, hash) = try await content(of: file)
    return Ready(
      index: index, path: file.path, mode: file.mode, bytes: bytes, hash: hash, modified: file.source.modified)
  }
}

extension FolderDisk {
  private final class Goal {
    let root: Descriptor
    let folder: Descriptor
    let made: [StorePath]
    var isUsed = false

    init(_ root: Descriptor, _ folder: Descriptor, _ made: [StorePath]) {
      (self.root, self.folder, self.made) = (root, folder, made)
    }
  }

  /// Writes each file as `beginPut`, `write` and `commit` would. The results carry their index.
  func put(_ files: [FolderBatches.Ready]) -> [(Int, Result<FileEntry, StoreError>)] {
    var goals: [StorePath: Goal] = [:]
    var results: [(Int, Result<FileEntry, StoreError>)] = []
    func each<From, To>(
      _ those: [(file: FolderBatches.Ready, From)],
      _ body: (FolderBatches.Ready, From) throws(StoreError) -> To
    ) -> [(file: FolderBatches.Ready, To)] {
      var good: [(file: FolderBatches.Ready, To)] = []
      for (file, from) in those {
        do throws(StoreError) {
          good.append((file, try body(file, from)))
        } catch {
          results.append((file.index, .failure(error)))
        }
      }
      return good
    }
    let written = each(files.map { ($0, ()) }) { (file, _) throws(StoreError) in
      let goal = try goal(of: file.path, &goals)
      let pending = try beginPut(file.path, file.mode, in: goal.folder, below: goal.root, made: [])
      do throws(StoreError) {
        try write(file.bytes[...], at: 0, to: pending, file.path)
      } catch {
        abandon(pending)
        throw error
      }
      if let modified = file.modified { pending.file.setModified(modified) }
      pending.file.beginSync()
      return (goal, pending)
    }
    let named = each(written) { (file, here: (Goal, PendingFile)) throws(StoreError) in
      let (goal, pending) = here
      do throws(StoreError) {
        let stat = try giveName(pending, at: file.path, file.mode)
        goal.isUsed = true
        return (goal, pending, stat)
      } catch {
        abandon(pending)
        throw error
      }
    }
    // Deepest first, because a parent can be removed only after its child.
    for (_, goal) in goals.sorted(by: { $0.key.components.count > $1.key.components.count }) where !goal.isUsed {
      removeFolders(goal.made, below: goal.root)
    }
    let lasting = goals.mapValues { goal -> StoreError? in
      guard goal.isUsed else { return nil }
      do throws(StoreError) {
        try step(.syncFolder, .root)
        try goal.folder.sync(.root)
        return nil
      } catch {
        return error
      }
    }
    let stated = each(named) { (file, here: (Goal, PendingFile, FileStat)) throws(StoreError) in
      if let error = lasting[file.path.parent] ?? nil {
        throw StoreError(error.kind, error.message, remedy: error.remedy, path: file.path)
      }
      return try conclude(here.1, here.2, at: file.path, hash: file.hash)
    }
    return results + stated.map { ($0.file.index, .success($0.1)) }
  }

  private func goal(of path: StorePath, _ goals: inout [StorePath: Goal]) throws(StoreError) -> Goal {
    if let goal = goals[path.parent] { return goal }
    let root = try openRoot()
    let (folder, made) = try openParentMaking(of: path, below: root)
    let goal = Goal(root, folder, made)
    goals[path.parent] = goal
    return goal
  }
}
