/// An upload in pieces that a server holds.
public struct ServerUpload: Sendable, Equatable {
  /// The server's word for it.
  public let id: String
  /// The member (by id) that it belongs to.
  public let member: String
  /// Whether pieces may come in any order.
  public let isConcurrent: Bool
  /// When it began, in seconds since 1970.
  public let created: Int64
  /// True when no more pieces are to come.
  public var isClosed: Bool

  /// Makes a row.
  public init(id: String, member: String, isConcurrent: Bool, created: Int64, isClosed: Bool) {
    self.id = id
    self.member = member
    self.isConcurrent = isConcurrent
    self.created = created
    self.isClosed = isClosed
  }
}
