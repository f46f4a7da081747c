/// A member's answer to a `SaveConflict`.
public enum ConflictChoice: Sendable, Hashable {
  /// Mine over theirs.
  case mine
  /// Theirs stays, mine is dropped.
  case theirs
  /// Theirs stays, mine becomes a note of its own beside it.
  case both
  /// This text, made from both, over theirs.
  case text([UInt8])
}
