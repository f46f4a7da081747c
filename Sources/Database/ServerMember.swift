/// A member of the club that a server serves.
public struct ServerMember: Sendable, Hashable {
  /// The server's name for the member; printable ASCII.
  public let id: String
  /// The name that people use.
  public let name: String
  /// When the member was added, in seconds since 1970.
  public let created: Int64

  /// Makes a row.
  public init(id: String, name: String, created: Int64) {
    self.id = id
    self.name = name
    self.created = created
  }
}
