extension PictureHeader {
  private static let maxSegments = 4096
  /// libjpeg skips junk between segments; more than this is no accident.
  private static let maxJunk = 64 * 1024

  /// Walks over the segments to the first scan (ITU T.81, annex B).
  static func readJPEG(_ reader: ByteReader) throws(ImageError) -> PictureHeader {
    var header: PictureHeader?
    var exif: Range<Int>?
    var xmp = JPEGPackets()
    var facts = JPEGFacts()
    var at = 2
    var segments = 0
    var junk = 0
    var isSettled = false
    walk: while segments < maxSegments {
      guard let lead = reader.byte(at), let marker = reader.byte(at + 1) else { break }
      guard lead == 0xFF, marker != 0xFF, marker != 0 else {
        at += 1
        junk += 1
        if junk > maxJunk { throw .corrupt("it has junk between its parts") }
        continue
      }
      segments += 1
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        at += 2
        continue
      }
      if marker == 0xD9 {
        isSettled = true
        break
      }
      guard let length = reader.short(at + 2) else { break }
      guard length >= 2 else { throw .corrupt("one of its parts has no length") }
      let body = (at + 4)..<(at + 2 + length)
      switch marker {
      case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
        guard header == nil else { throw .corrupt("it has two sizes") }
        header = try frame(reader, marker, body, &facts)
      case 0xDA:
        if let parts = reader.byte(body.lowerBound), parts < facts.components { facts.hasManyScans = true }
        facts.firstScan = at
        isSettled = reader.byte(body.lowerBound) != nil
        break walk
      case 0xE1:
        if exif == nil, reader.has(Array("Exif\0\0".utf8), at: body.lowerBound), body.count > 6 {
          exif = (body.lowerBound + 6)..<body.upperBound
        } else {
          xmp.take(reader, body)
        }
      case 0xE2:
        if reader.has(Array("MPF\0".utf8), at: body.lowerBound) { facts.hasFurtherPictures = true }
        if reader.has(Array("ICC_PROFILE\0".utf8), at: body.lowerBound) { facts.profile.append(at..<body.upperBound) }
      default: break
      }
      at = body.upperBound
    }
    guard var header else { throw .endsEarly }
    if let exif, let data = reader.slice(exif.lowerBound, exif.count) {
      header.take(exif: data, at: exif.lowerBound)
    }
    header.take(xmp.read(reader))
    header.hasFurtherPictures = facts.hasFurtherPictures
    if let film = SamsungTrailer.filmBytes(reader.bytes) { (header.hasFilm, header.filmBytes) = (true, film) }
    if header.panoramaMark == nil, SamsungTrailer.isPanorama(reader.bytes) { header.panoramaMark = .samsungTrailer }
    header.isProgressive = facts.hasManyScans
    header.jpeg = facts
    header.isSettled = isSettled
    return header
  }

  private static func frame(
    _ reader: ByteReader, _ marker: Int, _ body: Range<Int>, _ facts: inout JPEGFacts
  ) throws(ImageError) -> PictureHeader {
    let start = body.lowerBound
    guard let precision = reader.byte(start), let height = reader.short(start + 1),
      let width = reader.short(start + 3), let components = reader.byte(start + 5), body.count >= 6 + 3 * components
    else { throw .endsEarly }
    // The library reads neither lossless nor hierarchical JPEG.
    guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker) else {
      throw ImageError(
        .unsupported, "The picture is a lossless or hierarchical JPEG.", remedy: "Save it as plain JPEG.")
    }
    guard precision == 8 else {
      throw ImageError(
        .unsupported, "The picture is a JPEG with \(precision) bits a sample.", remedy: "Save it with 8 bits.")
    }
    guard height > 0, width > 0 else { throw .corrupt("its size is zero") }
    guard components == 1 || components == 3 || components == 4 else {
      throw ImageError(.unsupported, "The picture is a JPEG with \(components) colours.", remedy: "Save it as RGB.")
    }
    var samplings: [(Int, Int)] = []
    for index in 0..<components {
      guard let factors = reader.byte(start + 7 + 3 * index) else { throw .endsEarly }
      guard (1...4).contains(factors >> 4), (1...4).contains(factors & 15) else {
        throw .corrupt("its colours have an impossible size")
      }
      samplings.append((factors >> 4, factors & 15))
    }
    let across = samplings.reduce(1) { max($0, $1.0) }
    let down = samplings.reduce(1) { max($0, $1.1) }
    let units = ((width + 8 * across - 1) / (8 * across)) * ((height + 8 * down - 1) / (8 * down))
    facts.components = components
    facts.coefficientBytes = samplings.reduce(0) { $0 + units * $1.0 * $1.1 * 64 * 2 }
    facts.isArithmetic = marker >= 0xC9
    facts.hasManyScans = marker == 0xC2 || marker == 0xCA
    return PictureHeader(format: .jpeg, storedSize: PixelSize(width: width, height: height))
  }
}

/// The XMP packets of a JPEG (XMP, part 3, section 1.1.3): those of one segment each, and an extended one in many.
private struct JPEGPackets {
  private static let mark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let extendedMark = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  private static let most = 8

  private var packets: [Range<Int>] = []
  /// Behind each mark: 32 letters that name the packet, its length, and the offset of this part.
  private var parts: [Range<Int>] = []

  mutating func take(_ reader: ByteReader, _ body: Range<Int>) {
    if reader.has(Self.mark, at: body.lowerBound), packets.count < Self.most, body.count > Self.mark.count {
      packets.append((body.lowerBound + Self.mark.count)..<body.upperBound)
    } else if reader.has(Self.extendedMark, at: body.lowerBound), body.count > Self.extendedMark.count + 40 {
      parts.append((body.lowerBound + Self.extendedMark.count)..<body.upperBound)
    }
  }

  func read(_ reader: ByteReader) -> XMPReader {
    var xmp = XMPReader()
    for range in packets {
      if let packet = reader.slice(range.lowerBound, range.count) { xmp.read(packet) }
    }
    guard let name = xmp.extended.map({ Array($0.utf8) }), name.count == 32 else { return xmp }
    let named = parts.filter { reader.has(name, at: $0.lowerBound) }
      .sorted { (reader.long($0.lowerBound + 36) ?? 0) < (reader.long($1.lowerBound + 36) ?? 0) }
    var packet: [UInt8] = []
    for range in named where packet.count < XMPReader.maxBytes {
      if let part = reader.slice(range.lowerBound + 40, range.count - 40) { packet += part }
    }
    packet.withUnsafeBytes { xmp.read($0) }
    return xmp
  }
}

struct JPEGFacts: Sendable, Equatable {
  var components = 3
  /// Of all coefficients, if held at once.
  var coefficientBytes = 0
  /// Arithmetic coding may take less than a bit for a block; Huffman coding cannot.
  var isArithmetic = false
  var hasFurtherPictures = false
  /// The segments of a colour profile, with their markers.
  var profile: [Range<Int>] = []
  /// Progressive, or one scan a colour: decoding holds all coefficients of the picture.
  var hasManyScans = false
  /// The offset of its marker.
  var firstScan = 0

  /// Blocks of 8 x 8 samples, of all components.
  var blocks: Int { coefficientBytes / 128 }
}
