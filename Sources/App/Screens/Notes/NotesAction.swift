public import ClubServices
public import FileStores
public import TextUI

/// Events of the notes' screen.
public indirect enum NotesAction: Sendable {
  case input(MemberInput)
  case resized
  /// The answer to a question; nil if it has no effect.
  case answered(NotesAction?)

  /// The store answers again after an outage.
  case reconnected
  case files(FileListAction)
  case failed(NotesEffect, StoreError)

  /// A note should open in the reader.
  case asked(StorePath)
  /// A note should open in the editor; a missing one is empty.
  case writingAsked(StorePath)
  /// The member has followed a link, as written, outside the notes.
  case linkAsked(String)
  /// So many bytes of a note that is being opened have come.
  case opening(StorePath, bytes: Int, head: [UInt8]? = nil)
  /// `changes` are the lines that others changed since the member last looked.
  case opened(OpenNote, NotesEffect.OpenPurpose, changes: LineDiff? = nil)
  /// The names at the remarks on the note that is read are compared with the authors of versions.
  case remarksCompared(FileEntry, PlacedTalk)
  /// A newer text of the note in the editor was read; `over` is the revision of the editor's text then, and `session`
  /// the editor's then.
  case newerRead(NewerNote, over: Revision?, session: Int)
  /// Pending keys were handled: a search in a long text continues.
  case lookedOn
  /// The texts that earlier runs have left.
  case foundWaiting([WaitingText])
  /// The present list of waiting texts.
  case waiting([WaitingText])
  /// A waiting text was read.
  case readWaiting(WaitingText, [UInt8])
  /// The list of waiting texts should open.
  case waitingAsked
  /// The member wants to send all waiting texts.
  case sendAsked
  /// The timer for the next sending has ended.
  case timeToSend
  /// A waiting text was sent or is in conflict.
  case sent(StorePath, SaveOutcome)
  /// A waiting change of a name was sent.
  case nameSent(WaitingChange)
  /// A round of sending has ended: its last failure, and the texts that still wait (nil: unknown).
  case sentAll(StoreError?, [WaitingText]?)
  /// The store no longer lists these files of the local copy; none when the member has agreed to their removal.
  case removalHeld([StorePath])
  /// The member agrees to the removal of so many files.
  case confirmedRemoval(Int)
  /// Typing can no longer be kept on this machine; nil: it can again.
  case keeping(StoreError?)
  case openedDraft(Draft, text: [UInt8])
  /// A text was dropped or deleted; the texts that still wait.
  case discarded(WaitingText, [WaitingText])
  case saved(StorePath?, SaveOutcome, session: Int?)

  /// A note's versions were read; `offsets` are the seconds of the member's time from UTC at each.
  case historyListed(StorePath, [FileEntry], offsets: [Int] = [])
  case versionRead(OpenNote)
  /// A version was compared with the one before it.
  case differenceRead(NoteDifference)
  /// The same, for the preview beside the history.
  case versionSeen(SeenVersion)
  /// The version of each line of a note was found.
  case blamed(NoteBlame)
  /// The trash should open.
  case trashAsked
  case trashListed([TrashedFile])
  case restoredFromTrash([FileEntry], failed: [FileFailure])
  /// A file in the trash was read, for the preview beside it.
  case trashedRead(TrashedFile.ID, FileBeginning)
  /// A merge was undone; the member's text is in conflict again.
  case mergeUndone(MergedNote, SaveConflict)
  /// The notes are being read for links to a note.
  case backlinksSought(StorePath, unread: Int, of: Int)
  /// The links of other notes to a note were looked for.
  case backlinksFound(StorePath, FoundBacklinks)
  /// The headings of a note that a typed link names.
  case headingsRead(StorePath, [String])
  case restoredVersion(FileEntry)
  /// A template was read; without a path it is empty.
  case templateRead(StorePath?, NoteTemplate)
  /// The day's note should open.
  case todayAsked
  /// The path of the day's note; its template unless the club has it.
  case todayFound(StorePath, NoteTemplate?)
  /// The list of tags should open.
  case tagsAsked
  case tagsFound(TagCounts)
  /// A step of a picture on its way into a text.
  case picture(PictureAction)

  /// The copy for the member's editor exists.
  case editBegan(EditSession, ExternalProgram)
  case editorEnded(EditSession, ExternalProgram.End)

  /// The member leaves the editor without saving.
  case confirmedCancel
  /// The member drops a waiting text.
  case confirmedDiscard(WaitingText)
  /// A change of a name that belongs to nobody yet.
  case confirmedSend(WaitingText)
  /// The member moves the note that is read to the trash.
  case confirmedTrash(StorePath)
  /// The member has seen an address of the web or of mail, and opens it.
  case confirmedAddress(String)
  /// The member writes the note that a link names and the club does not have.
  case confirmedNew(String)
  /// To edit the topmost note in UTF-8, which it is not yet.
  case confirmedUTF8
  /// The member restores a version, over the revision that was seen.
  case confirmedRestore(StorePath, Revision, over: Revision?)
  /// The member drops their own text of a conflict.
  case confirmedTheirs(SaveConflict)
}

