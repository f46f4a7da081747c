/// One fault of a specification: which, how often, how much, and where.
struct ChaosRule: Sendable, Equatable {
  let fault: ChaosFault
  /// The route's path, or how the paths begin when it ends in `*`; nil for all.
  var place: String?
  /// From 0 to 1.
  var probability = 1.0
  /// Bytes, or milliseconds.
  var amount: UInt64?

  /// Whether it is about requests for this path.
  func applies(to path: String) -> Bool {
    guard let place else { return true }
    return place.hasSuffix("*") ? path.hasPrefix(place.dropLast()) : path == place
  }

  var time: Duration? { amount.map { .milliseconds(Int64(clamping: $0)) } }
}
