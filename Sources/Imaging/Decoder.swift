import CImaging

/// Decodes pictures. Synchronous: call it where blocking is allowed. Sizes, scans and memory are checked
/// by the header before anything is allocated for the picture.
public enum Decoder {
  /// What see-through pictures are laid over, 0xRRGGBB: a grey that both dark and light drawings stand out from.
  public static let background: UInt32 = 0x808080

  /// Decodes a whole file.
  /// - Parameters:
  ///   - bytes: all bytes of the file; they must not change meanwhile.
  ///   - atLeast: nil for every pixel; else the picture may come out smaller, with both sides at least these (as
  ///     shown, after turning) unless the picture itself is smaller. JPEG is scaled by n/8 while decoding, PNG and
  ///     WebP to just cover that size.
  ///   - limits: what the picture may ask for.
  ///   - isCancelled: asked from the calling thread every few milliseconds.
  /// - Throws: every kind of `ImageError`. A picture that ends early is no error when at least a part of it is there:
  ///   see `DecodedPicture.isDamaged`.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, atLeast: PixelSize? = nil, limits: PictureLimits = PictureLimits(),
    isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> DecodedPicture {
    try decode(PictureInput(bytes), try PictureHeader.read(bytes), atLeast, limits, isCancelled)
  }

  private static func decode(
    _ input: PictureInput, _ header: PictureHeader, _ atLeast: PixelSize?, _ limits: PictureLimits,
    _ isCancelled: () -> Bool
  ) throws(ImageError) -> DecodedPicture {
    try limits.check(header.storedSize)
    if isCancelled() { throw .cancelled }
    let wanted = atLeast.map { header.orientation.apply(to: $0) }
    let (stored, isDamaged) =
      switch header.format {
      case .jpeg: try jpeg(input, header, wanted, limits, isCancelled)
      case .png: try png(input, header, wanted, limits, isCancelled)
      case .webp: try webP(input, header, wanted, limits, isCancelled)
      }
    if isCancelled() { throw .cancelled }
    return DecodedPicture(pixels: stored.oriented(header.orientation), header: header, isDamaged: isDamaged)
  }

  /// The same, from an array.
  /// - Throws: as the other.
  public static func decode(
    _ bytes: [UInt8], atLeast: PixelSize? = nil, limits: PictureLimits = PictureLimits(),
    isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> DecodedPicture {
    try bytes.withUnsafeBufferPointer { (buffer) throws(ImageError) in
      try decode(UnsafeRawBufferPointer(buffer), atLeast: atLeast, limits: limits, isCancelled: isCancelled)
    }
  }

  /// Decodes the whole file at its smallest scale, piece by piece, to tell a sound picture from a broken one.
  ///
  /// Memory: what a picture of this kind and size needs, however long the file is (a WebP is held whole).
  /// - Returns: what stands before the picture itself; facts behind it are missing.
  /// - Throws: as `decode`, and `corrupt` when a part is missing or damaged.
  public static func check(
    _ input: PictureInput, limits: PictureLimits = PictureLimits(), isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> PictureHeader {
    let picture = try decode(
      input, try PictureHeader.read(input), PixelSize(width: 1, height: 1), limits, isCancelled)
    if picture.isDamaged { throw .corrupt("a part of it is missing or cannot be read") }
    return picture.header
  }

  /// The error for a status of the C shim, with the library's words.
  static func error(_ status: Int, _ message: ShimMessage, needed: Int) -> ImageError {
    switch status {
    case CI_NO_MEMORY: .memory(needed)
    case CI_UNSUPPORTED:
      ImageError(.unsupported, "byteclub cannot read the picture: \(message.text).", remedy: "Save it as plain JPEG.")
    default: .corrupt(message.text)
    }
  }
}
