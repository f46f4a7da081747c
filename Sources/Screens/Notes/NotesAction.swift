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
  /// Keys had their turn: a search in a long text goes on.
  case lookedOn
  /// A note could not be read.
  case openFailed(StorePath, StoreError)
  /// What earlier runs left was found.
  case foundWaiting([WaitingText])
  /// What waits is known anew.
  case waiting([WaitingText])
  /// A text that waits was read.
  case readWaiting(WaitingText, [UInt8])
  /// The list of texts that wait was asked for.
  case waitingAsked
  /// What waits is to be sent, as the member wishes.
  case sendAsked
  /// It is time to send what waits again.
  case timeToSend
  /// One of the texts that wait was sent, or is a conflict.
  case sent(StorePath, SaveOutcome)
  /// All that waits has been tried; the last failure, and what waits now (nil: not known).
  case sentAll(StoreError?, [WaitingText]?)
  /// What is typed cannot be kept on this machine, or can be again.
  case keeping(StoreError?)
  /// A draft was read.
  case openedDraft(Draft, text: [UInt8])
  /// A text was dropped, or is gone for good; what waits now.
  case discarded(WaitingText, [WaitingText])
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
  /// Drop a text that waits.
  case confirmedDiscard(WaitingText)
  /// Make a version the newest, over the revision that was seen.
  case confirmedRestore(StorePath, Revision, over: Revision?)
  /// Drop my text of a conflict.
  case confirmedTheirs(SaveConflict)
}

extension NotesAction: FileTabAction {}
