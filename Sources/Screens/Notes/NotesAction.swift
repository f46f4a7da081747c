public import ClubServices
public import FileStores
public import TextUI

/// What happens to the notes' screen.
public enum NotesAction: Sendable {
  /// The member did something.
  case input(MemberInput)
  /// The body has another size.
  case resized
  /// A question was answered; nil: nothing is to happen.
  indirect case answered(NotesAction?)

  /// The store answers again after it did not.
  case reconnected
  /// To the list.
  case files(FileListAction)

  /// A note is to be read, wherever it was asked for.
  case asked(StorePath)
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

  /// The versions of a note are known.
  case historyTold(StorePath, [FileEntry])
  /// The versions of a note, or one of them, could not be read.
  case historyFailed(StorePath, StoreError)
  /// A version was read.
  case versionRead(OpenNote)
  /// A version is the newest again.
  case restoredVersion(FileEntry)
  /// A version could not be restored.
  case restoreFailed(StorePath, StoreError)

  /// The copy for the member's editor is there.
  case editBegan(EditSession, ExternalProgram)
  /// The member's editor ended.
  case editorEnded(EditSession, ExternalProgram.End)

  /// Leave the editor without its text.
  case confirmedCancel
  /// Throw a draft away.
  case confirmedDiscard(Draft)
  /// Make a version the newest, over the revision that was seen.
  case confirmedRestore(StorePath, Revision, over: Revision?)
  /// Drop my text of a conflict.
  case confirmedTheirs(SaveConflict)
}

extension NotesAction: FileTabAction {}
