import Basics
import Database
public import FileStores

/// A note as its member saved it on this machine, while the club does not have that text yet.
public struct OwnText: Sendable {
  /// With the size and time of the save. `revision` is the one that the text replaces; nil for a new note.
  public let entry: FileEntry
  public let bytes: [UInt8]
  /// True if someone else changed the note in the meantime.
  public let isConflict: Bool
}

/// Notes as their member left them: text that was saved here and waits is shown in place of the club's text.
extension NotesService {
  /// The newest saved text of a note that the club does not have yet, with the additions that wait. nil if nothing of
  /// the note waits. A failure of the outbox is reported; the club's text can still be read.
  /// - Throws: as `FileStore.read`, if additions alone wait.
  public func own(_ path: StorePath) async throws(StoreError) -> OwnText? {
    try await own(path, among: await saved(of: path))
  }

  /// `waiting` are the path's own.
  private func own(
    _ path: StorePath, among waiting: [(save: SaveRecord, text: [UInt8])]
  ) async throws(StoreError) -> OwnText? {
    guard let newest = waiting.last?.save else { return nil }
    let whole = waiting.lastIndex { !NotesService.isAddition($0.save.draft) }
    var (bytes, revision) =
      if let whole { (waiting[whole].text, waiting[whole].save.base) } else { try await textOfClub(path) }
    for addition in waiting[(whole.map { $0 + 1 } ?? 0)...] {
      bytes = NotesService.text(bytes, with: addition.text, of: addition.save)
    }
    let entry = FileEntry(
      path: path, kind: .file, size: UInt64(bytes.count), modified: newest.created, revision: revision)
    return OwnText(entry: entry, bytes: bytes, isConflict: newest.isConflict)
  }

  /// The text from which another editor goes on: the newest whole text of the member that waits, whose save the next one
  /// replaces. Additions come after both by themselves.
  /// - Throws: as `FileStore.read`, if no whole text waits.
  func newestText(_ path: StorePath) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    guard let whole = await saved(of: path).last(where: { !NotesService.isAddition($0.save.draft) }) else {
      return try await readNote(path)
    }
    let entry = FileEntry(
      path: path, kind: .file, size: UInt64(whole.text.count), modified: whole.save.created, revision: whole.save.base)
    return (whole.text, entry)
  }

  /// All notes with a saved text that the club does not have yet, and the reasons why some cannot be read: additions wait
  /// for a text that only the club has.
  func ownTexts() async -> (texts: [OwnText], failures: [StoreError]) {
    var (texts, failures): ([OwnText], [StoreError]) = ([], [])
    let all = Dictionary(grouping: await saved { [scope = club.notes] in scope.isNote($0.path) }, by: \.save.path)
    for (path, waiting) in all.sorted(by: { $0.key < $1.key }) {
      do throws(StoreError) {
        if let text = try await own(path, among: waiting) { texts.append(text) }
      } catch {
        failures.append(error)
      }
    }
    return (texts, failures)
  }

  /// A list of notes with those that the club does not have yet, and with size and time of the texts that wait.
  public func withOwn(_ notes: [FileEntry]) async -> [FileEntry] {
    let waiting = await saved { [scope = club.notes] in scope.isNote($0.path) }
    guard !waiting.isEmpty else { return notes }
    var listed = Dictionary(notes.map { ($0.path, $0) }) { first, _ in first }
    for (save, text) in waiting where listed[save.path] == nil || !NotesService.isAddition(save.draft) {
      listed[save.path] = FileEntry(
        path: save.path, kind: .file, size: UInt64(text.count), modified: save.created, revision: save.base)
    }
    return Array(listed.values)
  }

  /// The readable saves of the outbox, oldest first.
  func saved(_ isWanted: @escaping @Sendable (SaveRecord) -> Bool) async -> [(save: SaveRecord, text: [UInt8])] {
    await texts { club, outbox throws(StoreError) in
      try outbox.saves(club: club).filter { !$0.isDamaged && isWanted($0) }
    }
  }

  /// The saves of one path, oldest first.
  private func saved(of path: StorePath) async -> [(save: SaveRecord, text: [UInt8])] {
    await texts { club, outbox throws(StoreError) in try outbox.saves(of: path, club: club) }
  }

  private func texts(
    of saves: @escaping @Sendable (String, OutboxDatabase) throws(StoreError) -> [SaveRecord]
  ) async -> [(save: SaveRecord, text: [UInt8])] {
    guard outbox.exists else { return [] }
    return await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in
      var found: [(save: SaveRecord, text: [UInt8])] = []
      for save in try saves(self.club.key, self.outbox) {
        guard let text = try self.outbox.text(ofSave: save.id), !text.isDamaged else { continue }
        found.append((save, text.bytes))
      }
      return found
    } ?? []
  }

  private func textOfClub(_ path: StorePath) async throws(StoreError) -> ([UInt8], Revision?) {
    try await ifThere { () throws(StoreError) in
      let (bytes, entry) = try await readNote(path)
      return (bytes, entry.revision)
    } ?? ([], nil)
  }
}
