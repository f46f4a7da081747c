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
      if status == Int32(CI_TOO_MANY) {
        throw ImageError(
          .tooLarge, "The picture has more than \(mostScans) scans and would take too long to read.",
          remedy: "Save it as plain JPEG.")
      }
      if status < 0 { throw error(Int(status), message, needed: needed) }
    }

    let pixels = try Pixels(size: size) { (target) throws(ImageError) in try run(target, 3 * size.width) }
    return (pixels, status == Int32(CI_DAMAGED))
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
