import CImaging

extension Decoder {
  /// The first frame, over the background. Rows shrink as they arrive, unless the picture is interlaced.
  static func gif(
    _ input: PictureInput, _ header: PictureHeader, _ wanted: PixelSize?, _ limits: PictureLimits,
    _ isCancelled: () -> Bool
  ) throws(ImageError) -> (Pixels, Bool) {
    let full = header.storedSize
    let target = wanted.map { full.covering($0) } ?? full
    let needed = 3 * target.width * target.height + (header.isProgressive ? header.framePixels : 0)
    try limits.check(memory: needed)
    var message = ShimMessage()
    var status: Int32 = 0
    guard let reader = message.fill({ ci_gif_open(input.source, grey, &status, $0) }) else {
      throw error(Int(status), message, needed: needed)
    }
    defer {
      ci_gif_close(reader)
      withExtendedLifetime(input) {}
    }
    guard Int(ci_gif_width(reader)) == full.width, Int(ci_gif_height(reader)) == full.height else {
      throw .corrupt("it names two sizes")
    }
    return try rows(full, to: target, needed: needed, isCancelled) { ci_gif_next(reader, $0, $1) }
  }
}
