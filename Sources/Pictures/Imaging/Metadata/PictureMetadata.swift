/// The metadata of a picture file that are kept in a copy: EXIF, one XMP packet, and colours. Everything else is left
/// out, because nobody knows what it says.
struct PictureMetadata {
  var exif: [UInt8]?
  var xmp: [UInt8]?
  /// JPEG: a colour profile.
  private var profile: [UInt8] = []
  /// PNG and WebP: the chunks of colours.
  private var colours: [PictureChunks.Chunk] = []

  private static let (exifMark, xmpMark) = (Array("Exif\0\0".utf8), Array("http://ns.adobe.com/xap/1.0/\0".utf8))
  private static let (profileMark, xmpKeyword) = (Array("ICC_PROFILE\0".utf8), Array("XML:com.adobe.xmp\0".utf8))
  private static let pngColours: Set<String> = ["iCCP", "gAMA", "cHRM", "sRGB", "cICP", "mDCV", "cLLI"]
  private static let pngPixels: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "sBIT", "bKGD", "pHYs", "hIST", "acTL", "fcTL", "fdAT",
  ]
  private static let webPPixels: Set<String> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF"]
  private static let mostSegmentBytes = 65_533

  /// - Throws: `corrupt` if the file's parts cannot be distinguished; `unsupported` for a GIF.
  init(of bytes: [UInt8], _ format: PictureFormat) throws(ImageError) {
    switch format {
    case .jpeg:
      for segment in try JPEGParts(bytes).segments {
        if segment.marker == 0xE1, segment.body.starts(with: Self.exifMark), exif == nil {
          exif = Array(segment.body.dropFirst(Self.exifMark.count))
        } else if segment.marker == 0xE1, segment.body.starts(with: Self.xmpMark), xmp == nil {
          xmp = Array(segment.body.dropFirst(Self.xmpMark.count))
        } else if segment.marker == 0xE2, segment.body.starts(with: Self.profileMark) {
          profile += segment.body.dropFirst(Self.profileMark.count + 2)
        }
      }
    case .png:
      for chunk in try PictureChunks(png: bytes).chunks {
        if chunk.kind == "eXIf" { exif = chunk.body }
        if chunk.kind == "iTXt" { xmp = xmp ?? chunk.body.withUnsafeBytes(PictureHeader.packet(ofPNGText:)) }
        if Self.pngColours.contains(chunk.kind) { colours.append(chunk) }
      }
    case .webp:
      for chunk in try PictureChunks(webP: bytes).chunks {
        if chunk.kind == "EXIF" {
          exif = Array(chunk.body.dropFirst(chunk.body.starts(with: Self.exifMark) ? Self.exifMark.count : 0))
        }
        if chunk.kind == "XMP " { xmp = chunk.body }
        if chunk.kind == "ICCP" { colours.append(chunk) }
      }
    // The metadata of a GIF are not kept.
    case .gif: (exif, xmp) = (nil, nil)
    case .heic, .avif:
      (exif, xmp) = try bytes.withUnsafeBufferPointer { (bytes) throws(ImageError) in
        let items = try HEIFItems(ByteReader(UnsafeRawBufferPointer(bytes)))
        return items.primary.map { HEIFFacts.metadata(items, $0) } ?? (nil, nil)
      }
    }
    xmp = xmp.map { XMPReader.utf8(ofUTF16: $0) ?? $0 }
  }

  /// For a decoded copy: its pixels are sRGB, whatever the file's are.
  mutating func dropColours() { (profile, colours) = ([], []) }

  /// The file with these metadata and no others.
  /// - Throws: `corrupt` as `init`; `tooLarge` if they do not fit.
  func put(into bytes: [UInt8], _ format: PictureFormat, header: PictureHeader) throws(ImageError) -> [UInt8] {
    switch format {
    case .jpeg: try jpeg(try JPEGParts(bytes))
    case .png: try png(try PictureChunks(png: bytes))
    case .webp: try webP(try PictureChunks(webP: bytes), header)
    case .gif, .heic, .avif: throw .unwritten
    }
  }

  private func jpeg(_ file: JPEGParts) throws(ImageError) -> [UInt8] {
    var file = file
    let isFirst = { (segment: JPEGParts.Segment) in
      segment.marker == 0xE0 && segment.body.starts(with: Array("JFIF\0".utf8))
    }
    // JFIF's own segment is the first (ITU-T T.871, section 10.1). Its thumbnail is left out.
    var segments = file.segments.prefix(1).filter(isFirst).map { segment in
      JPEGParts.Segment(marker: 0xE0, body: segment.body.count < 14 ? segment.body : segment.body.prefix(12) + [0, 0])
    }
    func add(_ marker: UInt8, _ body: [UInt8]) throws(ImageError) {
      guard body.count <= Self.mostSegmentBytes else {
        throw ImageError(.tooLarge, "The picture's metadata do not fit into the copy.")
      }
      segments.append(JPEGParts.Segment(marker: marker, body: body))
    }
    if let exif { try add(0xE1, Self.exifMark + exif) }
    if let xmp { try add(0xE1, Self.xmpMark + xmp) }
    let room = Self.mostSegmentBytes - Self.profileMark.count - 2
    let pieces = stride(from: 0, to: profile.count, by: room).map { profile[$0..<min(profile.count, $0 + room)] }
    for (number, piece) in pieces.enumerated() where pieces.count < 256 {
      try add(0xE2, Self.profileMark + [UInt8(number + 1), UInt8(pieces.count)] + piece)
    }
    for segment in file.segments {
      let isAdobe = segment.marker == 0xEE && segment.body.starts(with: Array("Adobe".utf8))
      if isAdobe { segments.append(JPEGParts.Segment(marker: 0xEE, body: Array(segment.body.prefix(12)))) }
      if !(0xE0...0xEF).contains(segment.marker), segment.marker != 0xFE { segments.append(segment) }
    }
    file.segments = segments
    return file.bytes
  }

  private func png(_ file: PictureChunks) throws(ImageError) -> [UInt8] {
    var file = file
    var added = colours
    if let exif { added.append(PictureChunks.Chunk(kind: "eXIf", body: exif)) }
    if let xmp { added.append(PictureChunks.Chunk(kind: "iTXt", body: Self.xmpKeyword + [0, 0, 0, 0] + xmp)) }
    file.chunks.removeAll { !Self.pngPixels.contains($0.kind) }
    guard file.chunks.first?.kind == "IHDR" else { throw .corrupt("its parts are not in order") }
    file.chunks.insert(contentsOf: added, at: 1)
    return file.pngBytes
  }

  /// The order is that of the container's specification: VP8X, ICCP, pixels, EXIF, XMP.
  private func webP(_ file: PictureChunks, _ header: PictureHeader) throws(ImageError) -> [UInt8] {
    var file = file
    file.chunks.removeAll { !Self.webPPixels.contains($0.kind) }
    guard let first = file.chunks.first else { throw .corrupt("its parts are not in order") }
    if colours.isEmpty, exif == nil, xmp == nil, first.kind != "VP8X" { return file.webPBytes }
    if first.kind != "VP8X" {
      let (width, height) = (header.storedSize.width - 1, header.storedSize.height - 1)
      let sides = [width, height].flatMap { side in [0, 8, 16].map { UInt8(truncatingIfNeeded: side >> $0) } }
      file.chunks.insert(
        PictureChunks.Chunk(kind: "VP8X", body: [header.hasAlpha ? 0x10 : 0, 0, 0, 0] + sides), at: 0)
    }
    guard file.chunks[0].body.count >= 10 else { throw .corrupt("one of its parts is cut") }
    let flags = (colours.isEmpty ? 0 : 0x20) | (exif == nil ? 0 : 0x08) | (xmp == nil ? 0 : 0x04)
    file.chunks[0].body[0] = file.chunks[0].body[0] & ~0x2C | UInt8(flags)
    file.chunks.insert(contentsOf: colours.prefix(1), at: 1)
    if let exif { file.chunks.append(PictureChunks.Chunk(kind: "EXIF", body: exif)) }
    if let xmp { file.chunks.append(PictureChunks.Chunk(kind: "XMP ", body: xmp)) }
    return file.webPBytes
  }
}
