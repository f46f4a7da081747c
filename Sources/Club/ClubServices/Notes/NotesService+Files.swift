import Basics
import Database
public import FileStores
import Synchronization

extension NotesService {
  /// Renames a note after its saves in progress. Its drafts and unsent saves follow. A name without an extension gets
  /// the note's. A request may arrive twice: `seen`, the note as last seen, shows if an earlier request has renamed it.
  /// - Throws: `badName`; `exists` if the name is taken, or in another Unicode form; `notFound`.
  public func rename(
    _ path: StorePath, to name: String, seen: FileEntry?
  ) async throws(StoreError) -> FileEntry {
    try await move(path, to: path.parent, named: name, seen: seen)
  }

  /// Moves a note to another folder, which is made if it is missing, with all that follows it to a new name (`rename`).
  /// - Parameter name: as in `rename`; nil keeps it.
  /// - Throws: as `rename`; `badName` for a folder that holds no notes.
  public func move(
    _ path: StorePath, to folder: StorePath, named name: String? = nil, seen: FileEntry?
  ) async throws(StoreError) -> FileEntry {
    let name = if let name { try NoteName.renamed(name, from: path, store.limits).name } else { path.name }
    let target = try folder.appending(name)
    if target == path { return try await store.entry(at: path) }
    try club.notes.check(target)
    return try await inLine(path) { () throws(StoreError) in
      try await self.refuseTwin(of: target, besides: path)
      if let renamed = try await self.renameNew(path, to: target) { return renamed }
      let entry = try await self.move(path, to: target, seen)
      await self.followed(path, to: target)
      try await self.club.move(Companion.ofNotes, of: path, to: target)
      await self.followed(try Talk.path(of: path), to: try Talk.path(of: target))
      return entry
    }
  }

  /// Drafts and unsent saves go with their note.
  func followed(_ path: StorePath, to target: StorePath) async { await followed([path: target]) }

