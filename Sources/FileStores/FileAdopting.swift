/// A store on a disk of this machine, which can make a file that is there its own instead of copying the bytes.
public protocol FileAdopting: Sendable {
  /// As `FileStore.put`, with all its promises, of a whole file of this machine that nobody writes to any more.
  ///
  /// The file has left its place when this returns an entry. When it throws, it may have, too: who wants to try again
  /// keeps it open.
  /// - Parameters:
  ///   - file: its absolute path.
  ///   - hash: the content hash of its bytes.
  /// - Returns: nil when it cannot be taken over, as it lies on another disk; then it is as it was.
  func put(
    adopting file: String, hash: ContentHash, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry?
}
