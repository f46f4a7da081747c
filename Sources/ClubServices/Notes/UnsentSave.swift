import Database
public import FileStores

/// A save that no store has acknowledged: its text is safe in the outbox.
public struct UnsentSave: Sendable, Identifiable, Hashable {
  /// Its number; later ones are greater.
  public let id: Int64
  /// Where the text should go.
  public let path: StorePath
  /// The revision that it replaces; nil for a new note.
  public let base: Revision?
  /// Bytes of the text.
  public let bytes: Int
  /// When it was asked for.
  public let at: Timestamp

  /// Makes a record (a service does; tests of screens may).
  public init(id: Int64, path: StorePath, base: Revision?, bytes: Int, at: Timestamp) {
    (self.id, self.path, self.base, self.bytes, self.at) = (id, path, base, bytes, at)
  }

  init(_ save: SaveRecord) {
    self.init(id: save.id, path: save.path, base: save.base, bytes: save.bytes, at: save.created)
  }
}
