internal import Basics
import Database
public import FileStores
import Synchronization

extension NotesService {
  /// Adds text at the end of a note, on its own line. Makes the note if it does not exist.
  ///
  /// The text is durable before the store is asked. The store gets the note's newest text with the addition; if another
  /// program was faster, the note is read again. An addition from the outbox is also added at the time of sending: it
  /// never conflicts, and a lost response never adds it twice. With `seen`, the revision that the member saw, it does
  /// not make a note again that is gone: it becomes a draft.
  ///
  /// Cancelling ends the wait, not the addition.
  /// - Returns: `saved`, or `kept`.
  /// - Throws: as `save` of a text that is nowhere else.
  public func append(
    _ text: [UInt8], to path: StorePath, seen: Revision? = nil
  ) async throws(StoreError) -> SaveOutcome {
    let draft = NotesService.newAddition()
    return try await outcome(
      of: save(path, base: seen, baseHash: nil, text: text, draft: draft, isOnlyCopy: true), at: path)
  }

  /// Puts a text into the outbox, in place of an earlier postponed text of the note; `sendUnsent` sends it. The base of an
  /// addition is the revision that the member saw.
  /// - Throws: as `save`, if the text could not be written to the outbox.
  public func postpone(
    _ text: [UInt8], for path: StorePath, base: Revision?, isAddition: Bool = false
  ) async throws(StoreError) -> UnsentSave.ID {
    let earlier = try await pool.run { () throws(StoreError) in
      try self.outbox.saves(club: self.club.key).last {
        $0.path == path && ($0.draft == nil || NotesService.isMend($0.draft)) && $0.base == base
      }
    }
    let save = SaveRecord(
      club: club.key, path: path, base: base, baseHash: isAddition ? nil : earlier?.textHash,
      draft: isAddition ? NotesService.newAddition() : nil, text: text, created: now(), owner: drafts.owner.word)
    let id = try await keep(save, text).get()
    underway.withLock { _ = $0.remove(id) }
    return id
  }

  /// Removes a save for good, with its draft. A missing save is no error.
  func discardUnsent(_ id: UnsentSave.ID) async throws(StoreError) {
    if let draft = try await record(id)?.draft, NotesService.isTyped(draft) { try await drafts.discard(draft) }
    try await pool.run { () throws(StoreError) in try self.outbox.removeSave(id) }
  }

  /// Puts the addition over the newest text. The outbox records the sent text first, so the next try recognises an
  /// addition whose response was lost, also when the local copy still has the text before it.
  func putAddition(_ save: SaveRecord, _ added: [UInt8]) async throws(StoreError) -> FileEntry {
    var save = save
    var sent = SentText.all(save.baseHash)
    let isRepeated = !sent.isEmpty
    for number in 0..<NotesService.additionTries {
      let (theirs, entry) = try await readTheirs(save.path)
      if theirs == nil, save.base != nil { throw isRemoved(save.path) }
      if let theirs, let entry {
        if sent.contains(where: { $0.isStart(of: theirs) }) { return entry }
        let addition = LineBreak(of: theirs).fitting(added)
        if isRepeated, number == 0, try await hasArrived(sent, at: save.path, addition, in: theirs) { return entry }
      }
      let addition = LineBreak(of: theirs ?? []).fitting(added)
      try NotesService.checkEncodings(theirs ?? [], addition, save.path)
      let whole = NotesService.joined(theirs ?? [], addition)
      sent = sent.suffix(SentText.mostKept - 1) + [SentText(whole, over: theirs ?? [], addition)]
      save.baseHash = sent.map(\.word).joined(separator: " ")
      let record = save
      // A save with id 0 could not be written to the outbox.
      if record.id != 0 {
        let isThere = try await pool.run { () throws(StoreError) in try self.outbox.updateSave(record) }
        guard isThere else { throw isGone() }
      }
      do throws(StoreError) {
        let mode = entry?.revision.map { WriteMode.replace($0) } ?? .create
        return try await writeNote(whole, at: save.path, mode)
      } catch {
        guard error.kind == .conflict || error.kind == .exists else { throw error }
        // This try was refused; the text there now is another's, even if it is the same.
        sent.removeLast()
      }
    }
    throw StoreError(
      .conflict, "Others keep changing \"\(save.path)\", so the text was not added.",
      remedy: "Try again in a moment.", path: save.path)
  }

  private func isRemoved(_ path: StorePath) -> StoreError {
    StoreError(
      .conflict, "\"\(path)\" is no longer in the club, so the text was not added.",
      remedy: "It may be in the trash, or have another name.", path: path)
  }

