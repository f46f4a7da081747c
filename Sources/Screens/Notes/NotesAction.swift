public import ClubServices
public import FileStores
public import TextUI

/// What happens to the notes' screen.
public enum NotesAction: Sendable {
  /// A key that has a meaning where it was pressed.
  case command(CommandID)
  /// A key while text is being typed.
  case typed(Key)
  /// Text was pasted.
  case pasted([UInt8])
  /// The mouse was used; the place is relative to the body.
  case mouse(InputEvent.Mouse)
  /// The body has another size.
  case resized

  /// All names have been read.
  case listed(EntryTable)
  /// Sizes and ages of some.
  case detailed([FileEntry])
  /// Sizes and ages of all.
  case allDetailed([FileEntry], isLast: Bool)
  /// Something changed.
  case changed(ChangeSet)
  /// The listing failed.
  case listFailed(StoreError)
  /// The watching ended.
  case watchEnded(StoreError)

  /// A note was read.
  case opened(OpenNote, NotesEffect.OpenPurpose)
  /// A note could not be read.
  case openFailed(StorePath, StoreError)
  /// Drafts and saves of earlier runs were found.
  case foundDrafts([Draft], [UnsentSave])
  /// A draft was read.
  case openedDraft(Draft, text: [UInt8])
  /// A draft is gone.
  case discardedDraft(Draft)
  /// A save ended.
  case saved(StorePath?, SaveOutcome, session: Int?)
  /// A save could not even be begun.
  case saveFailed(StorePath?, name: String, StoreError, session: Int?)
  /// A note has another name.
  case renamed(from: StorePath, FileEntry)
  /// Notes are in the trash.
  case trashed([TrashedFile])
  /// Something was undone.
  case undone(FileEntry)
  /// Something failed.
  case failed(String)
  /// Something was done that is told in a sentence.
  case told(String)

  /// The copy for the member's editor is there.
  case editBegan(EditSession, ExternalProgram)
  /// The member's editor ended.
  case editorEnded(EditSession, ExternalProgram.End)

  /// A question was answered by doing nothing.
  case dismissedQuestion
  /// An answer to a question.
  case confirmedTrash([StorePath])
  /// Leave the editor without its text.
  case confirmedCancel
  /// Throw a draft away.
  case confirmedDiscard(Draft)
  /// Drop my text of a conflict.
  case confirmedTheirs(SaveConflict)
}