extension NotesAction: FileTabAction {
  var memberInput: MemberInput? { if case .input(let input) = self { input } else { nil } }
}

/// Requests of the notes' screen.
public enum NotesEffect: Sendable {
  case files(FileListEffect)
  /// Read sizes and ages of these rows first.
  case details([StorePath])
  case open(StorePath, OpenPurpose)
  /// Read a newer text of the note in the editor, which was made from the text `from` of the revision `over`.
  case readNewer(StorePath, over: Revision?, from: [UInt8]?, session: Int)
  /// Handle pending keys, then continue a search in a long text.
  case lookOn
  /// Find the texts that earlier runs have left.
  case findWaiting
  /// Read the list of waiting texts.
  case lookWaiting
  case readWaiting(WaitingText)
  case send(WaitingText)
  /// Send all waiting saves, optionally including conflicts.
  /// Asked by the member, or by itself.
  case sendAll(conflicts: Bool, isAsked: Bool = false)
  /// Report the time of the next sending.
  case awaitSending
  /// Report whether typing can be kept, until cancelled.
  case watchKeeping
  /// Report removals by others that wait for the member's agreement, until cancelled.
  case watchCopy
  /// Agree to the removal of so many files.
  case acceptRemoval(Int)
  case discard(WaitingText)
  case openDraft(Draft)
  /// Nothing of this session is wanted any more; what was typed is kept for a week when it `isKept`.
  case dropDraft(session: Int, isKept: Bool)
  /// Save a note's text over `base`.
  case save(StorePath, base: Revision?, text: [UInt8], session: Int?)
  case create(name: String, text: [UInt8], session: Int?)
  /// Carry out the member's choice.
  case resolve(SaveConflict, ConflictChoice, session: Int?)
  case history(StorePath)
  case version(StorePath, Revision)
  /// Compare a version with the one before it; nil for the first.
  case difference(StorePath, FileEntry, before: FileEntry?)
  /// The same, for the preview beside the history.
  case lookAtVersion(StorePath, FileEntry, before: FileEntry?)
  /// Read the list of the trash.
  case lookTrash
  case restoreTrashed([TrashedFile])
  /// Read the beginning of a file in the trash, for the preview beside it.
  case lookAtTrashed(TrashedFile)
  /// Find the version that brought each line.
  case blame(StorePath)
  case undoMerge(MergedNote)
  /// Find the links of other notes to a note.
  case backlinks(StorePath)
  /// Read a template, or without a path the facts that fill one.
  case readTemplate(StorePath?)
  /// Find the day's note.
  case findToday
  /// Remember the pinned notes for the next start.
  case keepPins([StorePath])
  /// Count the tags of the club.
  case findTags
  /// A picture for a text, which the photos' performer handles.
  case picture(PictureEffect)
  /// Read the headings of a note that a typed link names.
  case headings(StorePath)
  /// Make a version the newest, if the note still has the revision that the member has seen.
  case restoreVersion(StorePath, Revision, over: Revision?)
  /// Make a copy for the member's own editor.
  case beginEdit(StorePath)
  /// Save each version that the member's editor writes, until cancelled.
  case followEdit(EditSession)
  /// Save the last version and remove the copy.
  case endEdit(EditSession)

  /// The purpose of opening a note.
  public enum OpenPurpose: Sendable, Hashable {
    case read
    /// Read a changed note again, without scrolling.
    case reread
    /// Write in it at once; a missing note is empty.
    case write
  }
}

/// The postings of the notes' screen: work in order.
public enum NotesPosting: Sendable {
  /// Typing begins; `session` names it from here on.
  case beginDraft(session: Int, path: StorePath?, title: String, base: Revision?, text: [UInt8])
  /// Go on with a draft of an earlier run.
  case adoptDraft(session: Int, Draft.ID)
  /// This was typed.
  case recordEdits(session: Int, [DraftEdit])
  /// The new note's name was typed.
  case retitleDraft(session: Int, String)
}

extension NotesEffect: FileTabEffect {}
