/// How much of old versions is kept. What a file has now is kept in any case, and does not count.
public struct VersionLimits: Sendable {
  /// Files up to here are kept as soon as the server sees them, whoever wrote them; larger ones when a member replaces
  /// or deletes them.
  public var atOnceBytes: UInt64 = 1 << 20
  /// Larger files are not kept when they are replaced or deleted.
  public var fileBytes: UInt64 = 256 << 20
  /// Keep at most this much of all old versions together; the oldest go first.
  public var totalBytes: UInt64 = 2 << 30
  /// The most versions of one place; the oldest go.
  public var count = 200
  /// Versions that were replaced so long ago go; the newest of a place, also of one that is gone, does not.
  public var seconds: Int64 = 365 * 86_400

  /// Makes limits: 1 MiB at once, 256 MiB a file, 2 GiB, 200 versions and a year unless said otherwise.
  public init() {}
}
