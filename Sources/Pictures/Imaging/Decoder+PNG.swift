import CImaging

extension Decoder {
  /// A large PNG needs one row of memory, because rows shrink as they arrive, unless it is interlaced.
  static func png(
    _ input: PictureInput, _ header: PictureHeader, _ wanted: PixelSize?, _ limits: PictureLimits,
    _ isCancelled: () -> Bool
  ) throws(ImageError) -> (Pixels, Bool) {
    let full = header.storedSize
    let target = wanted.map { full.covering($0) } ?? full
    let pixelBytes = header.bitsPerSample == 16 ? 8 : 4
    let needed =
      3 * target.width * target.height + (header.isProgressive ? pixelBytes * full.width * full.height : 0)
    try limits.check(memory: needed)
    var message = ShimMessage()
    var status: Int32 = 0
    let reader = message.fill { text in
      ci_png_open(input.source, UInt32(full.width), UInt32(full.height), grey, &status, text)
    }
    guard let reader else { throw error(Int(status), message, needed: needed) }
    defer {
      ci_png_close(reader)
      withExtendedLifetime(input) {}
    }
    guard Int(ci_png_width(reader)) == full.width, Int(ci_png_height(reader)) == full.height else {
      throw .corrupt("it names two sizes")
    }
    return try rows(full, to: target, needed: needed, isCancelled) { ci_png_next(reader, $0, $1) }
  }

  /// The background's red, green and blue.
  static let grey = [16, 8, 0].map { UInt8(background >> $0 & 255) }

  /// The rows of a picture as they arrive, shrunk at once where the target is smaller. Without the rows at its end, the
  /// picture is damaged.
  /// - Parameter next: gets the place of a row and that of a message, and returns a status of `CImaging`.
  static func rows(
    _ full: PixelSize, to target: PixelSize, needed: Int, _ isCancelled: () -> Bool,
    _ next: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CChar>?) -> Int32
  ) throws(ImageError) -> (Pixels, Bool) {
    var message = ShimMessage()
    var status = Int32(CI_OK)
    var rows = 0
    let pixels = try Pixels(size: target) { (output) throws(ImageError) in
      var shrinker = target == full ? nil : AreaShrinker(from: full, to: target)
      var line = [UInt8](repeating: 0, count: shrinker == nil ? 0 : 3 * full.width)
      var steps = 0
      while rows < full.height {
        if steps & 63 == 0, isCancelled() { throw .cancelled }
        steps += 1
        if shrinker == nil {
          status = message.fill { next(output + 3 * full.width * rows, $0) }
        } else {
          line.withUnsafeMutableBufferPointer { line in
            status = message.fill { next(line.baseAddress, $0) }
            if status == Int32(CI_OK), let row = line.baseAddress { shrinker?.push(row, output: output) }
          }
        }
        if status < 0 { return }
        if status == Int32(CI_OK) { rows += 1 }
      }
    }
    if status < 0, rows == 0 || status == Int32(CI_NO_MEMORY) { throw error(Int(status), message, needed: needed) }
    return (pixels, rows < full.height)
  }
}
