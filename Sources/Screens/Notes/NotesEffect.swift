public import ClubServices
public import FileStores

/// What the notes' screen asks to be done.
public enum NotesEffect: Sendable {
  /// By the list.
  case files(FileListEffect)
  /// Tell sizes and ages of these rows first.
  case details([StorePath])
  /// Read a note.
  case open(StorePath, OpenPurpose)
  /// Let keys have their turn, then go on with a search in a long text.
  case lookOn
  /// Look for what earlier runs left.
  case findWaiting
  /// Tell what waits now.
  case lookWaiting
  /// Read a text that waits.
  case readWaiting(WaitingText)
  /// Send one text that waits.
  case send(WaitingText)
  /// Send all that waits to be sent, with or without what is a conflict.
  case sendAll(conflicts: Bool)
  /// Tell when it is time to send what waits again.
  case awaitSending
  /// Tell whether what is typed can be kept, until cancelled.
  case watchKeeping
  /// Drop a text that waits.
  case discard(WaitingText)
  /// Read a draft's text.
  case openDraft(Draft)
  /// Posted: typing begins; `session` names it from here on.
  case beginDraft(session: Int, path: StorePath?, title: String, base: Revision?, text: [UInt8])
  /// Posted: go on with a draft of an earlier run.
  case adoptDraft(session: Int, Draft.ID)
  /// Posted: this was typed.
  case recordEdits(session: Int, [DraftEdit])
  /// Posted: the new note's name was typed.
  case retitleDraft(session: Int, String)
  /// Nothing of this session is wanted any more; what was typed is kept for a week when it `isKept`.
  case dropDraft(session: Int, isKept: Bool)
  /// Save a note's text over `base`.
  case save(StorePath, base: Revision?, text: [UInt8], session: Int?)
  /// Save a new note.
  case create(name: String, text: [UInt8], session: Int?)
  /// Carry out the member's choice.
  case resolve(SaveConflict, ConflictChoice, session: Int?)
  /// Tell the versions of a note.
  case history(StorePath)
  /// Read a version of a note.
  case version(StorePath, Revision)
  /// Make a version the newest, when what the member has seen is still there.
  case restoreVersion(StorePath, Revision, over: Revision?)
  /// Make a copy for the member's own editor.
  case beginEdit(StorePath)
  /// Save each version that the member's editor writes, until cancelled.
  case followEdit(EditSession)
  /// Save the last version and remove the copy.
  case endEdit(EditSession)

  /// What a note is opened for.
  public enum OpenPurpose: Sendable, Hashable {
    /// To be read.
    case read
    /// To be read anew, because it changed, without moving.
    case reread
  }
}
