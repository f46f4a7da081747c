extension PictureHeader {
  private static let maxChunks = 100_000

  /// Walks over the chunks (PNG, third edition, section 5.3); the decoder checks their checksums.
  static func readPNG(_ reader: ByteReader) throws(ImageError) -> PictureHeader {
    guard reader.long(8) == 13, reader.has(Array("IHDR".utf8), at: 12), let width = reader.long(16),
      let height = reader.long(20), let depth = reader.byte(24), let colour = reader.byte(25),
      let interlace = reader.byte(28)
    else { throw .endsEarly }
    guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height) else {
      throw .corrupt("its size is zero or too large")
    }
    var header = PictureHeader(format: .png, storedSize: PixelSize(width: width, height: height))
    header.isProgressive = interlace == 1
    header.hasAlpha = colour == 4 || colour == 6
    header.bitsPerSample = depth
    header.isGrey = colour == 0 || colour == 4
    header.isSettled = true
    var at = 33
    for _ in 0..<maxChunks {
      guard let length = reader.long(at), let kind = reader.long(at + 4), let body = reader.slice(at + 8, length)
      else { break }
      switch kind {
      case 0x6558_4966: header.take(exif: body, at: at + 8)  // eXIf
      case 0x6954_5874: header.takePNGText(body)  // iTXt
      case 0x7452_4E53: header.hasAlpha = true  // tRNS
      case 0x4945_4E44: return header  // IEND
      default: break
      }
      at += 12 + length
    }
    return header
  }

  /// iTXt: keyword, NUL, compressed?, method, language, NUL, translated keyword, NUL, text.
  private mutating func takePNGText(_ body: UnsafeRawBufferPointer) {
    let keyword = Array("XML:com.adobe.xmp\0".utf8)
    let reader = ByteReader(body)
    guard panorama == nil, reader.has(keyword, at: 0), reader.byte(keyword.count) == 0 else { return }
    var at = keyword.count + 2
    for _ in 0..<2 {
      while let byte = reader.byte(at), byte != 0 { at += 1 }
      at += 1
    }
    if let packet = reader.slice(at, body.count) { panorama = XMPReader.panorama(in: packet) }
  }
}
