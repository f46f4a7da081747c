import CImaging

extension Decoder {
  static func jpeg(
    _ bytes: UnsafeRawBufferPointer, _ header: PictureHeader, _ wanted: PixelSize?, _ limits: PictureLimits,
    _ isCancelled: () -> Bool
  ) throws(ImageError) -> (Pixels, Bool) {
    let facts = header.jpeg ?? JPEGFacts()
    let size = scaledSize(header.storedSize, wanted)
    let isCMYK = facts.components == 4
    let needed = size.width * size.height * (isCMYK ? 7 : 3) + (facts.hasManyScans ? facts.coefficientBytes : 0)
    try limits.check(memory: needed)
    // A kilobyte that claims to be 500 megapixels: not worth the memory and time of making up what is missing.
    if !facts.isArithmetic, facts.blocks / 8 > bytes.count { throw .corrupt("nearly all of it is missing") }
    if facts.hasManyScans {
      let (width, height) = (header.storedSize.width, header.storedSize.height)
      let most = min(limits.maxScans, max(1, limits.maxScanWork / (width * height)))
      if ScanCounter.count(bytes, upTo: most) > most {
        throw ImageError(
          .tooLarge, "The picture has more than \(most) scans, which would take too long to read.",
          remedy: "Save it as plain JPEG.")
      }
      if isCancelled() { throw .cancelled }
    }
    guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { throw .corrupt("it is empty") }
    var message = ShimMessage()
    var status: Int32 = 0
    if isCMYK {
      var inks = [UInt8](repeating: 0, count: 4 * size.width * size.height)
      inks.withUnsafeMutableBufferPointer { inks in
        status = message.fill { text in
          ci_jpeg_decode(base, bytes.count, Int32(size.width), Int32(size.height), 1, inks.baseAddress, text)
        }
      }
      try succeed(status, message, needed)
      return (rgb(inks, size, areInverted: facts.hasAdobeMarker), status == Int32(CI_DAMAGED))
    }
    let pixels = Pixels(size: size) { target in
      status = message.fill { text in
        ci_jpeg_decode(base, bytes.count, Int32(size.width), Int32(size.height), 0, target, text)
      }
    }
    try succeed(status, message, needed)
    return (pixels, status == Int32(CI_DAMAGED))
  }

  private static func succeed(_ status: Int32, _ message: ShimMessage, _ needed: Int) throws(ImageError) {
    if status < 0 { throw error(Int(status), message, needed: needed) }
  }

  /// The size at the smallest n/8 whose sides are both at least the wanted ones.
  static func scaledSize(_ full: PixelSize, _ wanted: PixelSize?) -> PixelSize {
    guard let wanted else { return full }
    for eighths in 1..<8 {
      let size = PixelSize(width: (full.width * eighths + 7) / 8, height: (full.height * eighths + 7) / 8)
      if size.width >= wanted.width, size.height >= wanted.height { return size }
    }
    return full
  }

  /// Without a colour profile: each ink darkens in proportion. Adobe stores 255 for "no ink".
  private static func rgb(_ inks: [UInt8], _ size: PixelSize, areInverted: Bool) -> Pixels {
    Pixels(size: size) { target in
      for pixel in 0..<(size.width * size.height) {
        let key = areInverted ? Int(inks[4 * pixel + 3]) : 255 - Int(inks[4 * pixel + 3])
        for colour in 0..<3 {
          let ink = Int(inks[4 * pixel + colour])
          target[3 * pixel + colour] = UInt8(((areInverted ? ink : 255 - ink) * key + 127) / 255)
        }
      }
    }
  }
}
