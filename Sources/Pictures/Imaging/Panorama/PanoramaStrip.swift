/// A whole panorama in a few rows, on which the part in view stands out.
public enum PanoramaStrip {
  /// `seen` are fractions of the picture's width; the rest is darker. A part that goes past the seam has two ranges.
  public static func render(_ pyramid: Pyramid, size: PixelSize, seen: [ClosedRange<Double>]) -> Pixels {
    let step = Double(pyramid.size.width) / Double(size.width)
    let pixels = pyramid.levels[pyramid.level(forStep: step)]
    let whole = CropRect(x: 0, y: 0, width: Double(pixels.width), height: Double(pixels.height))
    var strip = Resampler.sample(pixels, crop: whole, size: size, filter: .bilinear)
    for x in 0..<strip.width {
      let place = (Double(x) + 0.5) / Double(strip.width)
      guard !seen.contains(where: { $0.contains(place) }) else { continue }
      for y in 0..<strip.height { strip[x, y] = darker(strip[x, y]) }
    }
    return strip
  }

  /// 3/8 of the brightness.
  private static func darker(_ colour: UInt32) -> UInt32 {
    func part(_ shift: UInt32) -> UInt32 { ((colour >> shift & 255) * 3 / 8) << shift }
    return part(16) | part(8) | part(0)
  }
}
