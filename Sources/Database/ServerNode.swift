public import FileStores

/// What a server's index knows of one file or folder, or of one that was deleted.
public struct ServerNode: Sendable, Equatable {
  /// Where it is found, whatever the letter case: its shown path, folded, with a leading `/`; empty for the root.
  public var key: String
  /// The server's name for it, which survives moves.
  public var id: String
  /// Its path as clients see it, with a leading `/`.
  public var display: String
  /// Where it lies in the store.
  public var path: StorePath
  /// False for files.
  public var isFolder: Bool
  /// Bytes; 0 for folders.
  public var size: UInt64
  /// The store's revision of the content that this row tells about; nil for folders.
  public var storeRevision: Revision?
  /// The server's number for the content; 0 for folders.
  public var rev: Int64
  /// The checksum of the content, once somebody has wanted it.
  public var hash: ContentHash?
  /// When the content was made, as the member's program said, in seconds since 1970.
  public var clientModified: Int64
  /// When the content came here, or was deleted, in seconds since 1970.
  public var serverModified: Int64
  /// When this row last changed, on the index's own count.
  public var sequence: Int64
  /// True for what was here and is gone.
  public var isDeleted: Bool

  /// Makes a row.
  public init(
    key: String, id: String, display: String, path: StorePath, isFolder: Bool, size: UInt64 = 0,
    storeRevision: Revision? = nil, rev: Int64 = 0, hash: ContentHash? = nil, clientModified: Int64 = 0,
    serverModified: Int64 = 0, sequence: Int64 = 0, isDeleted: Bool = false
  ) {
    self.key = key
    self.id = id
    self.display = display
    self.path = path
    self.isFolder = isFolder
    self.size = size
    self.storeRevision = storeRevision
    self.rev = rev
    self.hash = hash
    self.clientModified = clientModified
    self.serverModified = serverModified
    self.sequence = sequence
    self.isDeleted = isDeleted
  }
}
