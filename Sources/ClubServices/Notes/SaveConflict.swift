public import FileStores

/// Two texts of one note. Both are safe: mine in the outbox until the conflict is resolved, theirs in the store.
public struct SaveConflict: Sendable {
  /// The save that is waiting in the outbox.
  public let save: UnsentSave.ID
  /// The note.
  public let path: StorePath
  /// What was to be saved.
  public let mine: [UInt8]
  /// What is there now; nil when the note was deleted.
  public let theirs: [UInt8]?
  /// What the store says of it; nil when the note was deleted.
  public let theirEntry: FileEntry?

  /// Makes a conflict (a service does; tests of screens may).
  public init(save: UnsentSave.ID, path: StorePath, mine: [UInt8], theirs: [UInt8]?, theirEntry: FileEntry?) {
    (self.save, self.path, self.mine, self.theirs, self.theirEntry) = (save, path, mine, theirs, theirEntry)
  }
}
