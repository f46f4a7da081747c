/// A program that may sign members in.
public struct ServerApp: Sendable, Hashable {
  /// What it is known by: public, no secret.
  public let key: String
  /// When it was let in: seconds since 1970.
  public let created: Int64

  /// Makes a record.
  public init(key: String, created: Int64) { (self.key, self.created) = (key, created) }
}
