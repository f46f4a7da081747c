/// What a request meets.
struct ChaosFate: Sendable {
  var latency = Duration.zero
  /// Bytes a second.
  var bandwidth: UInt64?
  /// The one thing that goes wrong.
  var failure: ChaosRule?
  /// Where a cut comes that has no place of its own: a share of the whole.
  var share = 0.5

  /// What the log says; nil when nothing happens.
  var words: String? {
    var words: [String] = []
    if latency > .zero { words.append(ChaosFault.latency.rawValue) }
    if bandwidth != nil { words.append(ChaosFault.bandwidth.rawValue) }
    if let failure { words.append(failure.fault.rawValue) }
    return words.isEmpty ? nil : words.joined(separator: "+")
  }

  /// Where content of so many bytes is cut.
  func place(in length: UInt64) -> UInt64 {
    failure?.amount ?? UInt64(Double(length) * share)
  }
}
