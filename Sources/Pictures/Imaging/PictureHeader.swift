/// Metadata, read without decoding. Everything is range checked; reading takes well under a millisecond and allocates
/// next to nothing.
public struct PictureHeader: Sendable, Equatable {
  /// Bytes from the start of a file that nearly always suffice for `read`.
  public static let usualPrefix = 256 * 1024

  public let format: PictureFormat
  /// Before `orientation` is applied. Both sides are at least 1.
  public internal(set) var storedSize: PixelSize
  public internal(set) var orientation: Orientation = .upright
  /// JPEG: several scans, or not baseline; PNG and GIF: interlaced. Such a picture costs more to decode.
  public internal(set) var isProgressive = false
  public internal(set) var hasAlpha = false
  /// The range of a small JPEG (EXIF); it may be stale or have black bars.
  public internal(set) var thumbnail: Range<Int>?
  /// Of a small picture of the same shape in a HEIF file.
  public var embeddedSize: PixelSize? { heif?.small?.size }
  public internal(set) var panorama: PanoramaFacts?
  /// By EXIF, else by XMP, else by GPS, else when the file was last changed.
  public var captured: CaptureDate? { (taken ?? written)?.zoned(by: located) ?? located ?? modified }
  /// From the file, like `cameraModel`: show it with care.
  public internal(set) var cameraMake: String?
  public internal(set) var cameraModel: String?
  public internal(set) var hasPosition = false
  /// nil also for a position that cannot be.
  public internal(set) var position: PicturePosition?
  public internal(set) var focalLengthMillimetres: Double?
  /// The focal length that gives the same field of view on 35 mm film.
  public internal(set) var focalLength35Millimetres: Double?
  /// Compass direction of the camera, 0 to 360.
  public internal(set) var imageDirectionDegrees: Double?
  public internal(set) var panoramaMark: PanoramaMark?
  /// From the file, like `cameraModel`.
  public internal(set) var lens: String?
  public internal(set) var exposure = Exposure()
  /// A film follows the picture, of so many bytes as the file says, which may be wrong.
  public internal(set) var hasFilm = false
  public internal(set) var filmBytes: Int?

  private var taken: CaptureDate?
  private var located: CaptureDate?
  /// By XMP.
  private var written: CaptureDate?
  private var modified: CaptureDate?
  var jpeg: JPEGFacts?
  var isLossless = false
  var hasGainMap = false
  /// JPEG: an index of further pictures in the file (CIPA DC-007).
  var hasFurtherPictures = false
  /// An animation, of which the first frame is shown.
  var isMoving = false
  /// WebP: the one that is shown of an animation.
  var frame: WebPFrame?
  /// GIF: of the first frame.
  var framePixels = 0
  /// WebP: a colour profile.
  var profile: Range<Int>?
  var heif: HEIFFacts?
  var bitsPerSample = 8
  /// The bytes read contain everything that decoding depends on.
  var isSettled = false

  init(format: PictureFormat, storedSize: PixelSize) {
    self.format = format
    self.storedSize = storedSize
  }

  /// Further parts of the file, in words; the first picture of it is shown.
  public var partsNotShown: [String] {
    [
      (isMoving, "all frames but the first"), (hasFilm, "the film of a motion photo"), (hasGainMap, "an HDR gain map"),
      (hasFurtherPictures && !hasGainMap, "further pictures"), (heif?.hasDepthMap == true, "a depth map"),
    ].filter(\.0).map(\.1)
  }

  public var size: PixelSize { orientation.apply(to: storedSize) }

  /// Reads the first bytes of a file, or all of them. Facts beyond these are missing (WebP keeps its EXIF at the end).
  /// - Throws: `notAPicture`; `corrupt` if the size is not among these bytes; `unsupported`.
  public static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> PictureHeader {
    switch PictureFormat.recognise(bytes) {
    case .jpeg: return try readJPEG(ByteReader(bytes))
    case .png: return try readPNG(ByteReader(bytes))
    case .webp: return try readWebP(ByteReader(bytes, littleEndian: true))
    case .gif: return try readGIF(ByteReader(bytes, littleEndian: true))
    case .heic: return try readHEIF(ByteReader(bytes), .heic)
    case .avif: return try readHEIF(ByteReader(bytes), .avif)
    case nil:
      throw ImageError(
        .notAPicture,
        bytes.isEmpty ? "The file is empty." : "The file is not a JPEG, PNG, WebP, GIF, HEIC or AVIF picture.",
        remedy: bytes.isEmpty ? "Copy it again from the camera or the original." : "Convert it to one of these.")
    }
  }

