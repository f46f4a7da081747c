/// Limits the bytes a second of all its users together. A value without a clock: callers pass the time.
///
/// A caller takes everything it wants while nothing is owed; later callers wait until that is paid, so the rate is
/// exact for pieces of any size. At most a twentieth of a second is saved up.
public struct TokenBucket: Sendable, Hashable {
  /// Bytes a second; nil for no limit. A change also applies to owed bytes.
  public private(set) var rate: UInt64?
  private var balance = 0.0
  private var counted: Duration

  public init(rate: UInt64?, at now: Duration) {
    self.rate = rate
    counted = now
  }

  public mutating func setRate(_ rate: UInt64?, at now: Duration) {
    settle(now)
    if self.rate == nil || rate == nil { balance = 0 }
    self.rate = rate
  }

  /// - Returns: nil if the bytes may go now; otherwise the time to wait before the next call, with nothing taken.
  public mutating func take(_ bytes: Int, at now: Duration) -> Duration? {
    guard let rate else { return nil }
    settle(now)
    guard balance < 0 else {
      balance -= Double(bytes)
      return nil
    }
    // Rounded up: one wait is enough.
    return .nanoseconds(Int64((-balance / Double(max(1, rate)) * 1e9).rounded(.up)) + 1)
  }

  private mutating func settle(_ now: Duration) {
    guard let rate, now > counted else {
      counted = max(counted, now)
      return
    }
    balance = min(balance + (now - counted).inSeconds * Double(rate), Double(rate) / 20)
    counted = now
  }
}

package struct ByteRate: Sendable, Equatable {
  package let bytesPerSecond: UInt64?

  /// Reads `500K`, `2M`, `1.5 MiB/s` or `off`, with powers of 1,024; without a unit, bytes a second. nil for other text
  /// and for rates outside one byte to one PB a second.
  package init?(_ text: String) {
    var word = text.lowercased().filter { $0 != " " }
    if word == "off" {
      bytesPerSecond = nil
      return
    }
    if word.hasSuffix("/s") { word.removeLast(2) }
    let digits = word.prefix { ("0"..."9").contains($0) || $0 == "." }
    guard let number = Double(digits), let factor = ByteRate.factors[String(word.dropFirst(digits.count))],
      case let bytes = number * factor, bytes >= 1, bytes < 1e15
    else { return nil }
    bytesPerSecond = UInt64(bytes)
  }

  private static let factors: [String: Double] = [
    "": 1, "b": 1, "k": 1024, "kb": 1024, "kib": 1024, "m": 1_048_576, "mb": 1_048_576, "mib": 1_048_576,
    "g": 1_073_741_824, "gb": 1_073_741_824, "gib": 1_073_741_824,
  ]
}
