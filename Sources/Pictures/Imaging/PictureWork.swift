/// A job for a decoder of picture files. It is a plain value, because the decoder may be another process.
public enum PictureWork: Sendable, Equatable {
  /// Pixels of at least this size on both sides, as shown; nil for every pixel.
  case decode(atLeast: PixelSize?)
  /// Pixels that fit into the box; see `Thumbnail`.
  case thumbnail(box: PixelSize)
  /// As `thumbnail`, as a file.
  case thumbnailFile(box: PixelSize, format: PictureFormat, quality: Int)
  /// A part of the picture as shown, in pixels of the scaled picture; see `PictureHeader.hasAreas`.
  case area(PixelRect, eighths: Int)
  /// Decodes all of it at its smallest scale; fails if it is damaged.
  case check
  /// An upright copy as a file; fails if the picture is damaged. No side is longer than `maxEdge`; a quality of nil is
  /// lossless WebP.
  case copy(maxEdge: Int?, format: PictureFormat, quality: Int?)

  /// Does the work on the calling thread. The file is read in pieces.
  /// - Parameter orientation: of the picture, which some formats keep behind their pixels.
  /// - Throws: every kind of `ImageError` but `slow`, `crashed` and `unavailable`.
  public func perform(
    on input: PictureInput, orientation: Orientation, limits: PictureLimits, isCancelled: () -> Bool
  ) throws(ImageError) -> PictureResult {
    if case .check = self {
      _ = try Decoder.check(input, limits: limits, isCancelled: isCancelled)
      return .checked
    }
    var header = try PictureHeader.beginning(of: input)
    header.orientation = orientation
    switch self {
    case .check: return .checked
    case .decode(let size):
      let picture = try Decoder.decode(input, header, atLeast: size, limits: limits, isCancelled: isCancelled)
      return .pixels(picture.pixels, isDamaged: picture.isDamaged)
    case .thumbnail(let box):
      let made = try Thumbnail.make(input, header, box: box, limits: limits, isCancelled: isCancelled)
      return .pixels(made.pixels, isDamaged: made.isDamaged)
    case .thumbnailFile(let box, let format, let quality):
      let made = try Thumbnail.make(input, header, box: box, limits: limits, isCancelled: isCancelled)
      return .file(try Encoder.file(made.pixels, format, quality: quality), made.pixels.size)
    case .area(let area, let eighths):
      return .pixels(
        try Decoder.area(input, header, area, eighths: eighths, limits: limits, isCancelled: isCancelled),
        isDamaged: false)
    case .copy(let maxEdge, let format, let quality):
      let size = maxEdge.map { header.size.fitted(into: PixelSize(width: $0, height: $0)) } ?? header.size
      let picture = try Decoder.decode(
        input, header, atLeast: size == header.size ? nil : size, limits: limits, isCancelled: isCancelled)
      if picture.isDamaged { throw .corrupt("a part of it is missing or cannot be read") }
      let pixels = try Resampler.resize(picture.pixels, to: size, isCancelled: isCancelled)
      return .file(try Encoder.file(pixels, format, quality: quality), size)
    }
  }

  /// True if a result of this work may have that size.
  public func mayGive(_ size: PixelSize, limits: PictureLimits) -> Bool {
    guard size.width > 0, size.height > 0, size.width <= limits.maxSide, size.height <= limits.maxSide,
      size.width * size.height <= limits.maxPixels
    else { return false }
    func fits(_ box: PixelSize) -> Bool { size.width <= max(1, box.width) && size.height <= max(1, box.height) }
    return switch self {
    case .decode: true
    case .thumbnail(let box), .thumbnailFile(let box, _, _): fits(box)
    case .area(let area, _): size == PixelSize(width: area.width, height: area.height)
    case .check: false
    case .copy(let maxEdge, _, _): maxEdge.map { fits(PixelSize(width: $0, height: $0)) } ?? true
    }
  }
}

public enum PictureResult: Sendable, Equatable {
  /// Upright, and over the background if transparent. Damaged: some pixels are made up.
  case pixels(Pixels, isDamaged: Bool)
  case file([UInt8], PixelSize)
  case checked
}

extension Encoder {
  /// - Throws: as `jpeg`, `png` and `webP`; `unsupported` for a GIF.
  static func file(_ pixels: Pixels, _ format: PictureFormat, quality: Int?) throws(ImageError) -> [UInt8] {
    switch format {
    case .jpeg: try jpeg(pixels, quality: quality ?? 90)
    case .png: try png(pixels)
    case .webp: try webP(pixels, quality: quality)
    case .gif, .heic, .avif: throw .unwritten
    }
  }
}
