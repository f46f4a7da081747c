public import ClubServices
public import FileStores

/// Events of a file list on any tab.
public enum FileListAction: Sendable {
  /// The names as they were known last, while the files are still being listed.
  case named(EntryTable)
  /// The names at the top, which has folders, while those in them are being read.
  case topNamed(EntryTable)
  /// All names have been read.
  case listed(EntryTable)
  /// Sizes and ages of some files; `isLast` after the last ones.
  case detailed([FileEntry], isLast: Bool)
  /// A search that was entered on the command line.
  case sought(String)
  /// Further hits of a search that goes on, and how many texts it has not read yet.
  case searching(String, [FoundFile], unread: Int, of: Int)
  /// The result of a search through texts; `remark` reports texts that were not searched.
  case found(String, [FoundFile], total: Int, remark: String)
  /// The files whose texts contain the words that are typed into find.
  case foundTexts(String, [FoundFile])
  /// Further ones while the search goes on, and how many texts are not read yet.
  case moreTexts(String, [FoundFile], unread: Int)
  case changed(ChangeSet)
  /// Files that others added or changed; `isListed` if a listing found them, not a change that happened just now.
  case news([StorePath: NewsMark], isListed: Bool)
  /// The remarks on files of the list; `isListed` after a whole listing.
  case remarks([StorePath: ListedRemarks], isListed: Bool)
  /// The member has seen a revision of a file.
  case seen(StorePath, Revision)
  /// An interruption of watching, which continues by itself.
  case watchInterrupted(StoreError)
  case watchResumed

  case renamed(from: StorePath, FileEntry)
  /// A folder was made, or was there already.
  case folderMade(StorePath)
  case folderMoved(FolderMoved)
  case folderTrashed(TrashedFolder)
  /// Files were moved into another album; some may have failed.
  case moved([MovedFile], failed: [FileFailure] = [])
  /// Renames or moves have broken these links of notes.
  case linksFound(LinkMendPlan)
  /// Links were mended; notes that have changed stayed as they are.
  case mended(MendOutcome)
  /// Files were moved to the trash; some may have failed.
  case trashed([TrashedFile], failed: [FileFailure] = [])
  /// A step was undone, at least partly.
  case undone(UndoOutcome)
  /// The link that shares a file, made now or there already.
  case linked(SharedLink, isNew: Bool)
  case failed(FileListEffect, StoreError)
  /// Something that the member must know.
  case warned(String)
  /// A success message.
  case reported(String)

  /// The member wants these links mended.
  case confirmedMend(LinkMendPlan)
  case declinedMend(LinkMendPlan)
  /// The member has confirmed the trash.
  case confirmedTrash([StorePath])
  case confirmedTrashOfFolder(StorePath)
  /// The member has chosen the end of a link.
  case confirmedLink(StorePath, LinkEnd)
}

/// Requests of a file list on any tab.
public enum FileListEffect: Sendable {
  /// List the files; names come first where sizes and ages take longer.
  case list
  /// Search names and texts; a newer search cancels it.
  case search(String)
  /// Search texts for the words of find, silently. While they are typed, it waits for the next key, and a club behind a
  /// network is left alone.
  case searchTexts(String, isTyping: Bool)
  /// Report changes by any program until cancelled.
  case watch
  case rename(StorePath, to: String)
  /// Move the files into a folder, which the store makes if it is missing.
  case move([StorePath], to: StorePath)
  /// Mend links, in one save for each note.
  case mend(LinkMendPlan)
  /// Leave these links, and do not offer to mend them again.
  case leaveLinks(LinkMendPlan)
  case trash([StorePath])
  /// Make a folder of this typed name.
  case makeFolder(String, in: StorePath)
  /// Give a folder another path, if one of the files that the member sees in it is still there.
  case moveFolder(StorePath, to: StorePath, seen: [FileEntry] = [])
  /// Move a folder and all in it to the trash.
  case trashFolder(StorePath)
  /// `turn` is the place of marks among those of the list; nil for other steps. `seen` is for those of `moveFolder`.
  case undo(UndoStep, turn: Int? = nil, seen: [FileEntry] = [])
  /// Note that the member has seen these revisions. The marks take effect in the order of their turns.
  case see([StorePath: Revision], turn: Int)
  /// Share a file by the link that is there, or by a new one with this end.
  case link(StorePath, LinkEnd)
  case openOutside(StorePath)
  /// Open an address of the web or of mail.
  case openAddress(String)
  /// Remember a choice for a list, on this machine.
  case keep(ListChoice, of: String)
}

/// A member's choice for a list, which the next start finds again.
public enum ListChoice: Sendable {
  case order(ListOrder)
  case search(String)
  /// All files are in one list, whatever their folder; or folders are.
  case flat(Bool)
}

extension FileListAction: FailableAction {}

extension FileListAction {
  /// False for an event that selects what it is about.
  var keepsChoice: Bool {
    switch self {
    case .folderMade, .folderMoved, .folderTrashed, .renamed, .moved, .undone: false
    default: true
    }
  }
}
