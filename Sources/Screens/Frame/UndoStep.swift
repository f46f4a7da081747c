public import FileStores

/// What one key has done to files and another can undo: all of it at once.
public enum UndoStep: Sendable, Hashable {
  /// Back from the trash, all that went together.
  case restore([TrashedFile])
  /// The old name again.
  case rename(StorePath, to: String)
}
