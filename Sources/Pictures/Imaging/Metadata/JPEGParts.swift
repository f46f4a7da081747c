/// The parts of a JPEG file (ITU T.81, annex B), for rewriting its metadata without decoding.
struct JPEGParts {
  struct Segment {
    let marker: UInt8
    /// Without marker and length.
    let body: [UInt8]
  }

  /// Before the first scan.
  var segments: [Segment]
  /// From the first scan to the end of the picture. Anything behind it, such as a second picture or a film, is left out.
  let scans: ArraySlice<UInt8>
  private let end: [UInt8]

  /// - Throws: `corrupt` if the parts cannot be distinguished.
  init(_ bytes: [UInt8]) throws(ImageError) {
    var segments: [Segment] = []
    var at = 2
    guard bytes.starts(with: [0xFF, 0xD8]) else { throw .corrupt("it has no beginning") }
    while true {
      let (marker, body) = try Self.segment(bytes[...], &at)
      if marker == 0xDA {
        at = body.upperBound
        // Samsung's phones wrote panoramas without a mark of the end, with a trailer that says where it is.
        let trailer = bytes.withUnsafeBytes(SamsungTrailer.start)
        let (last, isMarked) = try Self.end(bytes[..<max(at, trailer ?? bytes.count)], at)
        guard isMarked || trailer != nil else { throw .corrupt("it has no end") }
        scans = bytes[(body.lowerBound - 4)..<last]
        end = isMarked ? [] : [0xFF, 0xD9]
        break
      }
      segments.append(Segment(marker: marker, body: Array(bytes[body])))
    }
    self.segments = segments
  }

  var bytes: [UInt8] {
    var file: [UInt8] = [0xFF, 0xD8]
    for segment in segments {
      let length = segment.body.count + 2
      file += [0xFF, segment.marker, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
      file += segment.body
    }
    return file + scans + end
  }

  /// Markers that tables and scans have between scans.
  private static let betweenScans: Set<UInt8> = [0xC4, 0xCC, 0xDA, 0xDB, 0xDC, 0xDD]

  /// The end of the picture after its first scan's header, behind its mark or, without one, that of the bytes.
  private static func end(
    _ bytes: ArraySlice<UInt8>, _ start: Int
  ) throws(ImageError) -> (at: Int, isMarked: Bool) {
    var at = start
    while at + 1 < bytes.endIndex {
      guard bytes[at] == 0xFF else {
        at += 1
        continue
      }
      let marker = bytes[at + 1]
      switch marker {
      case 0x00, 0xD0...0xD7: at += 2
      case 0xFF: at += 1
      case 0xD9: return (at + 2, true)
      default:
        guard betweenScans.contains(marker) else { throw .corrupt("it has metadata between its scans") }
        at = try segment(bytes, &at).body.upperBound
      }
    }
    return (bytes.endIndex, false)
  }

  private static func segment(
    _ bytes: ArraySlice<UInt8>, _ at: inout Int
  ) throws(ImageError) -> (marker: UInt8, body: Range<Int>) {
    // Any number of fill bytes may come before a marker.
    while at + 1 < bytes.endIndex, bytes[at] == 0xFF, bytes[at + 1] == 0xFF { at += 1 }
    guard at + 3 < bytes.endIndex, bytes[at] == 0xFF, bytes[at + 1] >= 0xC0, !(0xD0...0xD9).contains(bytes[at + 1])
    else {
      throw .corrupt("its parts are not in order")
    }
    let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
    let body = (at + 4)..<(at + 2 + max(2, length))
    guard length >= 2, body.upperBound <= bytes.endIndex else { throw .corrupt("one of its parts is cut") }
    defer { at = body.upperBound }
    return (bytes[at + 1], body)
  }
}

/// The chunks of a PNG or WebP file, for rewriting its metadata without decoding.
struct PictureChunks {
  struct Chunk {
    /// Four letters.
    let kind: String
    var body: [UInt8]
  }

  var chunks: [Chunk]

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Reads up to IEND; anything behind it is left out.
  /// - Throws: `corrupt` if the chunks cannot be distinguished.
  init(png bytes: [UInt8]) throws(ImageError) {
    chunks = try Self.chunks(bytes, from: 8, isPNG: true)
    guard bytes.starts(with: Self.png), chunks.last?.kind == "IEND" else { throw .corrupt("it has no end") }
  }

  /// - Throws: as `init(png:)`.
  init(webP bytes: [UInt8]) throws(ImageError) { chunks = try Self.chunks(bytes, from: 12, isPNG: false) }

  private static func chunks(_ bytes: [UInt8], from start: Int, isPNG: Bool) throws(ImageError) -> [Chunk] {
    var chunks: [Chunk] = []
    var at = start
    while at < bytes.count, chunks.last?.kind != "IEND" {
      guard at + 8 <= bytes.count else { throw .corrupt("one of its parts is cut") }
      let number = bytes[isPNG ? at..<(at + 4) : (at + 4)..<(at + 8)]
      let length = (isPNG ? Array(number) : number.reversed()).reduce(0) { $0 << 8 | Int($1) }
      let kind = String(decoding: bytes[isPNG ? (at + 4)..<(at + 8) : at..<(at + 4)], as: UTF8.self)
      let end = at + 8 + length
      guard end + (isPNG ? 4 : 0) <= bytes.count else { throw .corrupt("one of its parts is cut") }
      chunks.append(Chunk(kind: kind, body: Array(bytes[(at + 8)..<end])))
      at = isPNG ? end + 4 : end + length & 1
    }
    return chunks
  }

  var pngBytes: [UInt8] {
    chunks.reduce(into: Self.png) { file, chunk in
      let named = Array(chunk.kind.utf8) + chunk.body
      file += Self.big(chunk.body.count) + named + Self.big(Self.sum(named))
    }
  }

  var webPBytes: [UInt8] {
    var body = Array("WEBP".utf8)
    for chunk in chunks {
      body += Array(chunk.kind.utf8) + Self.big(chunk.body.count).reversed() + chunk.body
      if chunk.body.count & 1 == 1 { body.append(0) }
    }
    return Array("RIFF".utf8) + Self.big(body.count).reversed() + body
  }

  private static func big(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  /// CRC-32 (PNG, third edition, annex D).
  private static func sum(_ bytes: [UInt8]) -> Int {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 255)] ^ value >> 8 }
    return Int(value ^ 0xFFFF_FFFF)
  }
}
