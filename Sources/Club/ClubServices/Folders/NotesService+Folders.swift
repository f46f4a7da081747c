import Basics
import Database
public import FileStores

/// Folders of notes as a whole.
extension NotesService {
  /// Makes an empty folder: `oslo` and `trips/oslo` are below `folder`, `/trips/oslo` is below the top.
  /// - Throws: `badName` for a folder that no list would show; `exists`, also if the name is taken in another Unicode form;
  ///   errors of the store, which must answer.
  public func makeFolder(_ typed: String, in folder: StorePath = .root) async throws(StoreError) -> StorePath {
    let path = try folderPath(typed, in: folder)
    if let taken = try await store.entryIfAny(path) {
      throw StoreError(
        .exists, "\"\(path)\" already exists.", remedy: "Choose another name.", path: path, current: taken)
    }
    try await club.refuseTwin(of: path)
    try await store.createFolder(path)
    return path
  }

  /// The path of a typed folder, which need not be there; as in `makeFolder`.
  /// - Throws: `badName`.
  public func folderPath(_ typed: String, in folder: StorePath = .root) throws(StoreError) -> StorePath {
    guard club.notes.hasFolders else {
      throw StoreError(
        .badName, "\"\(NoteName.shown(typed))\" is no folder here: folders of notes are off (notes.folders is false).",
        remedy: "To see them set notes.folders to true.")
    }
    var name = typed[...]
    while name.last == "/" || name.last == " " { name.removeLast() }
    guard name.contains(where: { $0 != "/" && $0 != " " }) else {
      throw StoreError(.badName, "A folder needs a name.", remedy: "Choose a name.", path: folder)
    }
    // The folder of a note in it: each part has the rules of a name.
    let path = try newPath("\(name)/note.md", in: folder).parent
    try check(folder: path)
    return path
  }

  private func check(folder: StorePath) throws(StoreError) {
    if club.notes.isFolder(folder) { return }
    try club.notes.check(folder.descending(Array("note.md".utf8)[...]))
  }

  /// All photos would go with it.
  private func checkIsNotAroundPhotos(_ folder: StorePath) throws(StoreError) {
    guard !folder.isRoot, club.notes.isAroundPhotos(folder) else { return }
    throw StoreError(
      .badInput, "The photos folder \"\(club.photosFolder)\" is in \"\(folder)\", so that stays where it is.",
      remedy: "Choose a folder in it.", path: folder)
  }

  /// Renames or moves a folder with all that is in it, also what no list shows, after the saves in progress of its notes.
  /// Drafts, unsent saves, versions and what this member has seen follow.
  /// - Parameter seen: the files that the member saw in it; none for a folder that may have any.
  /// - Throws: `conflict` if another folder is there; `badInput` for the top and for a folder that would go into itself;
  ///   `badName` for a place where no list shows folders; `exists`; `notFound`.
  public func moveFolder(
    _ folder: StorePath, to target: StorePath, seen: [FileEntry] = []
  ) async throws(StoreError) -> FolderMoved {
    try Club.checkMove(of: folder, to: target)
    try check(folder: folder)
    try checkIsNotAroundPhotos(folder)
    try check(folder: target)
    return try await sending.runAcross(
      { $0.touches(folder) || $0.touches(target) },
      { () throws(StoreError) in
        // Refused later, the move would take them along to the old place.
        guard try await self.unsent(in: target).isEmpty else {
          throw StoreError(
            .exists, "\"\(target)\" already has texts that wait to be sent.", remedy: "Choose another name.",
            path: target)
        }
        let moved: FolderMoved
        if let new = try await self.moveUnsent(folder, to: target) {
          moved = new
        } else {
          moved = try await self.club.moveFolder(folder, to: target, seen: seen)
        }
        await self.followed(MovedNames([:], folders: [folder: moved.to]))
        return moved
      })
  }

  /// A folder that only waiting texts have: it is made when they are sent. nil for any other folder.
  private func moveUnsent(_ folder: StorePath, to target: StorePath) async throws(StoreError) -> FolderMoved? {
    guard let copy = club.copy, copy.isListed(folder), copy.entry(at: folder) == nil else { return nil }
    let waiting = try await unsent(in: folder)
    guard !waiting.isEmpty, waiting.allSatisfy({ $0.base == nil }) else { return nil }
    if let taken = copy.entry(at: target) {
      throw StoreError(
        .exists, "\"\(target)\" already exists.", remedy: "Choose another name.", path: target, current: taken)
    }
    return FolderMoved(from: folder, to: target, count: Set(waiting.map(\.path)).count)
  }

  func unsent(in folder: StorePath) async throws(StoreError) -> [SaveRecord] {
    guard outbox.exists else { return [] }
    return try await pool.run { () throws(StoreError) in
      try self.outbox.saves(club: self.club.key).filter { !$0.isDamaged && $0.path.relative(to: folder) != nil }
    }
  }

  /// Moves all files of a folder to the store's trash, also those that no list shows, each after its saves in progress;
  /// then the empty folder goes. Waiting texts become drafts.
  /// - Returns: all that went, with the reason if not all did.
  /// - Throws: `unsupported` if the store has no trash; `notFound`; the first failure if nothing went.
  public func trashFolder(_ folder: StorePath) async throws(StoreError) -> TrashedFolder {
    let trash = try club.storeTrash()
    try check(folder: folder)
    try checkIsNotAroundPhotos(folder)
    let waiting = try await unsent(in: folder)
    return try await club.trashFolder(folder, also: Set(waiting.map(\.path)).sorted()) { (path) throws(StoreError) in
      try await self.discardFiled(path, trash)
    }
  }

  /// Moves a file of a folder to the trash after its saves in progress.
  /// - Returns: nil for a file that is gone.
  func discardFiled(_ path: StorePath, _ trash: any StoreTrash) async throws(StoreError) -> TrashedFile? {
    try await inLine(path) { () throws(StoreError) in
      if let dropped = try await self.dropNew(path) { return dropped }
      do throws(StoreError) {
        let done = try await trash.discard(path, ifRevision: nil)
        await self.draftSaves(of: path)
        return done
      } catch {
        guard error.kind == .notFound else { throw error }
        // Sent, they would make the file again.
        await self.draftSaves(of: path)
        return nil
      }
    }
  }

  /// Brings all files of a folder back from the trash.
  /// - Returns: all that came back, with the reason if not all did.
  /// - Throws: the first failure if nothing came back.
  public func restore(_ trashed: TrashedFolder) async throws(StoreError) -> FolderRestored {
    let trash = try club.storeTrash()
    return try await club.restoreFolder(trashed) { (id) throws(StoreError) in
      if let back = try await self.bringBack(id) { return back }
      return try await trash.restore(id)
    }
  }
}
