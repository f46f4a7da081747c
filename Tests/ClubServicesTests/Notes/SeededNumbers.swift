/// Numbers that are the same for the same seed (SplitMix64).
struct SeededNumbers {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  /// From 0 to `limit` - 1; 0 when `limit` is none.
  mutating func next(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return limit > 0 ? Int((mixed ^ (mixed >> 31)) % UInt64(limit)) : 0
  }
}
