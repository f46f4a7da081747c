import Database
public import FileStores

/// Text that was typed and is not in the store yet.
public struct Draft: Sendable, Identifiable, Hashable {
  /// The journal's word for a draft.
  public typealias ID = String
  /// Which draft.
  public let id: ID
  /// The note that it is a draft of; nil for a note that has no place in the store yet.
  public let path: StorePath?
  /// The name: as typed for a new note, the file's otherwise.
  public let title: String
  /// The revision that the text was made from; nil for a new note.
  public let base: Revision?
  /// When something was last typed.
  public let changed: Timestamp
  /// Bytes of the text.
  public let bytes: Int

  /// Makes a draft (the journal does; tests of screens may).
  public init(id: ID, path: StorePath?, title: String, base: Revision?, changed: Timestamp, bytes: Int) {
    (self.id, self.path, self.title, self.base) = (id, path, title, base)
    (self.changed, self.bytes) = (changed, bytes)
  }

  init(_ head: DraftRecord) {
    (id, path, base, changed, bytes) = (head.id, head.path, head.base, head.changed, head.bytes)
    title = head.title.isEmpty ? head.path.map { String(decoding: $0.name, as: UTF8.self) } ?? "" : head.title
  }
}
