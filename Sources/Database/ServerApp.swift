/// A program that may sign members in.
public struct ServerApp: Sendable, Hashable {
  /// What it is known by: public, no secret.
  public let key: String
  /// When it was let in: seconds since 1970.
  public let created: Int64
  /// Where a browser may be sent back to with a code, besides the machine that it runs on.
  public let redirects: [String]

  /// Makes a record.
  public init(key: String, created: Int64, redirects: [String] = []) {
    (self.key, self.created, self.redirects) = (key, created, redirects)
  }
}