  func followed(_ names: MovedNames) async {
    past?.moved(names)
    drafts.moved(names)
    await drafts.flush()
    await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in try self.moveTexts(names) }
  }

  /// Moves the texts in the outbox, and those on their way into it: with the lock of `keep`, each is one or the other.
  /// Blocks.
  private func moveTexts(_ names: MovedNames) throws(StoreError) {
    try underway.withLock { _ throws(StoreError) in
      moves.withLock { $0.append(names) }
      try outbox.moved(names, club: club.key)
    }
  }

  /// Moves a note to the store's trash after its saves in progress; `seen` as in `rename`. Its waiting texts become drafts.
  /// - Throws: `unsupported` if the store has no trash; `notFound`, also then.
  public func trash(_ path: StorePath, seen: FileEntry?) async throws(StoreError) -> TrashedFile {
    let trash = try club.storeTrash()
    return try await inLine(path) { () throws(StoreError) in
      do throws(StoreError) {
        if let dropped = try await self.dropNew(path) { return dropped }
        let done = try await trash.discard(path, ifRevision: nil)
        await self.draftSaves(of: path)
        try await self.club.trash(Companion.ofNotes, of: path, trash)
        return done
      } catch {
        guard error.kind == .notFound else { throw error }
        let hasDrafts = try await self.waitsOverBase(path)
        if hasDrafts { await self.draftSaves(of: path) }
        if let seen,
          let done = try await trash.contents().first(where: { $0.origin == path && $0.size == seen.size })
        {
          return done
        }
        guard hasDrafts else { throw error }
        throw StoreError(
          .notFound, "\"\(path)\" is no longer in the club.",
          remedy: "Your text of it, which was not sent, is a draft on this machine now.", path: path)
      }
    }
  }

  /// Sent, they would make the note again. A mend goes: nobody typed its text.
  func draftSaves(of path: StorePath) async {
    await takeSaves(of: path) { save, text throws(StoreError) in
      if NotesService.isMend(save.draft) { return try self.outbox.removeSave(save.id) }
      try self.makeDraft(of: save, text)
    }
  }

  /// True if a text that someone typed waits for a note that the store had.
  private func waitsOverBase(_ path: StorePath) async throws(StoreError) -> Bool {
    try await pool.run { () throws(StoreError) in
      try self.outbox.saves(club: self.club.key).contains {
        $0.path == path && $0.base != nil && !$0.isDamaged && !NotesService.isMend($0.draft)
      }
    }
  }

  /// Renames a note of a club with a local copy that the store does not have yet.
  /// - Returns: nil for any other note.
  /// - Throws: `notFound` for a waiting text of a note that the store had, if the copy does not have it. Under another
  ///   name its base would be a revision of another note.
  private func renameNew(_ path: StorePath, to target: StorePath) async throws(StoreError) -> FileEntry? {
    guard let copy = club.copy, let (saves, new) = try await savesOfNew(path) else { return nil }
    guard saves.allSatisfy({ $0.path != path || $0.base == nil }) else {
      throw StoreError(
        .notFound, "\"\(path)\" is not in the list of the club that this machine has. The text for it still waits.",
        remedy: "Refresh the list, then rename the note.", path: path)
    }
    guard copy.entry(at: target) == nil, !saves.contains(where: { $0.path == target }) else {
      throw StoreError(.exists, "\"\(target)\" already exists.", remedy: "Choose another name.", path: target)
    }
    drafts.moved(path, to: target)
    await drafts.flush()
    try await pool.run { () throws(StoreError) in try self.moveTexts([path: target]) }
    return FileEntry(path: target, kind: .file, size: UInt64(new.bytes), modified: new.created)
  }

  /// All saves that wait, and the newest of a note that the local copy does not have; nil for any other note.
  private func savesOfNew(_ path: StorePath) async throws(StoreError) -> (all: [SaveRecord], newest: SaveRecord)? {
    guard club.copy?.entry(at: path) == nil else { return nil }
    let saves = try await pool.run { () throws(StoreError) in try self.outbox.saves(club: self.club.key) }
    return saves.last { $0.path == path && !$0.isDamaged }.map { (saves, $0) }
  }

  /// Drops the waiting text of a new note of a club with a local copy; it stays for a week.
  /// - Returns: nil for any other note.
  /// - Throws: `notFound` for a note that the store had, if this machine knows that it is gone. Without the list of the
  ///   club only the store knows.
  func dropNew(_ path: StorePath) async throws(StoreError) -> TrashedFile? {
    guard let copy = club.copy, let (saves, new) = try await savesOfNew(path) else { return nil }
    guard saves.allSatisfy({ $0.path != path || $0.base == nil }) else {
      guard copy.isListed(path) else { return nil }
      throw LocalCopyStore.missing(path)
    }
    await takeSaves(of: path) { save, text throws(StoreError) in
      try self.drafts.keepDropped(path, title: "", base: save.base, text: text)
      try self.outbox.removeSave(save.id)
    }
    return TrashedFile(
      id: NotesService.droppedPrefix + path.description, origin: path, discarded: now(), size: UInt64(new.bytes))
  }

  private static let droppedPrefix = "dropped-"

  /// The newest dropped text of a path, saved again.
  func bringBack(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry? {
    guard id.hasPrefix(NotesService.droppedPrefix) else { return nil }
    let path = try StorePath(String(id.dropFirst(NotesService.droppedPrefix.count)))
    guard let text = try await waiting().first(where: { $0.kind == .discarded && $0.path == path }) else {
      throw LocalCopyStore.missing(path)
    }
    switch try await send(text) {
    case .saved(let entry): return entry
    case .merged(let merged): return merged.entry
    case .kept, .conflict, .deleted:
      return FileEntry(path: path, kind: .file, size: UInt64(text.bytes), modified: now())
    }
  }

  /// Takes the waiting texts of a note out of the outbox.
  private func takeSaves(
    of path: StorePath, _ take: @escaping @Sendable (SaveRecord, [UInt8]) throws(StoreError) -> Void
  ) async {
    let underway = underway.withLock { $0 }
    await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in
      for save in try self.outbox.saves(club: self.club.key)
      where save.path == path && !save.isDamaged && !underway.contains(save.id) {
        guard let text = try self.outbox.text(ofSave: save.id)?.bytes else { continue }
        try take(save, text)
      }
    }
  }

  public func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry {
    try await rename(path, to: name, seen: nil)
  }

  public func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile { try await trash(path, seen: nil) }

  private func move(
    _ path: StorePath, to target: StorePath, _ seen: FileEntry?
  ) async throws(StoreError) -> FileEntry {
    do throws(StoreError) {
      return try await store.move(path, to: target, ifRevision: nil)
    } catch {
      guard error.kind == .notFound, let hash = seen?.contentHash else { throw error }
      let there = try await store.entry(at: target)
      guard there.contentHash == hash else { throw error }
      return there
    }
  }

  /// - Throws: `notFound` if the trash no longer has it; `exists` if the path is taken.
  public func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry {
    if let back = try await bringBack(id) { return back }
    return try await club.restore(id, with: Companion.ofNotes)
  }

  /// - Throws: as `restore`; `badName`.
  public func restore(_ id: TrashedFile.ID, as path: StorePath) async throws(StoreError) -> FileEntry {
    try await club.storeTrash().restore(id, as: path)
  }

  public func delete(trashed id: TrashedFile.ID) async throws(StoreError) {
    try await club.storeTrash().delete(id)
  }

  public func trashed() async throws(StoreError) -> [TrashedFile] {
    try await club.storeTrash().contents()
  }

  /// The beginning of a file in the trash.
  /// - Throws: `notFound` if the trash no longer has it.
  public func beginning(trashed id: TrashedFile.ID, limit: Int) async throws(StoreError) -> FileBeginning {
    try await club.storeTrash().read(id, limit: limit)
  }

  /// Returns the number of deleted files.
  public func emptyTrash() async throws(StoreError) -> Int {
    try await club.storeTrash().empty()
  }

  func inLine<Value: Sendable>(
    _ path: StorePath, _ work: @escaping @Sendable () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await sending.run(path, work)
  }
}

extension NotesService {
  /// The path of a new note: `oslo` and `trips/oslo` are below `folder`, `/trips/oslo` is below the top.
  /// - Throws: `badName` if a part is empty, hidden, too long, or has control characters, or if no list would show it.
  public func newPath(_ typed: String, in folder: StorePath = .root) throws(StoreError) -> StorePath {
    let path = try NoteName.new(typed, in: folder, store.limits)
    try club.notes.check(path)
    return path
  }

  public static func spellings(of typed: String) -> [String] { NoteName.spellings(typed) }
}
