/// How much of old versions is kept.
public struct VersionLimits: Sendable {
  /// Larger files are not kept when they are replaced or deleted.
  public let fileBytes: UInt64
  /// When all kept versions together are larger, the oldest go.
  public let totalBytes: UInt64

  /// Makes limits: 256 MiB a file and 2 GiB together unless said otherwise.
  public init(fileBytes: UInt64 = 256 << 20, totalBytes: UInt64 = 2 << 30) {
    self.fileBytes = fileBytes
    self.totalBytes = totalBytes
  }
}
