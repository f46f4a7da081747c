/// The optional capabilities of a store; nil if it lacks one. This is the only way to find a capability. A
/// `StoreWrapper` passes on each of them, which the store checks verify for every property.
public struct Capabilities: Sendable {
  public var uploads: (any ResumableUploads)?
  public var trash: (any StoreTrash)?
  public var changes: (any ChangeFeed)?
  public var revisions: (any RevisionHistory)?
  public var search: (any StoreSearch)?
  public var thumbnails: (any StoreThumbnails)?
  /// nil also if batches are no faster than `put`.
  public var batches: (any BatchUploads)?
  public var folders: (any FolderReading)?
  public var links: (any LinkSharing)?
  public var adopting: (any FileAdopting)?
  public var ready: (any ReadyReading)?
  public var presence: (any StorePresence)?

  public init(
    uploads: (any ResumableUploads)? = nil, trash: (any StoreTrash)? = nil, changes: (any ChangeFeed)? = nil,
    revisions: (any RevisionHistory)? = nil, search: (any StoreSearch)? = nil,
    thumbnails: (any StoreThumbnails)? = nil, batches: (any BatchUploads)? = nil,
    folders: (any FolderReading)? = nil, links: (any LinkSharing)? = nil, adopting: (any FileAdopting)? = nil,
    ready: (any ReadyReading)? = nil, presence: (any StorePresence)? = nil
  ) {
    (self.uploads, self.trash, self.changes, self.revisions) = (uploads, trash, changes, revisions)
    (self.search, self.thumbnails, self.batches) = (search, thumbnails, batches)
    (self.folders, self.links, self.adopting, self.ready) = (folders, links, adopting, ready)
    self.presence = presence
  }
}

/// Reads small files whose bytes are in memory: a shortcut without waiting.
public protocol ReadyReading: Sendable {
  /// All bytes of this revision of a file. Does not block.
  /// - Returns: nil if the bytes may not be in memory, or if the file is missing, has another revision, or is longer
  ///   than `limit`.
  func readAtHand(_ path: StorePath, ifRevision: Revision, limit: Int) -> [UInt8]?
  /// `readAtHand` of files that were listed a moment ago: `receive` gets each once, in their order. Ends when it returns
  /// false, or before the first file if nothing of the folder can be read so.
  func readAtHand(_ listed: ArraySlice<FileEntry>, limit: Int, _ receive: (FileEntry, [UInt8]?) -> Bool)
}

extension ReadyReading {
  public func readAtHand(_ listed: ArraySlice<FileEntry>, limit: Int, _ receive: (FileEntry, [UInt8]?) -> Bool) {
    for entry in listed {
      let bytes = entry.revision.flatMap { readAtHand(entry.path, ifRevision: $0, limit: limit) }
      guard receive(entry, bytes) else { return }
    }
  }
}

public protocol FileAdopting: Sendable {
  /// Writes a whole file, with all promises of `FileStore.put`, by moving a file that nobody writes to any more. The
  /// file has left its place when this returns an entry, and may have left it when this throws; keep it open for
  /// another try.
  /// - Parameters:
  ///   - file: its absolute path.
  ///   - hash: the content hash of its bytes.
  /// - Returns: nil if the store cannot take the file over (it is on another disk); the file is then unchanged.
  func put(
    adopting file: String, hash: ContentHash, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry?
}