  /// - Throws: as the other `read`.
  public static func read(_ bytes: [UInt8]) throws(ImageError) -> PictureHeader {
    try bytes.withUnsafeBufferPointer { (buffer) throws(ImageError) in try read(UnsafeRawBufferPointer(buffer)) }
  }

  /// Reads as long a prefix as decoding depends on.
  /// - Throws: as the other `read`.
  public static func beginning(of input: PictureInput) throws(ImageError) -> PictureHeader {
    var length = usualPrefix
    while true {
      let isAll = length >= input.count
      // Real headers, with depth maps and sound in them, take some megabytes.
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

  mutating func take(_ xmp: XMPReader) {
    panorama = panorama ?? xmp.panorama
    written = written ?? xmp.captured
    hasFilm = hasFilm || xmp.hasFilm
    filmBytes = filmBytes ?? xmp.filmBytes
    hasGainMap = hasGainMap || xmp.hasGainMap
  }

  mutating func take(exif data: UnsafeRawBufferPointer, at offset: Int?) {
    let exif = ExifReader(data)
    orientation = exif.orientation ?? orientation
    taken = exif.captured ?? taken
    modified = exif.modified ?? modified
    cameraMake = exif.make ?? cameraMake
    cameraModel = exif.model ?? cameraModel
    hasPosition = exif.hasPosition || hasPosition
    position = exif.position ?? position
    focalLengthMillimetres = exif.focalLengthMillimetres ?? focalLengthMillimetres
    focalLength35Millimetres = exif.focalLength35Millimetres ?? focalLength35Millimetres
    imageDirectionDegrees = exif.imageDirectionDegrees ?? imageDirectionDegrees
    lens = exif.lens ?? lens
    if exif.exposure != Exposure() { exposure = exif.exposure }
    located = exif.located ?? located
    if exif.customRendered == 6 { panoramaMark = .customRendered }
    if let offset, let range = exif.thumbnail {
      thumbnail = (range.lowerBound + offset)..<(range.upperBound + offset)
    }
  }
}

public enum PictureFormat: String, Sendable, CaseIterable {
  case jpeg
  case png
  case webp
  case gif
  /// With HEVC or another coding in it, but for AV1.
  case heic
  case avif

  /// Those that byteclub writes, too.
  public static let written: [PictureFormat] = [.jpeg, .png, .webp]

  /// True for what libheif reads.
  public var isHEIF: Bool { self == .heic || self == .avif }

  /// The first 12 bytes suffice.
  public static func recognise(_ bytes: UnsafeRawBufferPointer) -> PictureFormat? {
    let reader = ByteReader(bytes)
    if reader.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
    if reader.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
    if reader.has(Array("RIFF".utf8), at: 0), reader.has(Array("WEBP".utf8), at: 8) { return .webp }
    if reader.has(Array("GIF87a".utf8), at: 0) || reader.has(Array("GIF89a".utf8), at: 0) { return .gif }
    if reader.has(Array("ftyp".utf8), at: 4) { return reader.fourLetters(8).flatMap { heifBrands[$0] } }
    return nil
  }

  /// HEIF's main brands. That of any coding is rare with AV1.
  private static let heifBrands: [String: PictureFormat] = [
    "heic": .heic, "heix": .heic, "heim": .heic, "heis": .heic, "hevc": .heic, "hevx": .heic, "mif1": .heic,
    "mif2": .heic, "msf1": .heic, "avif": .avif, "avis": .avif,
  ]

  /// In small letters.
  public static let endings: KeyValuePairs<String, PictureFormat> = [
    "jpg": .jpeg, "jpeg": .jpeg, "png": .png, "webp": .webp, "gif": .gif, "jfif": .jpeg, "jpe": .jpeg, "heic": .heic,
    "heif": .heic, "avif": .avif, "hif": .heic, "heics": .heic, "heifs": .heic, "avifs": .avif,
  ]

  /// By the extension in any case, one of `endings`. A name is no proof: `recognise` checks the bytes.
  public static func named(_ fileName: String) -> PictureFormat? { named(Array(fileName.utf8)[...]) }

  public static func named(_ fileName: ArraySlice<UInt8>) -> PictureFormat? {
    guard let dot = fileName.lastIndex(of: UInt8(ascii: ".")), dot != fileName.startIndex else { return nil }
    let ending = fileName[(dot + 1)...].lazy.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    return endings.first { ending.elementsEqual($0.key.utf8) }?.value
  }
}
