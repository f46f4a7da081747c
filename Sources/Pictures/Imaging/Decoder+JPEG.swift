import CImaging

extension Decoder {
  static func jpeg(
    _ input: PictureInput, _ header: PictureHeader, _ wanted: PixelSize?, _ limits: PictureLimits,
    _ isCancelled: () -> Bool
  ) throws(ImageError) -> (Pixels, Bool) {
    let facts = header.jpeg ?? JPEGFacts()
    let eighths = scale(header.storedSize, wanted)
    let size = scaledSize(header.storedSize, eighths)
    let needed = size.width * size.height * 3 + (facts.hasManyScans ? facts.coefficientBytes : 0)
    try limits.check(memory: needed)
    // Rejects a tiny file that claims a huge size, such as a kilobyte for 500 megapixels: most pixels would be made up.
    if !facts.isArithmetic, facts.blocks / 8 > input.count { throw .corrupt("nearly all of it is missing") }
    let mostScans = limits.scans(of: header.storedSize)
    // Before the library takes memory for all coefficients.
    if facts.hasManyScans, facts.coefficientBytes > countedBytes,
      hasMoreScans(than: mostScans, input, from: facts.firstScan)
    {
      throw tooManyScans(mostScans)
    }
    var message = ShimMessage()
    var status: Int32 = 0
    let reader = message.fill { text in
      ci_jpeg_open(input.source, Int32(eighths), Int32(clamping: mostScans), &status, text)
    }
    guard let reader else { throw error(Int(status), message, needed: needed) }
    defer {
      ci_jpeg_close(reader)
      withExtendedLifetime(input) {}
    }
    guard Int(ci_jpeg_width(reader)) == size.width, Int(ci_jpeg_height(reader)) == size.height else {
      throw .corrupt("it names two sizes")
    }

    func run(_ target: UnsafeMutablePointer<UInt8>?, _ rowBytes: Int) throws(ImageError) {
      for row in 0..<size.height where status == Int32(CI_OK) {
        if row & 15 == 0, isCancelled() { throw .cancelled }
        repeat {
          status = message.fill { ci_jpeg_next(reader, target.map { $0 + row * rowBytes }, $0) }
          if status == Int32(CI_MORE), isCancelled() { throw .cancelled }
        } while status == Int32(CI_MORE)
      }
      if status == Int32(CI_TOO_MANY) { throw tooManyScans(mostScans) }
      if status < 0 { throw error(Int(status), message, needed: needed) }
    }

    let pixels = try Pixels(size: size) { (target) throws(ImageError) in try run(target, 3 * size.width) }
    return (pixels, status == Int32(CI_DAMAGED))
  }

  /// The scans of a picture with more coefficients are counted first.
  private static let countedBytes = 16 << 20
  private static let mostSegments = 4096

  /// Goes from marker to marker up to the picture's end. 0xFF before 0 or a restart belongs to the coded data.
  private static func hasMoreScans(than most: Int, _ input: PictureInput, from start: Int) -> Bool {
    var (at, scans, segments) = (start, 0, 0)
    while scans <= most, segments < mostSegments {
      guard at < input.count, let piece = input.bytes(at..<min(at + 16 << 10, input.count)), piece.count >= 4 else {
        return false
      }
      let found = piece.indices.dropLast(3).first { index in
        piece[index] == 0xFF && piece[index + 1] != 0 && !(0xD0...0xD7).contains(piece[index + 1])
      }
      guard let found else {
        at += piece.count - 3
        continue
      }
      switch piece[found + 1] {
      case 0xD9: return false
      case 0xFF: at += max(found + 1, (piece[found...].firstIndex { $0 != 0xFF } ?? piece.count) - 1)
      case let marker:
        if marker == 0xDA { scans += 1 }
        segments += 1
        at += found + 2 + Int(piece[found + 2]) << 8 + Int(piece[found + 3])
      }
    }
    return true
  }

  private static func tooManyScans(_ most: Int) -> ImageError {
    ImageError(
      .tooLarge, "The picture has more than \(most) scans and would take too long to read.",
      remedy: "Save it as plain JPEG.")
  }

  static func scale(_ full: PixelSize, _ wanted: PixelSize?) -> Int {
    guard let wanted else { return 8 }
    return (1..<8).first { eighths in
      let size = scaledSize(full, eighths)
      return size.width >= wanted.width && size.height >= wanted.height
    } ?? 8
  }

  static func scaledSize(_ full: PixelSize, _ eighths: Int) -> PixelSize {
    PixelSize(width: (full.width * eighths + 7) / 8, height: (full.height * eighths + 7) / 8)
  }
}
