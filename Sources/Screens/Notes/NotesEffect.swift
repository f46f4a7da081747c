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
  /// Look for drafts and unsent saves that an earlier run left.
  case findDrafts
  /// Read a draft's text.
  case openDraft(Draft)
  /// Throw a draft away.
  case discardDraft(Draft)
  /// Posted: typing begins; `session` names it from here on.
  case beginDraft(session: Int, path: StorePath?, title: String, base: Revision?, text: [UInt8])
  /// Posted: go on with a draft of an earlier run.
  case adoptDraft(session: Int, Draft.ID)
  /// Posted: this was typed.
  case recordEdits(session: Int, [DraftEdit])
  /// Posted: the new note's name was typed.
  case retitleDraft(session: Int, String)
  /// Posted: nothing of this session is wanted any more.
  case dropDraft(session: Int)
  /// Save a note's text over `base`.
  case save(StorePath, base: Revision?, text: [UInt8], session: Int?)
  /// Save a new note.
  case create(name: String, text: [UInt8], session: Int?)
  /// Send what an earlier run could not.
  case sendUnsent(UnsentSave)
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
