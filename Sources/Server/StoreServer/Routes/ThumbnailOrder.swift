import Decoding
import Imaging

/// The parameters of a thumbnail: the API's `ThumbnailV2Arg` and `ThumbnailArg`.
struct ThumbnailOrder: Sendable {
  static let largestFile: UInt64 = 20 << 20
  private static let sizes: [String: (Int, Int)] = [
    "w32h32": (32, 32), "w64h64": (64, 64), "w128h128": (128, 128), "w256h256": (256, 256), "w480h320": (480, 320),
    "w640h480": (640, 480), "w960h640": (960, 640), "w1024h768": (1024, 768), "w2048h1536": (2048, 1536),
    "w3200h2400": (3200, 2400),
  ]
  /// The relation of the thumbnail to the requested box. Pictures are never enlarged.
  private enum Mode: String, CaseIterable {
    case strict
    /// Fits into the box or the box turned by 90°, whichever gives the larger thumbnail.
    case bestfit
    /// Covers the box or the box turned by 90°, whichever gives the smaller thumbnail.
    case covering = "fitone_bestfit"
    case original
  }

  private let format: String
  private let box: PixelSize
  private let mode: Mode
  private let quality: Int
  let tellsOfMedia: Bool

  init(_ argument: Argument) throws(APIFailure) {
    format = try argument.tag("format", among: ["jpeg", "png", "webp"], default: "jpeg").0
    let size = try argument.tag("size", among: Array(ThumbnailOrder.sizes.keys), default: "w64h64").0
    let (width, height) = ThumbnailOrder.sizes[size] ?? (64, 64)
    box = PixelSize(width: width, height: height)
    let mode = try argument.tag("mode", among: Mode.allCases.map(\.rawValue), default: Mode.strict.rawValue).0
    self.mode = Mode(rawValue: mode) ?? .strict
    tellsOfMedia = try !argument.bool("exclude_media_info", default: false)
    guard try !argument.bool("preserve_transparency", default: false) else {
      throw argument.fault("preserve_transparency", "this server draws thumbnails on a plain ground")
    }
    quality =
      try argument.tag("quality", among: ["quality_80", "quality_90"], default: "quality_80").0 == "quality_90"
      ? 90 : 80
  }

  var type: String { "image/" + format }

  static func isSupported(_ name: String) -> Bool { PictureFormat.named(name) != nil }

  /// The cost limits of one picture; all members share the server.
  static let limits = PictureLimits(
    maxMemoryBytes: 320 << 20, maxScanWork: 1_500_000_000, maxSeconds: 3)

  /// Turns the picture upright; a smaller picture keeps its size.
  func make(of bytes: [UInt8], by decoder: any PictureDecoding) async throws(ImageError) -> [UInt8] {
    let header = try PictureHeader.read(bytes)
    let work = PictureWork.thumbnailFile(
      box: box(for: header.size), format: PictureFormat(rawValue: format) ?? .jpeg, quality: quality)
    return try await decoder.file(
      work, of: try PictureContent(bytes), orientation: header.orientation, limits: ThumbnailOrder.limits
    ).bytes
  }

  private func box(for size: PixelSize) -> PixelSize {
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
