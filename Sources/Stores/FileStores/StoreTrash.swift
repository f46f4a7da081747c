public protocol StoreTrash: Sendable {
  /// Moves a file to the trash.
  /// - Throws: `notFound`; `conflict` if the current revision is not `ifRevision`.
  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile
  /// Newest first.
  func contents() async throws(StoreError) -> [TrashedFile]
  /// Puts a file back to its origin, or to another path.
  /// - Throws: `notFound` if the trash no longer has it; `exists` if something is at the path (the file stays in the
  ///   trash).
  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry
  /// Deletes a file of the trash for good, if it is there.
  func delete(_ file: TrashedFile.ID) async throws(StoreError)
  /// Deletes all files of the trash for good, and returns their number.
  func empty() async throws(StoreError) -> Int
}

extension StoreTrash {
  public func restore(_ file: TrashedFile.ID) async throws(StoreError) -> FileEntry { try await restore(file, as: nil) }
}

public struct TrashedFile: Sendable, Hashable, Identifiable {
  /// Printable ASCII.
  public let id: String
  public let origin: StorePath
  public let discarded: Timestamp
  /// In bytes.
  public let size: UInt64

  public init(id: String, origin: StorePath, discarded: Timestamp, size: UInt64) {
    self.id = id
    self.origin = origin
    self.discarded = discarded
    self.size = size
  }
}
