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
  private let format: String
  private let box: PixelSize
  private let quality: Int

  init(_ argument: Argument) throws(APIFailure) {
    format = try argument.tag("format", among: ["jpeg", "png", "webp"], default: "jpeg").0
    let size = try argument.tag("size", among: Array(ThumbnailOrder.sizes.keys), default: "w64h64").0
    let (width, height) = ThumbnailOrder.sizes[size] ?? (64, 64)
    box = PixelSize(width: width, height: height)
    _ = try argument.tag("mode", among: ["strict", "bestfit", "fitone_bestfit", "original"], default: "strict")
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

  /// Makes the picture, turned as it is to be shown; a picture that is smaller keeps its size. Blocks.
  func make(of bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    let pixels = try Thumbnail.make(bytes, box: box).pixels
    switch format {
    case "png": return try Encoder.png(pixels)
    case "webp": return try Encoder.webP(pixels, quality: quality)
    default: return try Encoder.jpeg(pixels, quality: quality)
    }
  }
}
