internal import Database
public import FileStores

/// A text that is not in the club: not saved, not sent, or discarded within the last week.
public struct WaitingText: Sendable, Hashable, Identifiable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Saved, but another program changed the note meanwhile: the member has to choose.
    case conflict
    /// Saved; not sent yet.
    case toSend = "to send"
    case draft
    case discarded
  }

  public enum ID: Sendable, Hashable {
    case draft(Draft.ID)
    case save(UnsentSave.ID)
    /// A rename, a move to the trash or a restoration.
    case change(WaitingChange.ID)
  }

  public let id: ID
  public let kind: Kind
  public let path: StorePath?
  /// The name: as typed for a new note, otherwise the file name. May be empty.
  public let title: String
  public let base: Revision?
  /// The time of the last edit, of the save, or of the discarding.
  public let changed: Timestamp
  public let bytes: Int
  /// The first bytes of the text, at most `beginningBytes`. They may end within a character.
  public let beginning: [UInt8]
  /// True if another running byteclub has it open or sends it. It must not be touched.
  public let isElsewhere: Bool
  public let isOpen: Bool

  /// The time of the next try by itself, after a refusal; the kind of that refusal.
  var due: Timestamp?
  var refusal = ""

  func isDue(at time: Timestamp) -> Bool { due.map { $0 <= time } ?? true }

  public static let beginningBytes = 1024

  public init(
    id: ID, kind: Kind, path: StorePath?, title: String, base: Revision?, changed: Timestamp, bytes: Int,
    beginning: [UInt8], isElsewhere: Bool = false, isOpen: Bool = false
  ) {
    (self.id, self.kind, self.path, self.title, self.base) = (id, kind, path, title, base)
    (self.changed, self.bytes, self.beginning) = (changed, bytes, beginning)
    (self.isElsewhere, self.isOpen) = (isElsewhere, isOpen)
  }

  /// True for a change of a name, which has no text.
  public var isName: Bool { if case .change = id { true } else { false } }

  /// True for a file that a change moves to the trash.
  public private(set) var isMovedToTrash = false

  /// A change of nobody is a draft: it is never sent by itself.
  init(_ change: WaitingChange, isNobodys: Bool = false) {
    self.init(
      id: .change(change.id), kind: isNobodys ? .draft : .toSend, path: change.shown,
      title: String(decoding: change.shown.name, as: UTF8.self), base: nil, changed: change.created, bytes: 0,
      beginning: Array((change.words + (isNobodys ? WaitingText.nobodysMark : "")).utf8))
    isMovedToTrash = change.kind == .trash
  }

  /// The first line that is not blank, without leading spaces.
  public var firstLine: [UInt8] {
    let lines = beginning.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let space: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    return lines.first { !$0.allSatisfy(space.contains) }.map { Array($0.drop(while: space.contains)) } ?? []
  }

  public var draft: Draft? {
    guard case .draft(let id) = id else { return nil }
    return Draft(id: id, path: path, title: title, base: base, changed: changed, bytes: bytes)
  }
}
