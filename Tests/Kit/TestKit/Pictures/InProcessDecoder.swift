public import Basics
public import Decoding
public import Imaging

/// Decodes in the test's own process.
public struct InProcessDecoder: PictureDecoding {
  public let atOnce: Int
  private let pool: BlockingPool

  public init(pool: BlockingPool, atOnce: Int = 1) { (self.pool, self.atOnce) = (pool, atOnce) }

  public func perform(
    _ work: PictureWork, on content: PictureContent, orientation: Orientation, limits: PictureLimits, isUrgent: Bool
  ) async throws(ImageError) -> PictureResult {
    let end = limits.maxSeconds.map { ContinuousClock.now + .seconds($0) }
    return try await pool.runCancellable { (isCancelled) throws(ImageError) in
      try work.perform(on: content.input(), orientation: orientation, limits: limits) {
        isCancelled() || end.map { ContinuousClock.now >= $0 } ?? false
      }
    }
  }
}
