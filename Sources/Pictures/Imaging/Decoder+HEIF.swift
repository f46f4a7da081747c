import CImaging

extension Decoder {
  /// Loads libheif, which a locked process cannot do later. False without it.
  package static func loadHEIF() -> Bool { ci_load_heif() != 0 }

  static let noHEIF = ImageError(
    .unavailable, "HEIC and AVIF pictures need the library libheif, which this system does not have.",
    remedy: "Install it, on Debian and Ubuntu by: apt-get install libheif1")

  /// The library decodes all of it at full size, or an embedded picture that is large enough. It cannot be stopped
  /// meanwhile: whoever cancels it ends the process.
  static func heif(
    _ input: PictureInput, _ header: PictureHeader, _ wanted: PixelSize?, _ limits: PictureLimits,
    _ isCancelled: () -> Bool
  ) throws(ImageError) -> Pixels {
    guard ci_has_heif() != 0 else { throw noHEIF }
    let facts = header.heif ?? HEIFFacts()
    let full = header.storedSize
    let target = wanted.map { full.covering($0) } ?? full
    // The library's planes, the whole picture in RGB, and ours. Tiles may go beyond the picture's edges.
    let pixels = max(facts.codedPixels, full.width * full.height)
    let (product, overflow) = pixels.multipliedReportingOverflow(by: facts.bits > 8 ? 12 : header.hasAlpha ? 8 : 6)
    guard !overflow, facts.codedPixels / 4 <= limits.maxPixels else { throw .memory(limits.maxMemoryBytes) }
    try limits.check(memory: product + 3 * target.width * target.height + input.count)
    let bytes = input.prefix(input.count)
    // The errors of an embedded picture count for nothing: the whole picture is decoded instead.
    if let small = facts.small, small.size.width >= target.width, small.size.height >= target.height,
      let pixels = try? heif(bytes, header, small.item, small.size, small.size.covering(target), isCancelled)
    {
      return try Resampler.resize(pixels, to: target, isCancelled: isCancelled)
    }
    return try heif(bytes, header, 0, full, target, isCancelled)
  }

  private static func heif(
    _ bytes: [UInt8], _ header: PictureHeader, _ item: Int, _ full: PixelSize, _ target: PixelSize,
    _ isCancelled: () -> Bool
  ) throws(ImageError) -> Pixels {
    if isCancelled() { throw .cancelled }
    var message = ShimMessage()
    var status: Int32 = 0
    var colours = header.heif?.colours ?? ci_heif_colours()
    let profile = header.heif?.profile.map { Array(bytes[$0.clamped(to: bytes.indices)]) } ?? []
    let reader = profile.withUnsafeBufferPointer { profile in
      if !profile.isEmpty { (colours.profile, colours.profileLength) = (profile.baseAddress, profile.count) }
      return bytes.withUnsafeBufferPointer { bytes in
        message.fill {
          ci_heif_open(bytes.baseAddress, bytes.count, UInt32(item), heifThreads, colours, &status, $0)
        }
      }
    }
    guard let reader else {
      guard status == Int32(CI_NO_MEMORY) else { throw error(Int(status), message, needed: 0) }
      throw ImageError(
        .memory, "The picture would need more memory than byteclub gives it.", remedy: "Save a smaller copy.")
    }
    defer { ci_heif_close(reader) }
    guard Int(ci_heif_width(reader)) == full.width, Int(ci_heif_height(reader)) == full.height else {
      throw .corrupt("it names two sizes")
    }
    let under: [UInt8] = [UInt8(background >> 16 & 255), UInt8(background >> 8 & 255), UInt8(background & 255)]
    return try Pixels(size: target) { (output) throws(ImageError) in
      var shrinker = target == full ? nil : AreaShrinker(from: full, to: target)
      var line = [UInt8](repeating: 0, count: shrinker == nil ? 0 : 3 * full.width)
      for row in 0..<full.height {
        if row & 63 == 0, isCancelled() { throw .cancelled }
        if shrinker == nil {
          ci_heif_row(reader, UInt32(row), under, output + 3 * full.width * row)
        } else {
          line.withUnsafeMutableBufferPointer { line in
            guard let base = line.baseAddress else { return }
            ci_heif_row(reader, UInt32(row), under, base)
            shrinker?.push(base, output: output)
          }
        }
      }
    }
  }

  /// For the tiles of a large picture. More gain little, and each has its own memory.
  private static let heifThreads: Int32 = 2
}

extension HEIFFacts {
  /// PQ and HLG.
  private var isHDR: Bool { transfer == 16 || transfer == 18 }

  /// Nothing for sRGB, and for numbers that are unknown. A profile cannot describe high dynamic range.
  fileprivate var colours: ci_heif_colours {
    var colours = ci_heif_colours()
    // White, red, green and blue.
    let chroma: (Double, Double, Double, Double, Double, Double, Double, Double)? =
      switch primaries {
      case 9: (0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046)
      case 11: (0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060)
      case 12: (0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060)
      case 1, 2, nil: isHDR || transfer == 8 ? (0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06) : nil
      default: nil
      }
    guard let chroma, isHDR || profile == nil else { return colours }
    colours.chroma = chroma
    if isHDR { colours.transfer = Int32(transfer ?? 0) }
    // The curves of television are shown as that of screens, as all programs do.
    colours.gamma =
      switch transfer {
      case 4: 1 / 2.2
      case 5: 1 / 2.8
      case 8: 1
      default: 1 / 2.2
      }
    return colours
  }
}
