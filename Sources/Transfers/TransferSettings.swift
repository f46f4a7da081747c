/// How an engine works.
public struct TransferSettings: Sendable {
  /// How many transfers at once; at least one.
  public var concurrent: Int
  /// How many of one store at once; nil for as many as there may be in all.
  public var perStore: Int?
  /// The most bytes that one piece of an upload carries, and after so many received bytes a download is flushed.
  public var pieceBytes: Int
  /// When what failed for a while is tried again.
  public var retry: TransferRetry
  /// What tells this boot of the machine from others; nil when that is not known.
  package var boot: String?
  /// Called before and after each step on this machine's disk; what it returns, unless 0, is the step's errno. For tests.
  package var diskProbe: DiskProbe?

  /// The defaults are right for a home's line.
  public init(
    concurrent: Int = 3, perStore: Int? = nil, pieceBytes: Int = 8 << 20, retry: TransferRetry = TransferRetry()
  ) {
    self.concurrent = max(1, concurrent)
    self.perStore = perStore.map { max(1, $0) }
    self.pieceBytes = max(1, pieceBytes)
    self.retry = retry
    boot = MachineBoot.id
  }
}
