import FileStores

/// The last text of a draft that the store has acknowledged. A later text of that draft contains what it changed, so
/// it may take its place, though its author still names one of the bases from before.
struct NewestSave: Sendable {
  /// Which note.
  let path: StorePath
  /// What the acknowledged texts of the draft were based on.
  let bases: Set<Revision?>
  /// The newest of them, in the store.
  let revision: Revision
  /// SHA-256 of that text.
  let hash: String
}
