import POSIX

/// The part of a panorama that GPano data describe.
enum GPanoCoverage {
  /// A copy of a picture may be rounded; one of another shape was cut after the data were written.
  private static let shapeTolerance = 0.05
  /// Stitchers leave a column or a row out.
  private static let fullTurnDegrees = 359.5

  /// nil if the projection is unknown, or if the data describe a picture of another shape.
  static func read(_ facts: PanoramaFacts, _ size: PixelSize) -> PictureCoverage? {
    switch facts.projection {
    case "equirectangular", nil: equirectangular(facts, size)
    case "cylindrical": cylindrical(facts, size)
    default: nil
    }
  }

  private static func equirectangular(_ facts: PanoramaFacts, _ size: PixelSize) -> PictureCoverage? {
    guard let full = facts.fullSize else { return facts.projection == nil ? nil : .sphere(size) }
    let crop = facts.crop ?? PixelRect(x: 0, y: 0, width: full.width, height: full.height)
    guard isShape(crop, size) else { return nil }
    let (width, height) = (Double(full.width), Double(full.height))
    let across = 360 * Double(crop.width) / width
    return PictureCoverage(
      projection: .equirectangular, horizontalDegrees: max(PictureCoverage.smallestDegrees, across),
      topDegrees: 90 - 180 * Double(crop.y) / height,
      bottomDegrees: 90 - 180 * Double(crop.y + crop.height) / height,
      isFullTurn: across >= fullTurnDegrees,
      offsetDegrees: 360 * (Double(crop.x) + Double(crop.width) / 2) / width - 180
    ).usable
  }

  private static func cylindrical(_ facts: PanoramaFacts, _ size: PixelSize) -> PictureCoverage? {
    guard let full = facts.fullSize else {
      return .cylinder(size, horizontalDegrees: 360, isFullTurn: true)
    }
    let crop = facts.crop ?? PixelRect(x: 0, y: 0, width: full.width, height: full.height)
    guard isShape(crop, size) else { return nil }
    let radius = Double(full.width) / (2 * .pi)
    let across = 360 * Double(crop.width) / Double(full.width)
    func pitch(_ row: Int) -> Double { atan((Double(full.height) / 2 - Double(row)) / radius).degrees }
    return PictureCoverage(
      projection: .cylindrical, horizontalDegrees: max(PictureCoverage.smallestDegrees, across),
      topDegrees: min(PictureCoverage.highestOnCylinder, pitch(crop.y)),
      bottomDegrees: max(-PictureCoverage.highestOnCylinder, pitch(crop.y + crop.height)),
      isFullTurn: across >= fullTurnDegrees,
      offsetDegrees: 360 * (Double(crop.x) + Double(crop.width) / 2) / Double(full.width) - 180
    ).usable
  }

  private static func isShape(_ crop: PixelRect, _ size: PixelSize) -> Bool {
    let ratio = Double(crop.width) * Double(size.height) / (Double(crop.height) * Double(size.width))
    return abs(ratio - 1) <= shapeTolerance
  }
}

extension PictureCoverage {
  /// nil if too little is covered to look around in.
  fileprivate var usable: PictureCoverage? {
    topDegrees - bottomDegrees >= Self.smallestDegrees ? self : nil
  }
}
