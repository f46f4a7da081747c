import Database
public import FileStores
import Synchronization

extension NotesService {
  /// Gives a note another name, after the saves of it that are on their way. Its drafts and unsent saves follow. A name
  /// without an ending gets the one that the note had.
  /// - Throws: `badName`; `exists` when the name is taken; `notFound`.
  public func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry {
    let target = try path.parent.appending(Array(try NoteName.renamed(name, from: path, store.limits).name))
    if target == path { return try await store.entry(at: path) }
    return try await inLine(path) { () throws(StoreError) in
      let entry = try await self.store.move(path, to: target, ifRevision: nil)
      do throws(StoreError) {
        self.drafts.moved(path, to: target)
        await self.drafts.flush()
        try await self.pool.run { () throws(StoreError) in
          try self.outbox.renamed(path, to: target, club: self.club.place)
        }
      } catch {
        self.drafts.onFailure(error)
      }
      return entry
    }
  }

  /// Puts a note into the store's trash, after the saves of it that are on their way.
  /// - Throws: `unsupported` when the store has no trash; `notFound`.
  public func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile {
    let trash = try powerOfTrash()
    return try await inLine(path) { () throws(StoreError) in try await trash.discard(path, ifRevision: nil) }
  }

  /// Puts a file back where it came from.
  /// - Throws: `notFound` when the trash has it no more; `exists` when something new is there.
  public func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry {
    try await powerOfTrash().restore(id)
  }

  /// Puts a file of the trash to another path.
  /// - Throws: as `restore`; `badName`.
  public func restore(_ id: TrashedFile.ID, as path: StorePath) async throws(StoreError) -> FileEntry {
    try await powerOfTrash().restore(id, as: path)
  }

  /// Deletes one file of the trash for good; one that is gone already is no error.
  public func delete(trashed id: TrashedFile.ID) async throws(StoreError) {
    try await powerOfTrash().delete(id)
  }

  /// What is in the club's trash, newest first: notes and photos.
  public func trashed() async throws(StoreError) -> [TrashedFile] {
    try await powerOfTrash().contents()
  }

  /// Deletes all that is in the club's trash, for good. Returns how many files that were.
  public func emptyTrash() async throws(StoreError) -> Int {
    try await powerOfTrash().empty()
  }

  private func powerOfTrash() throws(StoreError) -> any StoreTrash {
    guard let trash = store.trash else {
      throw StoreError(
        .unsupported, "The store of \"\(club.name)\" has no trash.",
        remedy: "To delete the file for good, use another program.")
    }
    return trash
  }

  /// Runs `work` in a path's line, to its end.
  func inLine<Value: Sendable>(
    _ path: StorePath, _ work: @escaping @Sendable () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await sending.add(path) { () -> Result<Value, StoreError> in
      do throws(StoreError) {
        return .success(try await work())
      } catch {
        return .failure(error)
      }
    }.value.get()
  }
}

extension NotesService {
  /// The path that a new note of this name gets: `.md` is added when the name has no ending.
  /// - Throws: `badName` for a name that is empty, hidden, no single name or too long, or has control characters.
  public func newPath(_ typed: String) throws(StoreError) -> StorePath { try NoteName.new(typed, store.limits) }

  /// The names that a typed name may mean, in the order to look for them: itself, and with `.md` when it has no ending.
  public static func spellings(of typed: String) -> [String] { NoteName.spellings(typed) }
}
