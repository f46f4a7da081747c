import CImaging

extension PictureHeader {
  /// Parts of the picture can be decoded without the rest: a JPEG of one scan. Others are decoded from their beginning,
  /// with all coefficients or rows.
  public var hasAreas: Bool { format == .jpeg && !isProgressive && jpeg?.components != 4 }

  /// As shown, at a scale of eighths; sides are rounded up.
  public func size(eighths: Int) -> PixelSize { Decoder.scaledSize(size, eighths) }
}

extension Decoder {
  /// A part of a JPEG of one scan, with the same pixels as the whole picture at that scale. Entropy decoding starts at
  /// the first row, so a part near the lower edge takes longest: about a second at 250 megapixels.
  /// - Parameter area: as shown, in pixels of the scaled picture; inside it.
  /// - Parameter eighths: the scale, 1 to 8.
  /// - Throws: every kind of `ImageError`; `unsupported` unless `hasAreas`.
  static func area(
    _ input: PictureInput, _ header: PictureHeader, _ area: PixelRect, eighths: Int, limits: PictureLimits,
    isCancelled: () -> Bool
  ) throws(ImageError) -> Pixels {
    try limits.check(header.storedSize)
    let full = scaledSize(header.storedSize, eighths)
    let part = header.orientation.stored(area, in: full)
    guard header.hasAreas, part.width > 0, part.height > 0, part.x >= 0, part.y >= 0,
      part.x + part.width <= full.width, part.y + part.height <= full.height
    else {
      throw ImageError(.unsupported, "byteclub cannot read that part of the picture by itself.")
    }
    let needed = 3 * part.width * part.height + 8 * full.width
    try limits.check(memory: needed)
    if isCancelled() { throw .cancelled }
    var message = ShimMessage()
    var status: Int32 = 0
    let reader = message.fill { ci_jpeg_open(input.source, Int32(eighths), 1, &status, $0) }
    guard let reader else { throw error(Int(status), message, needed: needed) }
    defer {
      ci_jpeg_close(reader)
      withExtendedLifetime(input) {}
    }
    guard Int(ci_jpeg_width(reader)) == full.width, Int(ci_jpeg_height(reader)) == full.height else {
      throw .corrupt("it names two sizes")
    }
    // Colours at half resolution are interpolated, which needs a neighbour on each side.
    var left = UInt32(max(0, part.x - margin))
    var columns = UInt32(min(full.width, part.x + part.width + margin)) - left
    status = message.fill { ci_jpeg_crop(reader, &left, &columns, $0) }
    guard status == Int32(CI_OK) else { throw error(Int(status), message, needed: needed) }
    let (first, last) = (Int(left), Int(left) + Int(columns))
    guard first <= part.x, last >= part.x + part.width, last <= full.width + margin else {
      throw .corrupt("its rows have another length")
    }
    let block = max(1, Int(ci_jpeg_block_rows(reader)))
    var row = max(0, part.y - margin) / block * block
    try skip(reader, row, block, isCancelled)
    var line = [UInt8](repeating: 0, count: 3 * Int(columns))
    let pixels = try Pixels(size: PixelSize(width: part.width, height: part.height)) { (output) throws(ImageError) in
      while row < part.y + part.height {
        if row & 15 == 0, isCancelled() { throw .cancelled }
        try line.withUnsafeMutableBufferPointer { (line) throws(ImageError) in
          status = message.fill { ci_jpeg_next(reader, line.baseAddress, $0) }
          if status < 0 { throw error(Int(status), message, needed: needed) }
          guard row >= part.y, let base = line.baseAddress else { return }
          (output + 3 * part.width * (row - part.y)).update(from: base + 3 * (part.x - first), count: 3 * part.width)
        }
        row += 1
      }
    }
    if isCancelled() { throw .cancelled }
    return pixels.oriented(header.orientation)
  }

  /// Two blocks of the coarsest sampling, in pixels at any scale.
  private static let margin = 64

  private static func skip(
    _ reader: OpaquePointer, _ rows: Int, _ block: Int, _ isCancelled: () -> Bool
  ) throws(ImageError) {
    var message = ShimMessage()
    var skipped = 0
    while skipped < rows {
      if isCancelled() { throw .cancelled }
      // Some milliseconds each.
      let step = min(rows - skipped, 8 * block)
      let got = message.fill { ci_jpeg_skip(reader, UInt32(step), $0) }
      guard got > 0 else { throw error(Int(got), message, needed: 0) }
      skipped += Int(got)
    }
  }
}

extension Orientation {
  /// The stored part that is shown as `area`; `size` is the picture's as stored.
  func stored(_ area: PixelRect, in size: PixelSize) -> PixelRect {
    let (right, bottom) = (area.x + area.width, area.y + area.height)
    func fromRight(_ place: Int) -> Int { size.width - place }
    func fromBottom(_ place: Int) -> Int { size.height - place }
    return switch self {
    case .upright: area
    case .mirrored: PixelRect(x: fromRight(right), y: area.y, width: area.width, height: area.height)
    case .upsideDown: PixelRect(x: fromRight(right), y: fromBottom(bottom), width: area.width, height: area.height)
    case .flipped: PixelRect(x: area.x, y: fromBottom(bottom), width: area.width, height: area.height)
    case .transposed: PixelRect(x: area.y, y: area.x, width: area.height, height: area.width)
    case .quarterRight: PixelRect(x: area.y, y: fromBottom(right), width: area.height, height: area.width)
    case .transversed: PixelRect(x: fromRight(bottom), y: fromBottom(right), width: area.height, height: area.width)
    case .quarterLeft: PixelRect(x: fromRight(bottom), y: area.x, width: area.height, height: area.width)
    }
  }
}
