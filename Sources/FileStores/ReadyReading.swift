/// A store that can tell at once whether a small file's bytes are in memory, and then has them.
///
/// It is a short way for a caller that must not wait, and that knows a longer one.
public protocol ReadyReading: Sendable {
  /// All bytes of a file of this revision. Does not block.
  /// - Returns: nil when that may take time, when the file is not there, is another revision, or is longer than `limit`.
  func readAtHand(_ path: StorePath, ifRevision: Revision, limit: Int) -> [UInt8]?
}
