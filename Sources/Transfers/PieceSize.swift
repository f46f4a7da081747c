/// How many bytes the next piece of an upload has: about a second's worth, so that progress is lively, a kill costs
/// little, and a fast line is not held up by its answers.
struct PieceSize: Sendable, Hashable {
  static let smallest = 256 * 1024
  /// Pieces that take longer than this become smaller, and those that take less than half become larger.
  private static let aim = Duration.milliseconds(1500)

  private let largest: Int
  private(set) var bytes: Int

  init(largest: Int) {
    self.largest = max(1, largest)
    bytes = min(self.largest, 4 * Self.smallest)
  }

  /// Learns from a whole piece.
  mutating func learn(_ sent: Int, took time: Duration) {
    guard sent >= bytes else { return }
    if time > Self.aim {
      bytes = max(min(largest, Self.smallest), bytes / 2)
    } else if time < Self.aim / 2 {
      bytes = min(largest, bytes * 2)
    }
  }

  /// The next piece, while at most `limit` bytes a second may be sent.
  func next(limit: UInt64?) -> Int {
    guard let limit else { return bytes }
    // Half a second's worth, but no smaller than what makes a request worthwhile.
    return min(bytes, max(16 * 1024, Int(clamping: limit / 2)))
  }
}
