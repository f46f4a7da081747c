public import FileStores

/// A trash or a rename that can be undone.
public enum UndoStep: Sendable, Hashable {
  /// Back from the trash.
  case restore(TrashedFile)
  /// The old name again.
  case rename(StorePath, to: String)
}
