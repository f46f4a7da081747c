/// Checked against a picture's header before any allocation for it.
public struct PictureLimits: Sendable, Equatable {
  /// As stored.
  public var maxPixels: Int
  public var maxSide: Int
  /// By estimate, including the library's own (all coefficients of a progressive JPEG).
  public var maxMemoryBytes: Int
  /// Cameras and encoders write up to about 12 scans.
  public var maxScans: Int
  /// The most pixels times scans in a JPEG, because each scan walks over the whole picture. 3 billion take about 2
  /// seconds if every scan is empty: 250 megapixels in 12 scans.
  public var maxScanWork: Int
  /// nil for a time that grows with the length of the file.
  public var maxSeconds: Int?

  /// No picture gets more, whatever its limits say.
  public static let mostMemoryBytes = 768 << 20

  /// Every real photograph meets the defaults.
  public init(
    maxPixels: Int = 500_000_000, maxSide: Int = 65_535, maxMemoryBytes: Int = mostMemoryBytes, maxScans: Int = 100,
    maxScanWork: Int = 3_000_000_000, maxSeconds: Int? = nil
  ) {
    self.maxPixels = maxPixels
    self.maxSide = maxSide
    self.maxMemoryBytes = maxMemoryBytes
    self.maxScans = maxScans
    self.maxScanWork = maxScanWork
    self.maxSeconds = maxSeconds
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

  func scans(of size: PixelSize) -> Int {
    min(maxScans, max(1, maxScanWork / (size.width * size.height)))
  }

  func check(memory bytes: Int) throws(ImageError) {
    if bytes > maxMemoryBytes { throw .memory(bytes) }
  }
}
