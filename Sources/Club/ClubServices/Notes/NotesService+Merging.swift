import Basics
import Database
public import FileStores
import Merge

/// A note that has the changes of two members.
public struct MergedNote: Sendable, Hashable {
  public let entry: FileEntry
  public let text: [UInt8]
  /// Of the other change.
  public let writer: NoteWriter
  /// True if both changed the same sentence, which may read badly now.
  public let needsLook: Bool
  public let sides: Sides

  /// The texts that went into the merge.
  public struct Sides: Sendable, Hashable {
    public let mine: [UInt8]
    public let theirs: [UInt8]
    public let base: [UInt8]
    /// The revision of the base; nil if the note was new.
    public let baseRevision: Revision?

    public init(mine: [UInt8], theirs: [UInt8], base: [UInt8], baseRevision: Revision?) {
      (self.mine, self.theirs, self.base, self.baseRevision) = (mine, theirs, base, baseRevision)
    }
  }

  public init(entry: FileEntry, text: [UInt8], writer: NoteWriter, needsLook: Bool, sides: Sides) {
    (self.entry, self.text, self.writer, self.needsLook, self.sides) = (entry, text, writer, needsLook, sides)
  }

  /// In bytes of each text. A longer one is merged with its next save, because merging could delay a key.
  static let mostRebasedBytes = 512 << 10

  /// For a notice.
  public var sentence: String {
    "Merged your text of \"\(entry.path)\" with \(whose)."
      + (needsLook ? " Both changed one sentence: read it again." : "")
  }

  public var whose: String { "\(writer.whose("another")) change\(writer.place)" }
}

/// The last text of each draft that went into its note, alone or in a merge. The note contains its changes, so it is the
/// base of the draft's next text. Other drafts, as after a start, are merged from the text at their beginning.
struct SentTexts: Sendable {
  private struct Sent {
    let draft: Draft.ID
    /// As the editor named it.
    let base: Revision?
    let text: [UInt8]
  }

  private static let limit = 16
  /// In bytes.
  private static let longest = 1 << 20

  private var all: [Sent] = []

  /// The text that a save continues: its editor still names the same base, or this text as its base. A member's answer
  /// to a conflict has another base, because the editor has not seen it.
  func text(before save: SaveRecord) -> [UInt8]? {
    guard let sent = all.first(where: { $0.draft == save.draft }) else { return nil }
    return sent.base == save.base || save.baseHash == sent.text.hashed ? sent.text : nil
  }

  mutating func add(_ text: [UInt8], of draft: Draft.ID, base: Revision?) {
    forget(draft)
    guard text.count <= Self.longest else { return }
    all.append(Sent(draft: draft, base: base, text: text))
    if all.count > Self.limit { all.removeFirst() }
  }

  mutating func forget(_ draft: Draft.ID) { all.removeAll { $0.draft == draft } }
}

/// A text of the store that is in the way of a save.
struct NewerText {
  let text: [UInt8]
  let entry: FileEntry
}

extension NotesService {
  /// In bytes. A member decides about larger texts.
  static let mostMergedBytes = 4 << 20

  /// The text that a save is based on; nil if it is nowhere.
  /// - Throws: temporary errors of the store; the text may be there later.
  private func baseText(of save: SaveRecord) async throws(StoreError) -> [UInt8]? {
    let isKnown = { (text: [UInt8]) in save.baseHash.map { $0 == text.hashed } ?? true }
    if let hash = save.baseHash,
      let text = try await pool.run({ () throws(StoreError) in try self.drafts.baseText(hash) })
    {
      return text
    }
    guard let base = save.base, let history = store.capabilities.revisions else { return nil }
    do throws(StoreError) {
      let (text, _) = try await history.readAll(base, of: save.path, limit: NotesService.mostMergedBytes)
      return isKnown(text) ? text : nil
    } catch {
      guard !error.isTemporary, error.kind != .cancelled else { throw error }
      return nil
    }
  }

  /// As `baseText`; a save that is never merged does without a base that is out of reach.
  func baseIfKnown(of save: SaveRecord) async throws(StoreError) -> [UInt8]? {
    do throws(StoreError) {
      return try await baseText(of: save)
    } catch  where save.draft == nil {
      return nil
    }
  }

  /// Merges the text of an editor with a newer one. nil if a member must decide: both changed the same place, or a text
  /// is no text or too large.
  func merged(
    _ save: SaveRecord, _ mine: [UInt8], with newer: NewerText, base: [UInt8]
  ) async -> TextMerge? {
    // A script's text is its own: it gets the conflict. So does a text whose merge was undone.
    guard let draft = save.draft, !NotesService.isAddition(draft) else { return nil }
    // A revision over an empty text is a script's put, whose base nobody read (`makeDraft`).
    if base.isEmpty, save.base != nil { return nil }
    let texts = [base, mine, newer.text]
    return await pool.run {
      guard texts.allSatisfy({ $0.count <= NotesService.mostMergedBytes && OpenNote.kind(of: $0) == .text }) else {
        return nil
      }
      let merge = TextMerge(base: base, mine: mine, theirs: newer.text)
      return merge.hasConflicts ? nil : merge
    }
  }

  /// Makes a waiting save durable as a merge over the newer revision. Returns false if the save no longer waits.
  func rebase(_ save: inout SaveRecord, _ text: [UInt8], over newer: NewerText) async throws(StoreError) -> Bool {
    save.mergeText(text)
    (save.base, save.baseHash) = (newer.entry.revision, newer.text.hashed)
    return try await pool.run { [save] () throws(StoreError) in try self.outbox.updateSave(save, text: text) }
  }

  /// Removes a merged save from the outbox. Later texts of its editor keep their base revision: they lack the other
  /// change.
  func finishMerged(_ save: SaveRecord) async {
    await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in
      try self.outbox.finishSave(save.id, as: nil)
    }
  }
}
