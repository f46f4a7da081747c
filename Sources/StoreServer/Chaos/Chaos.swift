public import FileStores

/// How a server misbehaves on purpose, so that anyone can see what a client survives.
///
/// What happens to a request follows from the seed, the route, and how many requests for that route came before: the
/// same requests in the same order meet the same faults, whatever happens on other routes and whatever the time is.
public struct Chaos: Sendable {
  let rules: [ChaosRule]
  let seed: UInt64

  /// Reads a specification, such as `latency=200ms,503=0.05,cut=0.1:64KiB`; see `help`.
  /// - Throws: `badInput` when it is wrong, naming the part.
  public init(_ specification: String, seed: UInt64) throws(StoreError) {
    rules = try ChaosReader.read(specification)
    self.seed = seed
  }

  /// What a specification may hold, for people.
  public static var help: String {
    let faults = ChaosFault.allCases.map(\.help).map { "\($0.form): \($0.text)" }.joined(separator: "; ")
    return "Fail on purpose, on loopback only. SPEC is a list with commas: \(faults). P is the probability, from 0 to "
      + "1 (default 1; latency and bandwidth take one, too: latency=0.1:2s). TIME is such as "
      + "200ms or 5s, BYTES such as 500B, 64KiB or 2MiB; without BYTES the seed decides where to cut. A fault of some "
      + "routes only has @ and a path: 503@/2/files/upload=0.3, drop@/2/files/*=0.1."
  }

  /// The faults that the request number `count` (from 0) for `path` meets, in the order of the specification: what
  /// slows it down, and of what fails it the first.
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

  /// A number that looks random. The words go through FNV-1a, the result through the finisher of SplitMix64.
  private static func mix(_ seed: UInt64, _ route: String, _ count: UInt64, _ index: UInt64) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in route.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for word in [seed, count, index] {
      hash = (hash ^ word) &+ 0x9E37_79B9_7F4A_7C15
      hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
      hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
      hash ^= hash >> 31
    }
    return hash
  }
}
