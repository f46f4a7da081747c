/// How much one picture may ask for. Checked against its header before anything is allocated for it.
public struct PictureLimits: Sendable, Equatable {
  /// The most pixels that a picture may have, as stored.
  public var maxPixels: Int
  /// The longest side that a picture may have.
  public var maxSide: Int
  /// The most memory that decoding may need, by estimate: what comes out, and what the library holds meanwhile
  /// (a progressive JPEG keeps all its coefficients).
  public var maxMemoryBytes: Int
  /// The most scans in a JPEG. Cameras and encoders write up to about 12.
  public var maxScans: Int
  /// The most pixels times scans in a JPEG: each scan walks over the whole picture again.
  /// 3 billion take about 2 seconds when every scan is empty: 250 megapixels in 12 scans.
  public var maxScanWork: Int

  /// Limits that every real photograph keeps: 500 megapixels, sides up to 65,535, 768 MiB.
  public init(
    maxPixels: Int = 500_000_000, maxSide: Int = 65_535, maxMemoryBytes: Int = 768 << 20, maxScans: Int = 100,
    maxScanWork: Int = 3_000_000_000
  ) {
    self.maxPixels = maxPixels
    self.maxSide = maxSide
    self.maxMemoryBytes = maxMemoryBytes
    self.maxScans = maxScans
    self.maxScanWork = maxScanWork
  }

  func check(_ size: PixelSize) throws(ImageError) {
    guard size.width > 0, size.height > 0 else { throw .corrupt("its size is zero") }
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    if overflow || pixels > maxPixels || size.width > maxSide || size.height > maxSide {
      throw ImageError(
        .tooLarge,
        "The picture has \(size.width) x \(size.height) pixels, more than the \(maxPixels / 1_000_000)"
          + " megapixels (sides up to \(maxSide)) that byteclub reads.",
        remedy: "Save a smaller copy.")
    }
  }

  func check(memory bytes: Int) throws(ImageError) {
    if bytes > maxMemoryBytes { throw .memory(bytes) }
  }
}
