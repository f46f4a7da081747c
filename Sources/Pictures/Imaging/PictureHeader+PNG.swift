import CImaging

extension PictureHeader {
  private static let maxChunks = 100_000
  private static let maxPackets = 8

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
    header.isSettled = true
    var packets = 0
    var at = 33
    for _ in 0..<maxChunks {
      guard let length = reader.long(at), let kind = reader.long(at + 4), let body = reader.slice(at + 8, length)
      else { break }
      switch kind {
      case 0x6558_4966: header.take(exif: body, at: at + 8)  // eXIf
      case 0x6954_5874 where packets < maxPackets:  // iTXt
        guard let packet = packet(ofPNGText: body) else { break }
        packets += 1
        header.take(packet.withUnsafeBytes { XMPReader($0) })
      case 0x7452_4E53: header.hasAlpha = true  // tRNS
      case 0x6163_544C: header.isMoving = true  // acTL
      case 0x4945_4E44: return header  // IEND
      default: break
      }
      at += 12 + length
    }
    return header
  }

  /// The XMP packet of an iTXt chunk: keyword, NUL, compressed?, method, language, NUL, translated keyword, NUL, text. An
  /// unpacked text is cut at a megabyte.
  static func packet(ofPNGText body: UnsafeRawBufferPointer) -> [UInt8]? {
    let keyword = Array("XML:com.adobe.xmp\0".utf8)
    let reader = ByteReader(body)
    guard reader.has(keyword, at: 0), let isCompressed = reader.byte(keyword.count) else { return nil }
    var at = keyword.count + 2
    for _ in 0..<2 {
      while let byte = reader.byte(at), byte != 0 { at += 1 }
      at += 1
    }
    guard let text = reader.slice(at, body.count) else { return nil }
    if isCompressed == 0 { return Array(text) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 20) { target, count in
      count = ci_png_inflate(text.baseAddress, text.count, target.baseAddress, target.count)
    }
  }
}
