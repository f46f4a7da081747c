/// Deleting that can be undone.
public protocol StoreTrash: Sendable {
  /// Puts a file into the trash.
  /// - Throws: `notFound`; `conflict` when `ifRevision` is not there.
  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile
  /// What is in the trash, newest first.
  func contents() async throws(StoreError) -> [TrashedFile]
  /// Puts a file back where it came from, or to another path.
  /// - Throws: `notFound` when the trash has it no more; `exists` when something new is there (it stays in the trash).
  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry
  /// Deletes one file that is in the trash, for good. One that is gone already is no error.
  func delete(_ file: TrashedFile.ID) async throws(StoreError)
  /// Deletes all that is in the trash, for good. Returns how many files that were.
  func empty() async throws(StoreError) -> Int
}

extension StoreTrash {
  /// Puts a file back where it came from.
  public func restore(_ file: TrashedFile.ID) async throws(StoreError) -> FileEntry { try await restore(file, as: nil) }
}

/// A file in the trash.
public struct TrashedFile: Sendable, Hashable, Identifiable {
  /// The store's word for it; printable ASCII.
  public let id: String
  /// Where it came from.
  public let origin: StorePath
  /// When it was discarded.
  public let discarded: Timestamp
  /// Bytes.
  public let size: UInt64

  /// Makes a record.
  public init(id: String, origin: StorePath, discarded: Timestamp, size: UInt64) {
    self.id = id
    self.origin = origin
    self.discarded = discarded
    self.size = size
  }
}
