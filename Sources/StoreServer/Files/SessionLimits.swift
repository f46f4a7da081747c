/// How much of unfinished uploads is kept of one member.
public struct SessionLimits: Sendable {
  /// The most uploads under way; of more, those go that were left alone for the longest time.
  public var count = 2_000
  /// The most bytes of them together, in the same way.
  public var totalBytes: UInt64 = 64 << 30
  /// An upload that began so long ago goes.
  public var seconds: Int64 = 7 * 86_400
  /// An upload to which something was added since does not go for others.
  var idleSeconds: Int64 = 3600

  /// Makes limits: 2,000 uploads, 64 GiB and a week unless said otherwise.
  public init() {}
}
