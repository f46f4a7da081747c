import CImaging

/// Calls block. Sizes, scans and memory are checked by the header before any allocation for the picture.
public enum Decoder {
  /// The background of transparent pictures, 0xRRGGBB: a grey that contrasts with dark and light drawings.
  public static let background: UInt32 = 0x808080

  /// - Parameter bytes: the whole file, unchanged meanwhile.
  /// - Parameter atLeast: the least size of both sides as shown, after orientation; nil for full size. JPEG is scaled
  ///   by n/8, others to just cover that size; a picture is never enlarged.
  /// - Parameter isCancelled: called on the calling thread every few milliseconds.
  /// - Throws: every kind of `ImageError`. A truncated picture is no error if a part of it is present: see
  ///   `DecodedPicture.isDamaged`.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, atLeast: PixelSize? = nil, limits: PictureLimits = PictureLimits(),
    isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> DecodedPicture {
    try decode(
      PictureInput(bytes), try PictureHeader.read(bytes), atLeast: atLeast, limits: limits, isCancelled: isCancelled)
  }

  /// - Parameter header: of the picture, with its orientation.
  /// - Throws: as the other `decode`.
  static func decode(
    _ input: PictureInput, _ header: PictureHeader, atLeast: PixelSize?, limits: PictureLimits,
    isCancelled: () -> Bool
  ) throws(ImageError) -> DecodedPicture {
    try limits.check(header.storedSize)
    if isCancelled() { throw .cancelled }
    let wanted = atLeast.map { header.orientation.apply(to: $0) }
    let (stored, isDamaged) =
      switch header.format {
      case .jpeg: try jpeg(input, header, wanted, limits, isCancelled)
      case .png: try png(input, header, wanted, limits, isCancelled)
      case .webp: try webP(input, header, wanted, limits, isCancelled)
      case .gif: try gif(input, header, wanted, limits, isCancelled)
      case .heic, .avif: (try heif(input, header, wanted, limits, isCancelled), false)
      }
    if isCancelled() { throw .cancelled }
    return DecodedPicture(pixels: stored.oriented(header.orientation), header: header, isDamaged: isDamaged)
  }

  /// - Throws: as the other `decode`.
  public static func decode(
    _ bytes: [UInt8], atLeast: PixelSize? = nil, limits: PictureLimits = PictureLimits(),
    isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> DecodedPicture {
    try bytes.withUnsafeBufferPointer { (buffer) throws(ImageError) in
      try decode(UnsafeRawBufferPointer(buffer), atLeast: atLeast, limits: limits, isCancelled: isCancelled)
    }
  }

  /// Decodes the whole file piece by piece at its smallest scale to detect damage. Returns the header's part before the
  /// picture data.
  /// Memory depends on the kind and size of the picture, not on the length of the file (except for WebP, which is held
  /// whole).
  /// - Throws: as `decode`, and `corrupt` if a part is missing or damaged.
  public static func check(
    _ input: PictureInput, limits: PictureLimits = PictureLimits(), isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> PictureHeader {
    let picture = try decode(
      input, try PictureHeader.beginning(of: input), atLeast: PixelSize(width: 1, height: 1), limits: limits,
      isCancelled: isCancelled)
    if picture.isDamaged { throw .corrupt("a part of it is missing or cannot be read") }
    return picture.header
  }

  /// False without littleCMS: colours are shown as they are stored.
  public static var hasColourProfiles: Bool { ci_load_colours() != 0 }

  /// Loads the library that colour profiles need, and uses it once: a locked process cannot do that later.
  package static func warmUpColours() {
    guard var file = (try? Encoder.png(Pixels(width: 1, height: 1))).flatMap({ try? PictureChunks(png: $0) }) else {
      return
    }
    file.chunks.insert(PictureChunks.Chunk(kind: "gAMA", body: [0x00, 0x01, 0x86, 0xA0]), at: 1)
    _ = try? decode(file.pngBytes)
  }

  static func error(_ status: Int, _ message: ShimMessage, needed: Int) -> ImageError {
    switch status {
    case CI_NO_MEMORY: .memory(needed)
    case CI_UNSUPPORTED:
      ImageError(.unsupported, "byteclub cannot read the picture: \(message.text).", remedy: "Save it as plain JPEG.")
    default: .corrupt(message.text)
    }
  }
}

public struct DecodedPicture: Sendable {
  /// Oriented, and over the background if transparent.
  public let pixels: Pixels
  public let header: PictureHeader
  /// Truncated or damaged: some pixels are made up.
  public let isDamaged: Bool
}

struct ShimMessage {
  private var bytes = [CChar](repeating: 0, count: CI_MESSAGE_SIZE)

  mutating func fill<R>(_ body: (UnsafeMutablePointer<CChar>?) -> R) -> R {
    bytes.withUnsafeMutableBufferPointer { body($0.baseAddress) }
  }

  /// Printable ASCII, without a trailing full stop.
  var text: String {
    var words = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.filter { (0x20...0x7E).contains($0) }
    while words.last == UInt8(ascii: ".") || words.last == UInt8(ascii: " ") { words.removeLast() }
    return words.isEmpty ? "the data cannot be decoded" : String(decoding: words, as: UTF8.self)
  }
}
