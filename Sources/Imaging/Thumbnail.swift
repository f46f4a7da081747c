/// Makes a small copy of a picture file, as cheaply as it can: from the small JPEG that cameras embed, when that is
/// large enough and has the picture's shape, else by a scaled decode and an exact area mean.
public enum Thumbnail {
  /// A small copy and where it came from.
  public struct Made: Sendable {
    /// The copy, turned as it is to be shown.
    public let pixels: Pixels
    /// The picture's header.
    public let header: PictureHeader
    /// True when the embedded small picture was used.
    public let isEmbedded: Bool
    /// True when the file ended early or was damaged, so that a part of the copy is made up.
    public let isDamaged: Bool
  }

  /// Makes a copy that fits into `box` and has the picture's shape; a smaller picture keeps its size.
  /// - Throws: every kind of `ImageError`; `cancelled` within a few milliseconds.
  public static func make(
    _ bytes: UnsafeRawBufferPointer, box: PixelSize, limits: PictureLimits = PictureLimits(),
    isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> Made {
    let header = try PictureHeader.read(bytes)
    try limits.check(header.storedSize)
    if isCancelled() { throw .cancelled }
    let size = header.size.fitted(into: PixelSize(width: max(1, box.width), height: max(1, box.height)))
    if let embedded = embedded(bytes, header, size, isCancelled) {
      let pixels = try Resampler.resize(embedded, to: size, isCancelled: isCancelled)
      return Made(pixels: pixels, header: header, isEmbedded: true, isDamaged: false)
    }
    let picture = try Decoder.decode(bytes, atLeast: size, limits: limits, isCancelled: isCancelled)
    let pixels = try Resampler.resize(picture.pixels, to: size, isCancelled: isCancelled)
    return Made(pixels: pixels, header: header, isEmbedded: false, isDamaged: picture.isDamaged)
  }

  /// The same, from an array.
  /// - Throws: as the other.
  public static func make(
    _ bytes: [UInt8], box: PixelSize, limits: PictureLimits = PictureLimits(), isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> Made {
    try bytes.withUnsafeBufferPointer { (buffer) throws(ImageError) in
      try make(UnsafeRawBufferPointer(buffer), box: box, limits: limits, isCancelled: isCancelled)
    }
  }

  /// The same, with neither side above `maxEdge`.
  /// - Throws: as the other.
  public static func make(
    _ bytes: [UInt8], maxEdge: Int, limits: PictureLimits = PictureLimits(), isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> Made {
    try make(bytes, box: PixelSize(width: maxEdge, height: maxEdge), limits: limits, isCancelled: isCancelled)
  }

  /// The embedded picture, turned; nil when there is none, it is too small, damaged, or of another shape (stale after
  /// an edit, or with black bars). One that cannot be used is never an error: the whole picture is decoded instead.
  private static func embedded(
    _ bytes: UnsafeRawBufferPointer, _ header: PictureHeader, _ wanted: PixelSize, _ isCancelled: () -> Bool
  ) -> Pixels? {
    guard let range = header.thumbnail, range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
    let small = UnsafeRawBufferPointer(rebasing: bytes[range])
    guard let inner = try? PictureHeader.read(small), inner.format == .jpeg,
      inner.storedSize.width <= 1024, inner.storedSize.height <= 1024
    else { return nil }
    let stored = header.orientation.apply(to: wanted)
    guard inner.storedSize.width >= stored.width, inner.storedSize.height >= stored.height,
      hasShape(inner.storedSize, of: header.storedSize),
      let picture = try? Decoder.decode(small, isCancelled: isCancelled), !picture.isDamaged,
      picture.header.orientation == .upright
    else { return nil }
    return picture.pixels.oriented(header.orientation)
  }

  /// Within 2 %, or one pixel of the shorter side, to which the small one was rounded.
  static func hasShape(_ small: PixelSize, of full: PixelSize) -> Bool {
    guard full.width > 0, full.height > 0 else { return false }
    let isWide = full.width >= full.height
    let (long, short) = isWide ? (small.width, small.height) : (small.height, small.width)
    let (fullLong, fullShort) = isWide ? (full.width, full.height) : (full.height, full.width)
    let expected = Double(long) * Double(fullShort) / Double(fullLong)
    return abs(Double(short) - expected) <= max(0.02 * expected, 0.99)
  }
}
