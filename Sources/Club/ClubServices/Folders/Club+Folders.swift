import Basics
import Database
public import FileStores

/// Whole folders at the store, for folders of notes and for albums.
extension Club {
  /// Requests at once for the files of a folder. While the store is away, changes of names that wait are written together.
  private var filesAtOnce: Int { copy?.isAway == true ? 1000 : 8 }

  /// All that is in a folder, at any depth or, with names alone, not in the folders in it. While its names wait to be sent,
  /// and while the store is away, what the local copy has.
  /// - Throws: `notFound`; `badInput` for a file; errors of the store.
  func contents(of folder: StorePath, isDeep: Bool = true) async throws(StoreError) -> [FileEntry] {
    func ask() async throws(StoreError) -> [FileEntry] {
      try await store.contents(of: folder, isDeep ? .full : .names, isDeep: isDeep)
    }
    await copy?.load()
    guard let copy, folder.isRoot || copy.isListed(folder) else { return try await ask() }
    await copy.checkIfWanted()
    if !copy.isAway, !copy.hasWaiting(in: folder) {
      do throws(StoreError) {
        return try await ask()
      } catch {
        guard copy.isAway else { throw error }
      }
    }
    return try copy.contents(of: folder).filter { isDeep || $0.path.parent == folder }
  }

  /// Moves a folder with all that is in it.
  /// - Parameter seen: the files that the member saw in it. One of them must still be there; the copy has its own.
  /// - Throws: `badInput` for the top of the club, a folder that is there already, and one that would go into itself;
  ///   `exists`, also if the name is taken in another Unicode form; `notFound`; `conflict` if another folder is there.
  func moveFolder(
    _ folder: StorePath, to target: StorePath, seen: [FileEntry]
  ) async throws(StoreError) -> FolderMoved {
    try Club.checkMove(of: folder, to: target)
    try await refuseTwin(of: target, besides: folder)
    let all = try await contents(of: folder)
    let sight = FolderSight(folder, seen)
    if copy?.isListed(folder) != true, !sight.isEmpty, !sight.knows(folder, all) {
      throw Club.otherFolder(at: folder, to: target)
    }
    let moved = try await store.move(folder, to: target, ifRevision: nil)
    return FolderMoved(from: folder, to: moved.path, count: all.count { $0.kind != .folder })
  }

  /// The error of a move that would take another folder than the one that the member saw.
  static func otherFolder(at folder: StorePath, to target: StorePath) -> StoreError {
    StoreError(
      .conflict,
      "\"\(folder)\" was not moved to \"\(target)\": someone else has put another folder in its place, or changed all "
        + "files that you saw in it.",
      remedy: "Look at it, then move it again.", path: folder)
  }

  static func checkMove(of folder: StorePath, to target: StorePath) throws(StoreError) {
    let fault: (String, String)? =
      if folder.isRoot || target.isRoot {
        ("The top of the club stays where it is.", "Choose a folder in it.")
      } else if folder == target {
        ("\"\(folder)\" has that name and place already.", "Choose another one.")
      } else if target.relative(to: folder) != nil {
        ("The folder \"\(folder)\" cannot go into itself.", "Choose another place.")
      } else {
        nil
      }
    if let fault { throw StoreError(.badInput, fault.0, remedy: fault.1, path: folder) }
  }

  /// - Throws: `exists` if a file or folder beside the new one has its name in another Unicode form.
  func refuseTwin(of target: StorePath, besides folder: StorePath? = nil) async throws(StoreError) {
    guard store.limits.caseSensitive, target.name.contains(where: { $0 >= 0x80 }) else { return }
    var found: FileEntry?
    do throws(StoreError) {
      let name = String(decoding: target.name, as: UTF8.self)
      found = try await store.contents(of: target.parent, isDeep: false).first { entry in
        entry.path != target && entry.path != folder && String(decoding: entry.path.name, as: UTF8.self) == name
      }
    } catch {
      // The move itself reports the store's error.
      return
    }
    guard let found else { return }
    throw StoreError(
      .exists, "\"\(found.path)\" already exists, with letters in another Unicode form.",
      remedy: "Choose another name.", path: found.path)
  }

  /// Discards the files of a folder, several at once, each also after a failure of others; then the folder, if no file is
  /// left in it.
  /// - Throws: the first failure if no file went.
  func trashFolder(
    _ folder: StorePath, also unsent: [StorePath] = [],
    _ discard: @escaping @Sendable (StorePath) async throws(StoreError) -> TrashedFile?
  ) async throws(StoreError) -> TrashedFolder {
    if folder.isRoot {
      throw StoreError(
        .badInput, "The top of the club stays where it is.", remedy: "Choose a folder in it.", path: folder)
    }
    var (all, isThere): ([FileEntry], Bool) = ([], true)
    do throws(StoreError) {
      all = try await contents(of: folder)
    } catch {
      guard error.kind == .notFound, !unsent.isEmpty else { throw error }
      isThere = false
    }
    let files = all.filter { $0.kind != .folder }.map(\.path)
    let paths = files + unsent.filter { !files.contains($0) }
    let results = await paths.results(atOnce: filesAtOnce, discard)
    var trashed = TrashedFolder(folder: folder, isLeft: isThere)
    var went: [Result<StorePath, StoreError>] = []
    for result in results {
      switch result {
      case .success(let file?):
        trashed.files.append(file)
        went.append(.success(file.origin))
      case .success(nil): continue
      case .failure(let error): if error.kind != .notFound { went.append(.failure(error)) }
      }
    }
    trashed.progress = FolderProgress(folder, isBack: false, went, waiting: copy?.waitingPaths(.trash) ?? [])
    if let reason = trashed.progress.reason {
      guard !trashed.files.isEmpty else { throw reason }
      trashed.failure = trashed.progress.failure(
        reason, remedy: "Move the folder to the trash again, or restore it.")
      return trashed
    }
    trashed.emptyFolders = ([folder] + all.filter { $0.kind == .folder }.map(\.path)).filter { empty in
      !all.contains { $0.path.relative(to: empty) != nil }
    }
    guard isThere else { return trashed }
    do throws(StoreError) {
      trashed.isLeft = try await removeEmpty(folder)
    } catch {
      trashed.failure = error
    }
    return trashed
  }

