/// Uses the small JPEG that cameras embed if that is large enough and has the picture's shape, else a scaled decode and
/// an exact area mean.
public enum Thumbnail {
  public struct Made: Sendable {
    public let pixels: Pixels
    public let header: PictureHeader
    public let isEmbedded: Bool
    /// The file was truncated or damaged: a part is made up.
    public let isDamaged: Bool
  }

  /// Fits into `box` in the picture's shape; a smaller picture keeps its size.
  /// - Parameter header: of the picture, with its orientation.
  /// - Throws: every kind of `ImageError`; `cancelled` within a few milliseconds.
  static func make(
    _ input: PictureInput, _ header: PictureHeader, box: PixelSize, limits: PictureLimits, isCancelled: () -> Bool
  ) throws(ImageError) -> Made {
    try limits.check(header.storedSize)
    if isCancelled() { throw .cancelled }
    let size = header.size.fitted(into: PixelSize(width: max(1, box.width), height: max(1, box.height)))
    if let embedded = embedded(input, header, size, isCancelled) {
      let pixels = try Resampler.resize(embedded, to: size, isCancelled: isCancelled)
      return Made(pixels: pixels, header: header, isEmbedded: true, isDamaged: false)
    }
    let picture = try Decoder.decode(input, header, atLeast: size, limits: limits, isCancelled: isCancelled)
    let pixels = try Resampler.resize(picture.pixels, to: size, isCancelled: isCancelled)
    return Made(pixels: pixels, header: header, isEmbedded: false, isDamaged: picture.isDamaged)
  }

  /// - Throws: as the first `make`.
  public static func make(
    _ bytes: [UInt8], box: PixelSize, limits: PictureLimits = PictureLimits(), isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> Made {
    try bytes.withUnsafeBufferPointer { (buffer) throws(ImageError) in
      let whole = UnsafeRawBufferPointer(buffer)
      return try make(
        PictureInput(whole), try PictureHeader.read(whole), box: box, limits: limits, isCancelled: isCancelled)
    }
  }

  /// Neither side is above `maxEdge`.
  /// - Throws: as the other `make`.
  public static func make(
    _ bytes: [UInt8], maxEdge: Int, limits: PictureLimits = PictureLimits(), isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> Made {
    try make(bytes, box: PixelSize(width: maxEdge, height: maxEdge), limits: limits, isCancelled: isCancelled)
  }

  /// nil if the embedded picture is missing, too small, damaged, or of another shape (stale after an edit, or with
  /// black bars). Its errors are ignored: the whole picture is decoded instead.
  private static func embedded(
    _ input: PictureInput, _ header: PictureHeader, _ wanted: PixelSize, _ isCancelled: () -> Bool
  ) -> Pixels? {
    guard let range = header.thumbnail, var small = input.bytes(range) else { return nil }
    guard let inner = try? PictureHeader.read(small), inner.format == .jpeg,
      inner.storedSize.width <= 1024, inner.storedSize.height <= 1024
    else { return nil }
    // Its colours are those of the picture, whose profile it leaves out.
    if let profile = header.jpeg?.profile, inner.jpeg?.profile.isEmpty == true {
      small.insert(contentsOf: profile.compactMap(input.bytes).joined(), at: 2)
    }
    let stored = header.orientation.apply(to: wanted)
    guard inner.storedSize.width >= stored.width, inner.storedSize.height >= stored.height,
      hasShape(inner.storedSize, of: header.storedSize),
      let picture = try? Decoder.decode(small, isCancelled: isCancelled), !picture.isDamaged,
      picture.header.orientation == .upright
    else { return nil }
    return picture.pixels.oriented(header.orientation)
  }

  /// Allows 2 %, or one pixel of the shorter side, for rounding.
  static func hasShape(_ small: PixelSize, of full: PixelSize) -> Bool {
    guard full.width > 0, full.height > 0 else { return false }
    let isWide = full.width >= full.height
    let (long, short) = isWide ? (small.width, small.height) : (small.height, small.width)
    let (fullLong, fullShort) = isWide ? (full.width, full.height) : (full.height, full.width)
    let expected = Double(long) * Double(fullShort) / Double(fullLong)
    return abs(Double(short) - expected) <= max(0.02 * expected, 0.99)
  }
}
