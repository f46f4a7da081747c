import Basics
import FileStores
import Synchronization

/// Chooses the calls that fail. The n-th call with one name and path always has the same outcome for a seed, whatever
/// other calls come between.
final class Faults: Sendable {
  enum Fault {
    case none, before, after
  }

  private struct State {
    var calls: [String: UInt64] = [:]
    var inARow: [String: Int] = [:]
    var count = 0
  }

  private let seed: UInt64
  private let share: Double
  private let state = Mutex(State())

  init(seed: UInt64, share: Double) {
    self.seed = seed
    self.share = share
  }

  var count: Int { state.withLock { $0.count } }

  func next(_ name: StoreCallName, _ path: StorePath) -> Fault {
    let key = name.rawValue + " " + path.bytes.map { String($0, radix: 16) }.joined()
    return state.withLock { state in
      let number = state.calls[key, default: 0]
      state.calls[key] = number + 1
      let dice = Faults.mix(seed, key, number)
      guard Double(dice >> 11) / Double(1 << 53) < share, state.inARow[key, default: 0] < 2 else {
        state.inARow[key] = 0
        return .none
      }
      state.inARow[key, default: 0] += 1
      state.count += 1
      return dice & 1 == 0 ? .before : .after
    }
  }

  static func error(_ path: StorePath) -> StoreError {
    StoreError(.offline, "The line broke.", remedy: "Try again.", path: path)
  }

  /// FNV-1a over the key, then the finaliser of SplitMix64.
  private static func mix(_ seed: UInt64, _ key: String, _ number: UInt64) -> UInt64 {
    var hash = FNV1a()
    hash.add(key.utf8)
    var mixed = hash.value &+ seed &* 0x9E37_79B9_7F4A_7C15 &+ number &* 0xD1B5_4A32_D192_ED03
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
