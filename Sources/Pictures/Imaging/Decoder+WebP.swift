import CImaging

extension Decoder {
  static func webP(
    _ input: PictureInput, _ header: PictureHeader, _ wanted: PixelSize?, _ limits: PictureLimits,
    _ isCancelled: () -> Bool
  ) throws(ImageError) -> (Pixels, Bool) {
    let full = header.storedSize
    let size = wanted.map { full.covering($0) } ?? full
    let profile = header.profile.flatMap(input.bytes)
    guard header.isMoving else { return try still(input, header, size, profile, limits, isCancelled) }
    guard let frame = header.frame else { throw .corrupt("its first frame is missing") }
    var head = PictureHeader(format: .webp, storedSize: frame.size)
    (head.hasAlpha, head.isLossless) = (frame.hasAlpha, frame.isLossless)
    let data = input.part(frame.data)
    if head.storedSize == full { return try still(data, head, size, profile, limits, isCancelled) }
    // The rest of the picture is see-through.
    let (left, top) = (frame.rect.x * size.width / full.width, frame.rect.y * size.height / full.height)
    let width = frame.rect.width * size.width / full.width
    let height = frame.rect.height * size.height / full.height
    try limits.check(memory: 3 * size.width * size.height)
    var whole = Pixels(width: size.width, height: size.height, colour: background)
    let shown = PixelSize(width: max(1, width), height: max(1, height))
    let (pixels, isDamaged) = try still(data, head, shown, profile, limits, isCancelled)
    whole.paste(pixels, x: left, y: top)
    return (whole, isDamaged)
  }

  private static func still(
    _ input: PictureInput, _ header: PictureHeader, _ size: PixelSize, _ profile: [UInt8]?, _ limits: PictureLimits,
    _ isCancelled: () -> Bool
  ) throws(ImageError) -> (Pixels, Bool) {
    let full = header.storedSize
    let channels = header.hasAlpha ? 4 : 3
    // Lossless data is decoded whole, at 4 bytes a pixel; lossy data keeps a few rows and the alpha plane.
    let inside = full.width * full.height * (header.isLossless ? 4 : header.hasAlpha ? 2 : 0)
    let kept = input.isInMemory ? 0 : input.count
    let needed = size.width * size.height * (3 + (header.hasAlpha ? 4 : 0)) + inside + kept
    try limits.check(memory: needed)
    var message = ShimMessage()
    var status: Int32 = 0

    func run(_ target: UnsafeMutablePointer<UInt8>?) throws(ImageError) {
      let reader = message.fill { text in
        ci_webp_open(
          input.source, input.count, Int32(size.width), Int32(size.height),
          header.hasAlpha ? 1 : 0, target, profile, profile?.count ?? 0, &status, text)
      }
      guard let reader else { throw error(Int(status), message, needed: needed) }
      defer {
        ci_webp_close(reader)
        withExtendedLifetime(input) {}
      }
      repeat {
        if isCancelled() { throw .cancelled }
        status = message.fill { ci_webp_next(reader, $0) }
      } while status == Int32(CI_MORE)
      if status < 0 { throw error(Int(status), message, needed: needed) }
    }

    if channels == 3 {
      let pixels = try Pixels(size: size) { (target) throws(ImageError) in try run(target) }
      return (pixels, status == Int32(CI_DAMAGED))
    }
    var samples = [UInt8](repeating: 0, count: 4 * size.width * size.height)
    try samples.withUnsafeMutableBufferPointer { (buffer) throws(ImageError) in try run(buffer.baseAddress) }
    return (overBackground(samples, size), status == Int32(CI_DAMAGED))
  }

  private static func overBackground(_ samples: [UInt8], _ size: PixelSize) -> Pixels {
    let under = [Int(background >> 16 & 255), Int(background >> 8 & 255), Int(background & 255)]
    return Pixels(size: size) { target in
      for pixel in 0..<(size.width * size.height) {
        let alpha = Int(samples[4 * pixel + 3])
        for colour in 0..<3 {
          let mixed = Int(samples[4 * pixel + colour]) * alpha + under[colour] * (255 - alpha)
          target[3 * pixel + colour] = UInt8((mixed + 127) / 255)
        }
      }
    }
  }
}
