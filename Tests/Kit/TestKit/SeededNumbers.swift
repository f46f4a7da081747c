import Synchronization

/// SplitMix64: the same numbers from the same seed on every platform.
public struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(_ seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to below a limit; 0 if the limit is not positive.
  public mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &self) }
}

/// One row of seeded numbers for all who share it.
public final class SharedNumbers: Sendable {
  private let numbers: Mutex<SeededNumbers>

  public init(_ seed: UInt64) { numbers = Mutex(SeededNumbers(seed)) }

  public func next() -> UInt64 { numbers.withLock { $0.next() } }
}
