public import FileStores

/// A text that is not in the club: typed and not saved, saved and not sent, or discarded a few days ago.
public struct WaitingText: Sendable, Hashable, Identifiable {
  /// What it waits for.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Saved, but the note was changed by someone else meanwhile: the member has to choose.
    case conflict
    /// Saved; it is sent when the store takes it.
    case toSend = "to send"
    /// Typed and not saved.
    case draft
    /// Discarded by the member; kept for a week.
    case discarded
  }

  /// Where it is kept.
  public enum ID: Sendable, Hashable {
    /// In the journal.
    case draft(Draft.ID)
    /// In the outbox.
    case save(UnsentSave.ID)
  }

  /// Which text.
  public let id: ID
  /// What it waits for.
  public let kind: Kind
  /// Which note; nil for one that never had a name in the club.
  public let path: StorePath?
  /// The name: as typed for a new note, the file's otherwise. May be empty.
  public let title: String
  /// The revision that it replaces; nil for a new note.
  public let base: Revision?
  /// When it was last typed, saved, or discarded.
  public let changed: Timestamp
  /// Bytes of the whole text.
  public let bytes: Int
  /// The first bytes of the text, at most `beginningBytes`; they may end within a character.
  public let beginning: [UInt8]
  /// Whether another byteclub that runs now has it open or sends it: it is to be left alone.
  public let isElsewhere: Bool
  /// Whether it is a draft that this process writes.
  public let isOpen: Bool

  /// How much of a text `beginning` has at most.
  public static let beginningBytes = 1024

  /// Makes a value (a service does; tests of screens may).
  public init(
    id: ID, kind: Kind, path: StorePath?, title: String, base: Revision?, changed: Timestamp, bytes: Int,
    beginning: [UInt8], isElsewhere: Bool = false, isOpen: Bool = false
  ) {
    (self.id, self.kind, self.path, self.title, self.base) = (id, kind, path, title, base)
    (self.changed, self.bytes, self.beginning) = (changed, bytes, beginning)
    (self.isElsewhere, self.isOpen) = (isElsewhere, isOpen)
  }

  /// The first line that is not blank, without its end.
  public var firstLine: [UInt8] {
    let lines = beginning.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let space: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    return lines.first { !$0.allSatisfy(space.contains) }.map { Array($0.drop(while: space.contains)) } ?? []
  }

  /// The draft that it is; nil for a save.
  public var draft: Draft? {
    guard case .draft(let id) = id else { return nil }
    return Draft(id: id, path: path, title: title, base: base, changed: changed, bytes: bytes)
  }
}
