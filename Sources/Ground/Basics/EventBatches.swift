/// Gathers events into batches, so that fifty photos are one message. A batch ends after a while of quiet, when its
/// first event is old enough, or when it is full; the times come from the caller, the machine reads no clock.
public struct EventBatches<Item: Sendable>: Sendable {
  public typealias Instant = ContinuousClock.Instant

  private let quiet: Duration
  private let longest: Duration
  private let limit: Int
  private var items: [Item] = []
  private var first: Instant?
  private var last: Instant?

  public init(quiet: Duration = .seconds(10), longest: Duration = .seconds(60), limit: Int = 10_000) {
    (self.quiet, self.longest, self.limit) = (quiet, longest, max(1, limit))
  }

  public var isEmpty: Bool { items.isEmpty }

  /// The moment at which the open batch ends if nothing more comes; nil while no batch is open.
  public var deadline: Instant? {
    guard let first, let last else { return nil }
    return items.count >= limit ? first : min(last.advanced(by: quiet), first.advanced(by: longest))
  }

  /// Events that came at one moment join the open batch or begin one.
  public mutating func add(_ new: [Item], at now: Instant) {
    guard !new.isEmpty else { return }
    first = first ?? now
    last = max(last ?? now, now)
    items += new
  }

  /// The batch whose time has come, or nil; a full one leaves what is above the limit for the next.
  public mutating func take(at now: Instant) -> [Item]? {
    guard let deadline, deadline <= now else { return nil }
    return takeAll(at: now)
  }

  /// The open batch before its time, for a program that ends; nil when nothing waits.
  public mutating func takeAll(at now: Instant) -> [Item]? {
    guard !items.isEmpty else { return nil }
    let batch = Array(items.prefix(limit))
    items.removeFirst(batch.count)
    first = items.isEmpty ? nil : now
    last = items.isEmpty ? nil : last
    return batch
  }
}
