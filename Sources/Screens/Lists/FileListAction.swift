public import FileStores

/// What happens to a list of files, whichever tab it is on.
public enum FileListAction: Sendable {
  /// All names have been read.
  case listed(EntryTable)
  /// Sizes and ages of some; `isLast` when those of all have been told.
  case detailed([FileEntry], isLast: Bool)
  /// The listing failed.
  case listFailed(StoreError)
  /// Words to find were typed elsewhere.
  case sought(String)
  /// So many texts of so many have been searched for words.
  case searching(String, done: Int, total: Int)
  /// The texts have been searched: the files that have the words, of so many; `remark` says what was not searched.
  case found(String, [FoundFile], total: Int, remark: String)
  /// The search failed.
  case searchFailed(String, StoreError)
  /// Something changed.
  case changed(ChangeSet)
  /// The watching ended.
  case watchEnded(StoreError)
  /// The watching goes on by itself when what is wrong has passed.
  case watchInterrupted(StoreError)
  /// The watching goes on.
  case watchResumed

  /// A file has another name.
  case renamed(from: StorePath, FileEntry)
  /// A file cannot have the name that was asked for.
  case renameFailed(StorePath, StoreError)
  /// Files are in the trash, and some perhaps are not.
  case trashed([TrashedFile], failed: [FileFailure] = [])
  /// A step was undone, as far as that could be done.
  case undone(UndoOutcome)
  /// Something failed.
  case failed(String)
  /// Something was done that is told in a sentence.
  case told(String)

  /// The member is sure.
  case confirmedTrash([StorePath])
}
