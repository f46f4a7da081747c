import Basics
import Database
public import FileStores
public import Merge

public enum SaveOutcome: Sendable {
  case saved(FileEntry)
  /// Another program changed the note elsewhere in its text. The note has both changes.
  case merged(MergedNote)
  /// Another program changed the same place. Nothing was overwritten, and both texts are kept.
  case conflict(SaveConflict)
  /// The text is safe in the outbox; this error prevented the sending (see `NotesService.sendUnsent`).
  case kept(UnsentSave.ID, StoreError)
  /// The member settled a conflict by accepting the deletion.
  case deleted(StorePath)
}

/// The writer of a newer text, as far as the store and this machine know.
public enum NoteWriter: Sendable, Hashable {
  case unknown
  case member(String)
  /// This member: in another window or a command on this machine, or on another one.
  case own(isHere: Bool)

  /// Begins a sentence about the change.
  public var subject: String {
    switch self {
    case .unknown: "Someone else"
    case .member(let name): name
    case .own(let isHere): "You, \(Self.place(isHere)),"
    }
  }

  /// `ann's`; `other` for a writer without a name.
  public func whose(_ other: String) -> String {
    switch self {
    case .unknown: other
    case .member(let name): "\(name)'s"
    case .own: "your"
    }
  }

  /// Follows the text or the change; empty for others.
  public var place: String { if case .own(let isHere) = self { " \(Self.place(isHere))" } else { "" } }

  private static func place(_ isHere: Bool) -> String { isHere ? "in another window" : "on another machine" }
}

/// Two texts of one note: `mine` is in the outbox until the conflict is resolved, `theirs` in the store (nil if it was
/// deleted).
public struct SaveConflict: Sendable {
  public enum Kind: Sendable, Hashable {
    case changed
    case deleted
    /// The note is gone, and this one has the text that mine was made from.
    case renamed(FileEntry)
    /// Both made a note of this name.
    case created
  }

  public let save: UnsentSave.ID
  public let path: StorePath
  public let mine: [UInt8]
  public let theirs: [UInt8]?
  public let theirEntry: FileEntry?
  /// For the text that an undone merge brought back, the store names the member who undid it.
  public let theirWriter: NoteWriter
  /// The text that both were made from; nil if it is nowhere.
  public let base: [UInt8]?
  public let kind: Kind
  /// The differences part by part; a deleted note has none.
  public let resolution: Resolution
  /// False for bytes that cannot be shown as text.
  public let isText: Bool

  /// Compares the texts, which may take some 100 ms for the largest. A `base` of mine makes most parts decide themselves.
  public init(
    save: UnsentSave.ID, path: StorePath, mine: [UInt8], theirs: [UInt8]?, theirEntry: FileEntry?,
    theirWriter: NoteWriter? = nil, base: [UInt8]? = nil, kind: Kind? = nil
  ) {
    (self.save, self.path, self.mine, self.theirs, self.theirEntry) = (save, path, mine, theirs, theirEntry)
    self.theirWriter = theirWriter ?? theirEntry?.member.map { .member($0) } ?? .unknown
    self.kind = kind ?? (theirs == nil ? .deleted : .changed)
    let texts = [base ?? [], mine, theirs ?? []]
    let isText = texts.allSatisfy { OpenNote.kind(of: $0) == .text }
    (self.base, self.isText) = (isText ? base : nil, isText)
    let isMerged = isText && texts.allSatisfy { $0.count <= NotesService.mostMergedBytes }
    // A version of one line has none.
    let whole = [mine, theirs ?? [], base ?? []].first { $0.contains(0x0A) } ?? []
    let lineBreak = LineBreak(of: whole).bytes
    resolution =
      isMerged
      ? Resolution(base: theirs == nil ? mine : base, mine: mine, theirs: theirs ?? mine, lineBreak: lineBreak)
      : Resolution(undivided: mine, theirs ?? mine, lineBreak: lineBreak)
  }
}

public enum ConflictChoice: Sendable, Hashable {
  case mine
  /// The note stays; the member's text is dropped.
  case theirs
  /// The note stays; the member's text becomes a second note beside it.
  case both
  case text([UInt8])
  /// The member's text replaces that of the renamed note.
  case renamed(FileEntry)
}

/// A save that no store has acknowledged; its text is safe in the outbox.
public struct UnsentSave: Sendable, Identifiable, Hashable {
  /// Later saves have greater ids.
  public let id: Int64
  public let path: StorePath
  public let bytes: Int

  init(_ save: SaveRecord) { (id, path, bytes) = (save.id, save.path, save.bytes) }
}

/// The last text of a draft that the store has acknowledged. A later text of the same draft includes its changes and
/// may replace it, even if it still names an earlier base.
struct NewestSave: Sendable {
  let path: StorePath
  /// The base revisions of the draft's last acknowledged texts, the newest last.
  let bases: [Revision?]
  let revision: Revision
  let hash: String
}

/// The newest saves of the last saved drafts. For other drafts, as after a start, a conflict is left to the member.
struct NewestSaves: Sendable {
  static let limit = 64

  private var saves: [Draft.ID: NewestSave] = [:]
  private var order: [Draft.ID] = []

  var count: Int { saves.count }

  subscript(_ draft: Draft.ID) -> NewestSave? { saves[draft] }

  mutating func add(_ save: SaveRecord, of draft: Draft.ID, as revision: Revision) {
    let before = saves[draft].flatMap { $0.path == save.path ? $0.bases : nil } ?? []
    let bases = before.filter { $0 != save.base } + [save.base]
    forget(draft)
    saves[draft] = NewestSave(
      path: save.path, bases: bases.suffix(Self.limit), revision: revision, hash: save.textHash)
    order.append(draft)
    if order.count > Self.limit { saves[order.removeFirst()] = nil }
  }

  mutating func forget(_ draft: Draft.ID) {
    saves[draft] = nil
    order.removeAll { $0 == draft }
  }
}
