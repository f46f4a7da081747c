/// Bytes a second, from a moment on.
struct Pace: Sendable {
  let bytesPerSecond: UInt64
  private let began = ContinuousClock.now

  init(_ bytesPerSecond: UInt64) { self.bytesPerSecond = max(bytesPerSecond, 1) }

  /// Bytes that go in one piece: a twentieth of a second's.
  var piece: Int { Int(clamping: max(bytesPerSecond / 20, 256)) }

  /// Returns when so many bytes may have gone.
  func wait(for count: UInt64) async throws {
    let due = began + .seconds(Double(count) / Double(bytesPerSecond))
    if due > .now { try await Task.sleep(until: due) }
  }
}
