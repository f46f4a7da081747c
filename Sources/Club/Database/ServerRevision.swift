public import FileStores

public struct ServerRevision: Sendable, Equatable {
  public let rev: Int64
  public let id: String
  public let key: String
  public let display: String
  public let size: UInt64
  public let hash: ContentHash
  /// In seconds since 1970, as `serverModified`.
  public let clientModified: Int64
  public let serverModified: Int64
  /// nil for content that another program wrote.
  public var author: ServerAuthor?
}

extension ServerRevision {
  /// The current version of a file; nil for folders, and until the checksum is known.
  public init?(of node: ServerNode) {
    guard !node.isFolder, let hash = node.hash else { return nil }
    self.init(
      rev: node.rev, id: node.id, key: node.key, display: node.display, size: node.size, hash: hash,
      clientModified: node.clientModified, serverModified: node.serverModified, author: node.author)
  }
}

public struct ServerUpload: Sendable, Equatable {
  public let id: String
  public let member: String
  /// True if pieces may arrive in any order.
  public let isConcurrent: Bool
  /// In seconds since 1970.
  public let created: Int64
  /// True if no more pieces will arrive.
  public var isClosed: Bool

  public init(id: String, member: String, isConcurrent: Bool, created: Int64, isClosed: Bool) {
    self.id = id
    self.member = member
    self.isConcurrent = isConcurrent
    self.created = created
    self.isClosed = isClosed
  }
}
