import ArgumentParser

/// A size as it is typed: `80x24`.
struct BoxSize: ExpressibleByArgument, Sendable, Equatable {
  /// Across.
  let width: Int
  /// Down.
  let height: Int

  init?(argument: String) {
    let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]), (1...10_000).contains(width),
      (1...10_000).contains(height)
    else { return nil }
    (self.width, self.height) = (width, height)
  }
}
