public import FileStores

/// How a save ended.
public enum SaveOutcome: Sendable {
  /// The store has the text.
  case saved(FileEntry)
  /// Another program changed the note meanwhile; nothing was overwritten, and both texts are kept.
  case conflict(SaveConflict)
  /// The text is safe in the outbox; it could not be sent for this reason (see `NotesService.sendUnsent`).
  case kept(UnsentSave.ID, StoreError)
  /// The member settled a conflict by agreeing that the note is deleted: nothing is there.
  case deleted(StorePath)
}