  /// Deletes a folder without files. It gets a name that nobody else knows before the last look: a file that another member
  /// makes at that moment makes the folder anew, and is not deleted with it. Lists show that name: a file that came just
  /// before is never hidden, also if the store goes away.
  /// - Returns: true if the folder is still there: it has a file, or the store is away.
  private func removeEmpty(_ folder: StorePath) async throws(StoreError) -> Bool {
    let word = String(UInt32.random(in: 0 ... .max), radix: 36)
    let aside = try folder.parent.appending(Array("going-\(word)".utf8))
    // None of it waits: later, another member's new folder could go in its place.
    let store = copy?.store ?? self.store
    do throws(StoreError) {
      guard copy?.isAway != true, copy?.hasWaiting(in: folder) != true else { return true }
      guard try await !store.hasFiles(in: folder) else { return true }
      _ = try await store.move(folder, to: aside, ifRevision: nil)
    } catch {
      return error.kind != .notFound
    }
    await copy?.lose(folder)
    do throws(StoreError) {
      guard try await store.hasFiles(in: aside) else {
        try await store.delete(aside, ifRevision: nil)
        await copy?.lose(aside)
        return false
      }
      guard try await store.entryIfAny(folder) != nil else {
        let back = try await store.move(aside, to: folder, ifRevision: nil)
        await copy?.learn(back)
        return true
      }
      for file in try await store.contents(of: aside) where file.kind != .folder {
        guard let back = file.path.moved(with: aside, to: folder) else { continue }
        let moved = try await store.move(file.path, to: back, ifRevision: nil)
        await copy?.learn(moved)
      }
      if try await !store.hasFiles(in: aside) { try await store.delete(aside, ifRevision: nil) }
    } catch {
      // Nothing is lost: the folder is there under the other name, with what came in at that moment.
      throw StoreError(
        error.kind, "The files of \"\(folder)\" are in the trash; what is left of it is \"\(aside)\". \(error.message)",
        remedy: "Rename that folder back, or delete it.", path: aside, retryAfter: error.retryAfter)
    }
    return true
  }

  /// Restores the files of a folder, several at once, each also after a failure of others. Those that an earlier try has
  /// restored count, too.
  /// - Throws: the first failure if no file came back.
  func restoreFolder(
    _ trashed: TrashedFolder, _ restore: @escaping @Sendable (TrashedFile.ID) async throws(StoreError) -> FileEntry
  ) async throws(StoreError) -> FolderRestored {
    let results = await trashed.files.results(atOnce: filesAtOnce) { (file) throws(StoreError) -> FileEntry in
      // An earlier try has brought it back, or its return waits.
      if let there = self.copy?.returning(file.id) { return there }
      do throws(StoreError) {
        return try await restore(file.id)
      } catch {
        guard error.kind == .notFound, let there = try await self.store.entryIfAny(file.origin), there.kind == .file
        else { throw error }
        return there
      }
    }
    var back: [FileEntry] = []
    for case .success(let entry) in results { back.append(entry) }
    let progress = FolderProgress(
      trashed.folder, isBack: true, results.map { $0.map(\.path) }, waiting: copy?.waitingPaths(.restore) ?? [])
    var failure = progress.reason
    if let failure, back.isEmpty { throw failure }
    for folder in trashed.emptyFolders {
      do throws(StoreError) {
        try await store.createFolder(folder)
      } catch {
        let message = "The empty folder \"\(folder)\" is not back. \(error.message)"
        failure =
          failure ?? StoreError(error.kind, message, remedy: error.remedy, path: folder, retryAfter: error.retryAfter)
      }
    }
    var restored = FolderRestored(
      folder: trashed.folder, files: back, failure: failure.map { progress.failure($0) })
    restored.progress = progress
    return restored
  }
}

extension FileStore {
  /// True if anything but folders is in a folder, also a file whose name cannot be read.
  fileprivate func hasFiles(in folder: StorePath) async throws(StoreError) -> Bool {
    var cursor: ListCursor?
    repeat {
      let page = try await list(folder, ListOptions(.names, recursive: true), after: cursor)
      if page.unreadable > 0 || page.entries.contains(where: { $0.kind != .folder }) { return true }
      cursor = page.next
    } while cursor != nil
    return false
  }

  /// All that is in a folder, also what no list shows; without `isDeep`, not what is in the folders in it.
  /// - Parameters: as in `ListOptions`.
  public func contents(
    of folder: StorePath, _ detail: ListOptions.Detail = .full, isDeep: Bool = true, skipsHidden: Bool = false
  ) async throws(StoreError) -> [FileEntry] {
    var (entries, cursor): ([FileEntry], ListCursor?) = ([], nil)
    repeat {
      let options = ListOptions(detail, recursive: isDeep, skipsHidden: skipsHidden)
      let page = try await list(folder, options, after: cursor)
      entries += page.entries
      cursor = page.next
    } while cursor != nil
    return entries
  }
}
