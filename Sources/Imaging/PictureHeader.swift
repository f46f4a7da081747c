/// What a picture file says about itself, read without decoding it. Everything is range checked; reading takes well
/// under a millisecond and allocates next to nothing.
public struct PictureHeader: Sendable, Equatable {
  /// How many bytes from the start of a file are nearly always enough for `read`.
  public static let usualPrefix = 256 * 1024

  /// The file's kind.
  public let format: PictureFormat
  /// The size as stored, before `orientation` is applied. Both sides are at least 1.
  public internal(set) var storedSize: PixelSize
  /// How it is to be turned.
  public internal(set) var orientation: Orientation = .upright
  /// JPEG: several scans, or not baseline; PNG: interlaced. Such a picture costs more to decode.
  public internal(set) var isProgressive = false
  /// True when parts of it may be see-through.
  public internal(set) var hasAlpha = false
  /// Where in the file a small JPEG of the picture lies (EXIF); it may be stale or have black bars.
  public internal(set) var thumbnail: Range<Int>?
  /// What it says about itself as a panorama.
  public internal(set) var panorama: PanoramaFacts?
  /// When it was taken.
  public internal(set) var captured: CaptureDate?
  /// Who made the camera. Text of the file: show it with care.
  public internal(set) var cameraMake: String?
  /// The camera. Text of the file: show it with care.
  public internal(set) var cameraModel: String?
  /// True when it tells where it was taken.
  public internal(set) var hasPosition = false

  var jpeg: JPEGFacts?
  var isLossless = false
  var isMoving = false
  var bitsPerSample = 8
  /// Whether all that decoding depends on was among the bytes that were read.
  var isSettled = false

  init(format: PictureFormat, storedSize: PixelSize) {
    self.format = format
    self.storedSize = storedSize
  }

  /// The size as it is to be shown.
  public var size: PixelSize { orientation.apply(to: storedSize) }

  /// Reads the header from the first bytes of a file, or from all of them. With less than the whole file, facts that
  /// stand further behind are missing (WebP keeps its EXIF at the end).
  /// - Throws: `notAPicture`; `corrupt` when the size is not among these bytes; `unsupported`.
  public static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> PictureHeader {
    switch PictureFormat.recognise(bytes) {
    case .jpeg: return try readJPEG(ByteReader(bytes))
    case .png: return try readPNG(ByteReader(bytes))
    case .webp: return try readWebP(ByteReader(bytes, littleEndian: true))
    case nil:
      throw ImageError(
        .notAPicture, bytes.isEmpty ? "The file is empty." : "The file is not a JPEG, PNG or WebP picture.",
        remedy: "Convert it to one of these.")
    }
  }

  /// The same, from an array.
  /// - Throws: as the other.
  public static func read(_ bytes: [UInt8]) throws(ImageError) -> PictureHeader {
    try bytes.withUnsafeBufferPointer { (buffer) throws(ImageError) in try read(UnsafeRawBufferPointer(buffer)) }
  }

  /// The same, from as much of the start of a file as it takes to know all that decoding depends on.
  /// - Throws: as the other.
  static func read(_ input: PictureInput) throws(ImageError) -> PictureHeader {
    var length = usualPrefix
    while true {
      let isAll = length >= input.count
      // Real headers, with depth maps and sound in them, have some megabytes.
      guard min(length, input.count) <= 64 * usualPrefix else { throw .corrupt("its picture begins too late") }
      do throws(ImageError) {
        let header = try read(input.prefix(length))
        if header.isSettled || isAll { return header }
      } catch {
        guard error == .endsEarly, !isAll else { throw error }
      }
      length *= 4
    }
  }

  mutating func take(exif data: UnsafeRawBufferPointer, at offset: Int?) {
    let exif = ExifReader(data)
    orientation = exif.orientation ?? orientation
    captured = exif.captured ?? captured
    cameraMake = exif.make ?? cameraMake
    cameraModel = exif.model ?? cameraModel
    hasPosition = exif.hasPosition || hasPosition
    if let offset, let range = exif.thumbnail {
      thumbnail = (range.lowerBound + offset)..<(range.upperBound + offset)
    }
  }
}
