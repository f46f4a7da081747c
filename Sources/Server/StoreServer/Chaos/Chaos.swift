import Basics
public import FileStores

/// Deliberate faults of a server, for testing clients. A request's fate depends only on the seed, its route, and the
/// number of earlier requests for that route.
public struct Chaos: Sendable {
  let rules: [ChaosRule]
  let seed: UInt64

  /// - Throws: `badInput` with the wrong part of the specification.
  public init(_ specification: String, seed: UInt64) throws(StoreError) {
    rules = try ChaosReader.read(specification)
    self.seed = seed
  }

  public static var help: String {
    let faults = ChaosFault.allCases.map(\.help).map { "\($0.form): \($0.text)" }.joined(separator: "; ")
    return "Fail on purpose, on loopback only. SPEC is a list with commas: \(faults). P is the probability, from 0 to "
      + "1 (default 1; latency and bandwidth take one, too: latency=0.1:2s). TIME is such as "
      + "200ms or 5s, BYTES such as 500B, 64KiB or 2MiB; without BYTES the seed decides where to cut. A fault of some "
      + "routes only has @ and a path: 503@/2/files/upload=0.3, drop@/2/files/*=0.1."
  }

  /// The faults of request number `count` (from 0) for `path`: all that slow it down, and the first that fails it.
  func fate(of path: String, route: String, count: UInt64) -> ChaosFate {
    var fate = ChaosFate()
    for (index, rule) in rules.enumerated() where rule.applies(to: path) {
      let dice = Chaos.mix(seed, route, count, UInt64(index))
      guard Double(dice >> 11) / Double(1 << 53 as UInt64) < rule.probability else { continue }
      switch rule.fault {
      case .latency: fate.latency = max(fate.latency, rule.time ?? .zero)
      case .bandwidth: fate.bandwidth = min(fate.bandwidth ?? .max, rule.amount ?? .max)
      default:
        if fate.failure == nil { fate.failure = rule }
      }
    }
    fate.share = Double(Chaos.mix(seed, route, count, .max) >> 11) / Double(1 << 53 as UInt64)
    return fate
  }

  /// A pseudorandom number: FNV-1a over the input, finished as in SplitMix64.
  private static func mix(_ seed: UInt64, _ route: String, _ count: UInt64, _ index: UInt64) -> UInt64 {
    var start = FNV1a()
    start.add(route.utf8)
    var hash = start.value
    for word in [seed, count, index] {
      hash = (hash ^ word) &+ 0x9E37_79B9_7F4A_7C15
      hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
      hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
      hash ^= hash >> 31
    }
    return hash
  }
}

struct ChaosRule: Sendable, Equatable {
  let fault: ChaosFault
  /// The route's path, or a prefix that ends in `*`; nil for all.
  var place: String?
  /// From 0 to 1.
  var probability = 1.0
  /// Bytes, or milliseconds.
  var amount: UInt64?

  func applies(to path: String) -> Bool {
    guard let place else { return true }
    return place.hasSuffix("*") ? path.hasPrefix(place.dropLast()) : path == place
  }

  var time: Duration? { amount.map { .milliseconds(Int64(clamping: $0)) } }
}

struct ChaosFate: Sendable {
  var latency = Duration.zero
  /// Bytes a second.
  var bandwidth: UInt64?
  var failure: ChaosRule?
  /// The place of a cut without an amount, as a fraction of the length.
  var share = 0.5

  var words: String? {
    var words: [String] = []
    if latency > .zero { words.append(ChaosFault.latency.rawValue) }
    if bandwidth != nil { words.append(ChaosFault.bandwidth.rawValue) }
    if let failure { words.append(failure.fault.rawValue) }
    return words.isEmpty ? nil : words.joined(separator: "+")
  }

  func place(in length: UInt64) -> UInt64 {
    failure?.amount ?? UInt64(Double(length) * share)
  }
}
