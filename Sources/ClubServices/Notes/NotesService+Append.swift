import Database
public import FileStores
import Synchronization

extension NotesService {
  /// Adds text at the end of a note, on its own line. Makes the note if it does not exist.
  ///
  /// The text is durable before the store is asked. The store gets the note's newest text with the addition; if another
  /// program was faster, the note is read again. An addition from the outbox is also added at the time of sending: it
  /// never conflicts, and a lost response never adds it twice.
  /// - Returns: `saved`, or `kept`.
  /// - Throws: as `save`.
  public func append(_ text: [UInt8], to path: StorePath) async throws(StoreError) -> SaveOutcome {
    try await save(path, base: nil, baseHash: nil, text: text, draft: NotesService.newAddition()).value.get()
  }

  /// Puts a text into the outbox, in place of an earlier postponed text of the note; `sendUnsent` sends it.
  /// - Throws: as `save`, if the text could not be written to the outbox.
  public func postpone(
    _ text: [UInt8], for path: StorePath, base: Revision?, isAddition: Bool = false
  ) async throws(StoreError) -> UnsentSave.ID {
    let earlier = try await pool.run { () throws(StoreError) in
      try self.outbox.saves(club: self.club.place).last { $0.path == path && $0.draft == nil && $0.base == base }
    }
    let save = SaveRecord(
      club: club.place, path: path, base: base, baseHash: isAddition ? nil : earlier?.textHash,
      draft: isAddition ? NotesService.newAddition() : nil, text: text, created: now(), owner: drafts.owner.word)
    let id = try await keep(save, text).get()
    underway.withLock { _ = $0.remove(id) }
    return id
  }

  /// Removes a save for good, with its draft. A missing save is no error.
  public func discardUnsent(_ id: UnsentSave.ID) async throws(StoreError) {
    if let draft = try await record(id)?.draft, NotesService.isTyped(draft) { try await drafts.discard(draft) }
    try await pool.run { () throws(StoreError) in try self.outbox.removeSave(id) }
  }

  /// Puts the addition over the newest text. The outbox records the sent text first, so the next try recognises an
  /// addition whose response was lost.
  func putAddition(_ save: SaveRecord, _ addition: [UInt8]) async throws(StoreError) -> FileEntry {
    var save = save
    for _ in 0..<NotesService.additionTries {
      let (theirs, entry) = try await readTheirs(save.path)
      if let theirs, let entry, SentText(save.baseHash)?.isStart(of: theirs) == true { return entry }
      let whole = NotesService.joined(theirs ?? [], addition)
      save.baseHash = SentText(whole).word
      let record = save
      // A save with id 0 could not be written to the outbox.
      if record.id != 0 {
        let isThere = try await pool.run { () throws(StoreError) in try self.outbox.updateSave(record) }
        guard isThere else { throw isGone() }
      }
      do throws(StoreError) {
        let mode = entry?.revision.map { WriteMode.replace($0) } ?? .create
        return try await store.put(DataSource(whole), at: save.path, mode: mode)
      } catch {
        guard error.kind == .conflict || error.kind == .exists else { throw error }
        save.baseHash = nil
      }
    }
    throw StoreError(
      .conflict, "Others keep changing \"\(save.path)\", so the text was not added.",
      remedy: "Try again in a moment.", path: save.path)
  }

  private static let additionTries = 32
  private static let additionPrefix = "append:"

  private static func newAddition() -> String { additionPrefix + DraftJournal.newID() }

  static func isAddition(_ draft: String?) -> Bool { draft?.hasPrefix(additionPrefix) == true }

  private static func joined(_ text: [UInt8], _ addition: [UInt8]) -> [UInt8] {
    guard let last = text.last, last != UInt8(ascii: "\n") else { return text + addition }
    return text + [UInt8(ascii: "\n")] + addition
  }
}

/// The length and SHA-256 of a sent text whose response may be lost.
private struct SentText {
  private let count: Int
  private let hash: String

  init(_ text: [UInt8]) { (count, hash) = (text.count, SHA256.hexadecimal(of: text)) }

  init?(_ word: String?) {
    guard let parts = word?.split(separator: ":"), parts.count == 2, let count = Int(parts[0]) else { return nil }
    (self.count, hash) = (count, String(parts[1]))
  }

  var word: String { "\(count):\(hash)" }

  /// True if the store took the text, perhaps with more additions since.
  func isStart(of text: [UInt8]) -> Bool {
    text.count >= count && SHA256.hexadecimal(of: Array(text.prefix(count))) == hash
  }
}