  /// True if one of these texts arrived and others have changed the note since: its history has that text. The history
  /// of a renamed note may begin too late; then the note has the addition as often as that text had.
  private func hasArrived(
    _ sent: [SentText], at path: StorePath, _ addition: [UInt8], in theirs: [UInt8]
  ) async throws(StoreError) -> Bool {
    var versions: [FileEntry] = []
    do throws(StoreError) {
      versions = try await store.capabilities.revisions?.versions(of: path, limit: 100) ?? []
    } catch {
      guard !error.isTemporary, error.kind != .cancelled else { throw error }
    }
    if versions.contains(where: { version in sent.contains { $0.isText(of: version) } }) { return true }
    if versions.contains(where: { version in sent.contains { $0.isBase(of: version) } }) { return false }
    let count = SentText.occurrences(of: addition, in: theirs)
    return sent.contains { $0.occurrences.map { count >= $0 } ?? false }
  }

  private static let additionTries = 32
  private static let additionPrefix = "append:"

  private static func newAddition() -> String { additionPrefix + DraftJournal.newID() }

  static func isAddition(_ draft: String?) -> Bool { draft?.hasPrefix(additionPrefix) == true }

  /// A text with an addition that waits, which an earlier try may have added already.
  static func text(_ text: [UInt8], with addition: [UInt8], of save: SaveRecord) -> [UInt8] {
    if SentText.all(save.baseHash).contains(where: { $0.isStart(of: text) }) { return text }
    return joined(text, LineBreak(of: text).fitting(addition))
  }

  /// - Throws: `badInput` for two encodings in one note.
  private static func checkEncodings(
    _ text: [UInt8], _ addition: [UInt8], _ path: StorePath
  ) throws(StoreError) {
    guard TextEncoding.mayJoin(text, addition) else {
      let (its, new) = (TextEncoding(text).name, TextEncoding(addition).name)
      throw StoreError(
        .badInput, "\"\(path)\" is \(its) and the added text is \(new): no program could read them together.",
        remedy: "Nothing was added. Convert one of them to the other's encoding first (iconv).", path: path)
    }
  }

  private static func joined(_ text: [UInt8], _ addition: [UInt8]) -> [UInt8] {
    guard let last = text.last, last != UInt8(ascii: "\n") else { return text + addition }
    return text + LineBreak(of: text).bytes + addition
  }
}

/// The length and content hash of a sent text whose response may be lost, the content hash of the text below it, and how
/// often it has the addition. Earlier versions kept the length and its SHA-256 alone.
private struct SentText {
  /// Each try may be the one whose response was lost.
  static let mostKept = 8

  private let count: Int
  private let hash: String
  let occurrences: Int?
  private let base: String?

  init(_ text: [UInt8], over base: [UInt8], _ addition: [UInt8]) {
    (count, hash, self.base) = (text.count, ContentHash(of: text).hex, ContentHash(of: base).hex)
    occurrences = SentText.occurrences(of: addition, in: text)
  }

  private init?(_ word: Substring) {
    let parts = word.split(separator: ":")
    guard parts.count == 2 || parts.count == 4, let count = Int(parts[0]) else { return nil }
    (self.count, hash) = (count, String(parts[1]))
    (occurrences, base) = parts.count == 4 ? (Int(parts[2]), String(parts[3])) : (nil, nil)
  }

  /// Counts the addition without the line feeds around it: others may have written on in its last line.
  static func occurrences(of addition: [UInt8], in text: [UInt8]) -> Int {
    let lineFeed = UInt8(ascii: "\n")
    let line = Array(addition.trimmingPrefix { $0 == lineFeed }.reversed().trimmingPrefix { $0 == lineFeed }.reversed())
    let addition = line.isEmpty ? addition : line
    let search = ByteSearch(addition)
    return text.withUnsafeBufferPointer { text in
      var (count, place) = (0, 0)
      while let hit = search.first(in: text, from: place, to: text.count) {
        count += 1
        place = hit + addition.count
      }
      return count
    }
  }

  /// The texts of a save's `baseHash`, oldest first.
  static func all(_ words: String?) -> [SentText] { words?.split(separator: " ").compactMap { SentText($0) } ?? [] }

  var word: String {
    guard let occurrences, let base else { return "\(count):\(hash)" }
    return "\(count):\(hash):\(occurrences):\(base)"
  }

  /// True if the store took the text, perhaps with more additions since.
  func isStart(of text: [UInt8]) -> Bool {
    guard text.count >= count else { return false }
    let start = Array(text.prefix(count))
    return ContentHash(of: start).hex == hash || SHA256.hexadecimal(of: start) == hash
  }

  func isText(of version: FileEntry) -> Bool {
    version.contentHash?.hex == hash && version.size.map { $0 == UInt64(count) } ?? true
  }

  func isBase(of version: FileEntry) -> Bool { base.map { version.contentHash?.hex == $0 } ?? false }
}
