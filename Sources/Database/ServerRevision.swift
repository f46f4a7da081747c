public import FileStores

/// One version of a file's content that a server has had.
public struct ServerRevision: Sendable, Equatable {
  /// The server's number for it.
  public let rev: Int64
  /// Whose content it was.
  public let id: String
  /// Where the file was found then.
  public let key: String
  /// Its path then, as clients saw it.
  public let display: String
  /// Bytes.
  public let size: UInt64
  /// The checksum, by which its content is kept.
  public let hash: ContentHash
  /// When the content was made, in seconds since 1970.
  public let clientModified: Int64
  /// When the content came, in seconds since 1970.
  public let serverModified: Int64

  /// What a file has now; nil for folders, and as long as the checksum is not known.
  public init?(of node: ServerNode) {
    guard !node.isFolder, let hash = node.hash else { return nil }
    self.init(
      rev: node.rev, id: node.id, key: node.key, display: node.display, size: node.size, hash: hash,
      clientModified: node.clientModified, serverModified: node.serverModified)
  }

  /// Makes a row.
  public init(
    rev: Int64, id: String, key: String, display: String, size: UInt64, hash: ContentHash, clientModified: Int64,
    serverModified: Int64
  ) {
    self.rev = rev
    self.id = id
    self.key = key
    self.display = display
    self.size = size
    self.hash = hash
    self.clientModified = clientModified
    self.serverModified = serverModified
  }
}
