/// How long a request may take.
public struct HTTPTimeouts: Sendable, Hashable {
  /// Until there is a connection: the name looked up, the other end reached, TLS agreed on.
  public var connect: Duration
  /// Without a byte moving either way. Does not run while the receiver or the source is what everyone waits for.
  public var idle: Duration
  /// In all, waiting for a free connection included; nil for no limit.
  public var whole: Duration?

  /// Makes timeouts.
  public init(connect: Duration = .seconds(20), idle: Duration = .seconds(30), whole: Duration? = nil) {
    self.connect = connect
    self.idle = idle
    self.whole = whole
  }
}
