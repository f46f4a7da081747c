/// SplitMix64: the same numbers from the same seed, everywhere.
public struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts the row of a seed.
  public init(_ seed: UInt64) { state = seed }

  /// The next number, any of all.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 on, below a limit; 0 when there is none.
  public mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &self) }
}
