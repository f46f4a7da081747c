public import Basics
public import Database
public import FileStores
import Synchronization

/// A text that comes only once, as that of a pipe. It is a draft on the disk from before the first request until the outbox
/// has it as a save (`NotesService.hold`).
public final class HeldText: Sendable {
  /// The path of the draft.
  public let path: StorePath
  /// The text of the save that takes this one over.
  private let form: Mutex<[UInt8]>
  /// nil once the text is elsewhere.
  private let head: Mutex<DraftRecord?>
  private let outbox: OutboxDatabase
  private let pool: BlockingPool
  /// While this process lives, no other one offers the draft.
  let owner: OwnerLock

  /// - Parameter key: `Club.key`, as far as it is known without a request.
  /// - Throws: errors of the outbox.
  public init(
    _ text: [UInt8], at path: StorePath, key: String, outbox: OutboxDatabase, basesDirectory: String, pool: BlockingPool
  ) async throws(StoreError) {
    let (owner, now) = (OwnerLock(directory: basesDirectory), Timestamp.now())
    let head = DraftRecord(
      id: DraftJournal.newID(), club: key, path: path, title: "", base: nil, baseHash: [].hashed, edits: 1,
      bytes: text.count, touched: true, created: now, changed: now, owner: owner.word)
    let edit = DraftEdit(offset: 0, removed: 0, inserted: text)
    let row = DraftEditRow(draft: head.id, number: 1, body: DraftEdit.encode([edit]))
    try await pool.run { () throws(StoreError) in
      try owner.take()
      try outbox.commit(heads: [head], edits: [row])
    }
    self.head = Mutex(head)
    form = Mutex(text)
    (self.path, self.outbox, self.pool, self.owner) = (path, outbox, pool, owner)
  }

  /// The path of a draft for a text whose note may have no valid name: the nearest one.
  public static func path(like name: String) throws(StoreError) -> StorePath {
    try NoteName.made(from: name, limits)
  }

  /// The path of a note as it is typed, with its folders, or the nearest at the top; of a note below more folders than
  /// notes have, its name.
  public static func path(ofNote typed: String) throws(StoreError) -> StorePath {
    let path: StorePath
    do throws(StoreError) {
      path = try NoteName.new(typed, limits)
    } catch {
      return try self.path(like: typed)
    }
    let isTooDeep = path.components.count > NoteScope.mostDepth + 1
    return isTooDeep ? try self.path(like: String(decoding: path.name, as: UTF8.self)) : path
  }

  private static let limits = StoreLimits(
    nameBytes: nil, fileBytes: nil, caseSensitive: true, unicodeNamesOnly: true)

  /// True until a save has taken the text over.
  public var isHeld: Bool { draft != nil }

  var draft: Draft.ID? { head.withLock { $0?.id } }

  /// Gives the draft to the account that the service has named.
  /// - Throws: errors of the outbox.
  public func give(to key: String) async throws(StoreError) {
    let moved = head.withLock { head -> DraftRecord? in
      guard head?.club != key else { return nil }
      head?.club = key
      return head
    }
    guard let moved else { return }
    try await pool.run { () throws(StoreError) in try self.outbox.commit(heads: [moved], edits: []) }
  }

  /// Removes the draft of a text that the club has although the outbox could not take it over.
  /// - Throws: errors of the outbox.
  public func remove() async throws(StoreError) {
    guard let draft else { return }
    try await pool.run { () throws(StoreError) in try self.outbox.removeDraft(draft) }
    wasTaken()
  }

  /// The save adds marks to the text, as a remark has.
  func goes(as text: [UInt8]) { form.withLock { $0 = text } }

  func isTaken(by text: [UInt8]) -> Bool { form.withLock { $0 == text } }

  func wasTaken() { head.withLock { $0 = nil } }
}
