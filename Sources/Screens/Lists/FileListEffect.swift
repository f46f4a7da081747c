public import FileStores

/// What a list of files asks to be done, whichever tab it is on.
public enum FileListEffect: Sendable {
  /// List the files; the names come first where sizes and ages take longer.
  case list
  /// Search names and texts for words; a newer search cancels it.
  case search(String)
  /// Tell changes by any program, until cancelled.
  case watch
  /// Give a file another name.
  case rename(StorePath, to: String)
  /// Put files into the trash.
  case trash([StorePath])
  /// Undo.
  case undo(UndoStep)
  /// Open with the desktop's program.
  case openOutside(StorePath)
}
