internal import FileStores

extension FolderDisk {
  /// A folder that files of a batch go to, and what became of them.
  private final class Goal {
    let root: Descriptor
    let folder: Descriptor
    let made: [StorePath]
    var isUsed = false

    init(_ root: Descriptor, _ folder: Descriptor, _ made: [StorePath]) {
      (self.root, self.folder, self.made) = (root, folder, made)
    }
  }

  /// Writes files, each as `beginPut`, `write` and `commit` would; results by index.
  func put(_ files: [FolderBatches.Ready]) -> [(Int, Result<FileEntry, StoreError>)] {
    var goals: [StorePath: Goal] = [:]
    var results: [(Int, Result<FileEntry, StoreError>)] = []
    /// Makes the next step with those that came so far; the others have failed.
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
    // The deepest first: what was made for it may be all that keeps another from going.
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
    let told = each(named) { (file, here: (Goal, PendingFile, FileStat)) throws(StoreError) in
      if let error = lasting[file.path.parent] ?? nil {
        throw StoreError(error.kind, error.message, remedy: error.remedy, path: file.path)
      }
      return try conclude(here.1, here.2, at: file.path, hash: file.hash)
    }
    return results + told.map { ($0.file.index, .success($0.1)) }
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
