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
      } else if reader.has(Array("VP8 ".utf8), at: at) {
        guard part.has([0x9D, 0x01, 0x2A], at: 3), let width = part.short(6), let height = part.short(8) else { break }
        header =
          header
          ?? PictureHeader(
            format: .webp, storedSize: PixelSize(width: width & 0x3FFF, height: height & 0x3FFF))
        facts.isSettled = true
      } else if reader.has(Array("VP8L".utf8), at: at) {
        guard part.byte(0) == 0x2F, let bits = part.long(1) else { break }
        header =
          header
          ?? PictureHeader(
            format: .webp, storedSize: PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1))
        facts.isLossless = true
        facts.isSettled = true
        if bits >> 28 & 1 != 0 { facts.hasAlpha = true }
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
}
