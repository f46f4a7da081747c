extension PictureHeader {
  private static let maxChunks = 100_000

  /// Walks over the RIFF chunks (https://developers.google.com/speed/webp/docs/riff_container).
  static func readWebP(_ reader: ByteReader) throws(ImageError) -> PictureHeader {
    var header: PictureHeader?
    var facts = PictureHeader(format: .webp, storedSize: PixelSize(width: 1, height: 1))
    var at = 12
    for _ in 0..<maxChunks {
      guard let length = reader.long(at + 4), let body = reader.slice(at + 8, length) else { break }
      let part = ByteReader(body, littleEndian: true)
      if reader.has(Array("VP8X".utf8), at: at), header == nil {
        guard let flags = part.byte(0), let width = part.number(4, 3), let height = part.number(7, 3) else { break }
        header = PictureHeader(format: .webp, storedSize: PixelSize(width: width + 1, height: height + 1))
        facts.isMoving = flags & 0x02 != 0
        facts.hasAlpha = flags & 0x10 != 0
      } else if reader.has(Array("VP8 ".utf8), at: at) || reader.has(Array("VP8L".utf8), at: at) {
        guard let stream = stream(reader, at) else { break }
        header = header ?? PictureHeader(format: .webp, storedSize: stream.size)
        facts.isLossless = stream.isLossless
        facts.hasAlpha = stream.hasAlpha || facts.hasAlpha
        facts.isSettled = true
      } else if reader.has(Array("ANMF".utf8), at: at), facts.frame == nil, let canvas = header?.storedSize {
        guard let frame = WebPFrame(part, at: at + 8, length, canvas) else { break }
        facts.frame = frame
        facts.isSettled = true
      } else if reader.has(Array("ICCP".utf8), at: at) {
        facts.profile = (at + 8)..<(at + 8 + length)
      } else if reader.has(Array("EXIF".utf8), at: at) {
        let skip = part.has(Array("Exif\0\0".utf8), at: 0) ? 6 : 0
        if let data = part.slice(skip, body.count) { facts.take(exif: data, at: at + 8 + skip) }
      } else if reader.has(Array("XMP ".utf8), at: at) {
        facts.take(XMPReader(body))
      }
      at += 8 + length + length & 1
    }
    guard let header, header.storedSize.width > 0, header.storedSize.height > 0 else {
      throw .endsEarly
    }
    facts.storedSize = header.storedSize
    return facts
  }
  /// The head of an image in a chunk `VP8 ` or `VP8L`.
  fileprivate static func stream(
    _ reader: ByteReader, _ at: Int
  ) -> (size: PixelSize, isLossless: Bool, hasAlpha: Bool)? {
    guard let length = reader.long(at + 4), let body = reader.slice(at + 8, length) else { return nil }
    let part = ByteReader(body, littleEndian: true)
    if reader.has(Array("VP8 ".utf8), at: at) {
      guard part.has([0x9D, 0x01, 0x2A], at: 3), let width = part.short(6), let height = part.short(8) else {
        return nil
      }
      return (PixelSize(width: width & 0x3FFF, height: height & 0x3FFF), false, false)
    }
    guard reader.has(Array("VP8L".utf8), at: at), part.byte(0) == 0x2F, let bits = part.long(1) else { return nil }
    return (PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1), true, bits >> 28 & 1 != 0)
  }
}

/// The first frame of a moving WebP.
struct WebPFrame: Sendable, Equatable {
  /// Within the whole picture.
  let rect: PixelRect
  /// In the file: its chunks `ALPH`, `VP8 ` or `VP8L`.
  let data: Range<Int>
  let isLossless: Bool
  let hasAlpha: Bool

  var size: PixelSize { PixelSize(width: rect.width, height: rect.height) }

  /// nil if the frame is damaged, or `part` ends before its head.
  /// - Parameter part: the body of its chunk, which begins at `start` in the file.
  init?(_ part: ByteReader, at start: Int, _ length: Int, _ canvas: PixelSize) {
    guard let left = part.number(0, 3), let top = part.number(3, 3), let width = part.number(6, 3),
      let height = part.number(9, 3)
    else { return nil }
    rect = PixelRect(x: 2 * left, y: 2 * top, width: width + 1, height: height + 1)
    data = (start + 16)..<(start + max(16, length))
    var at = 16
    let alpha = part.has(Array("ALPH".utf8), at: at) ? part.long(at + 4) : nil
    if let alpha { at += 8 + alpha + alpha & 1 }
    guard let stream = PictureHeader.stream(part, at), stream.size == PixelSize(width: width + 1, height: height + 1),
      rect.x + rect.width <= canvas.width,
      rect.y + rect.height <= canvas.height
    else { return nil }
    isLossless = stream.isLossless
    hasAlpha = stream.hasAlpha || alpha != nil
  }
}
