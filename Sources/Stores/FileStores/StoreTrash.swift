public protocol StoreTrash: Sendable {
  /// Moves a file to the trash.
  /// - Throws: `notFound`; `conflict` if the current revision is not `ifRevision`.
  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile
  /// Newest first.
  func contents() async throws(StoreError) -> [TrashedFile]
  /// Reads at most the first `limit` bytes of a file, which stays in the trash.
  /// - Throws: `notFound` if the trash no longer has it; `badInput` for what is no regular file.
  func read(_ file: TrashedFile.ID, limit: Int) async throws(StoreError) -> FileBeginning
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

extension StoreError {
  package static var trashedFileGone: StoreError {
    StoreError(.notFound, "The trash no longer has this file.", path: .root)
  }
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
