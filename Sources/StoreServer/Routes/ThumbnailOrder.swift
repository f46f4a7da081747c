import FileStores
import Imaging

/// Which small picture of a file is wanted: the API's `ThumbnailV2Arg` and `ThumbnailArg`.
struct ThumbnailOrder: Sendable {
  static let largestFile: UInt64 = 20 << 20
  private static let endings = ["jpg", "jpeg", "png", "webp"]
  private static let sizes: [String: (Int, Int)] = [
    "w32h32": (32, 32), "w64h64": (64, 64), "w128h128": (128, 128), "w256h256": (256, 256), "w480h320": (480, 320),
    "w640h480": (640, 480), "w960h640": (960, 640), "w1024h768": (1024, 768), "w2048h1536": (2048, 1536),
    "w3200h2400": (3200, 2400),
  ]
  /// What the size of the small picture has to do with the box that is asked for. No picture is ever made larger.
  private enum Mode: String, CaseIterable {
    /// It fits into the box.
    case strict
    /// It fits into the box, or into the box turned by a quarter, whichever it is larger in.
    case bestfit
    /// It covers the box, or the box turned by a quarter, whichever it is smaller for.
    case covering = "fitone_bestfit"
    /// It is the picture's own.
    case original
  }

  private let format: String
  private let box: PixelSize
  private let mode: Mode
  private let quality: Int

  init(_ argument: Argument) throws(APIFailure) {
    format = try argument.tag("format", among: ["jpeg", "png", "webp"], default: "jpeg").0
    let size = try argument.tag("size", among: Array(ThumbnailOrder.sizes.keys), default: "w64h64").0
    let (width, height) = ThumbnailOrder.sizes[size] ?? (64, 64)
    box = PixelSize(width: width, height: height)
    let mode = try argument.tag("mode", among: Mode.allCases.map(\.rawValue), default: Mode.strict.rawValue).0
    self.mode = Mode(rawValue: mode) ?? .strict
    quality =
      try argument.tag("quality", among: ["quality_80", "quality_90"], default: "quality_80").0 == "quality_90"
      ? 90 : 80
  }

  var type: String { "image/" + format }

  /// False for files that no picture is made of.
  static func isSupported(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return endings.contains(name[name.index(after: dot)...].lowercased())
  }

  /// What one picture may cost the server, which makes them for all members.
  private static let limits = PictureLimits(maxMemoryBytes: 320 << 20, maxScanWork: 1_500_000_000)

  /// Makes the picture, turned as it is to be shown; a picture that is smaller keeps its size. Blocks.
  /// - Parameter end: when it is given up.
  func make(of bytes: [UInt8], until end: ContinuousClock.Instant) throws(ImageError) -> [UInt8] {
    let pixels = try Thumbnail.make(
      bytes, box: try box(for: bytes), limits: ThumbnailOrder.limits, isCancelled: { ContinuousClock.now >= end }
    ).pixels
    switch format {
    case "png": return try Encoder.png(pixels)
    case "webp": return try Encoder.webP(pixels, quality: quality)
    default: return try Encoder.jpeg(pixels, quality: quality)
    }
  }

  /// The box that the small picture is to fit into.
  private func box(for bytes: [UInt8]) throws(ImageError) -> PixelSize {
    if mode == .strict { return box }
    let size = try PictureHeader.read(bytes).size
    let turned = PixelSize(width: box.height, height: box.width)
    switch mode {
    case .strict: return box
    case .original: return size
    case .bestfit:
      return ThumbnailOrder.scale(size, into: turned) > ThumbnailOrder.scale(size, into: box) ? turned : box
    case .covering:
      let scale = min(ThumbnailOrder.scale(size, over: box), ThumbnailOrder.scale(size, over: turned), 1)
      return PixelSize(
        width: max(1, Int((Double(size.width) * scale).rounded())),
        height: max(1, Int((Double(size.height) * scale).rounded())))
    }
  }

  private static func scale(_ size: PixelSize, into box: PixelSize) -> Double {
    min(Double(box.width) / Double(size.width), Double(box.height) / Double(size.height))
  }

  private static func scale(_ size: PixelSize, over box: PixelSize) -> Double {
    max(Double(box.width) / Double(size.width), Double(box.height) / Double(size.height))
  }
}
