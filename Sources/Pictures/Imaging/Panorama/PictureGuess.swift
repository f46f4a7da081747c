import POSIX

/// The kind that a picture's data or shape suggest, and the evidence.
struct PictureGuess {
  private(set) var kind: PictureKind
  private(set) var reason: String
  /// The kind that `coverage` is for; it differs from `kind` if the data ask for a flat view.
  private(set) var described: PictureKind
  /// nil for a flat picture.
  private(set) var coverage: PictureCoverage?
  private(set) var choices: [PictureKind] = []

  /// Full spheres of current cameras are 5,000 to 12,000 pixels wide; small pictures of this shape are banners.
  private static let narrowestSphere = 2000
  /// Wider than the films of cinemas show (2.39) is rare, and phones start a sweep at about this.
  private static let sweepAspect = 2.2
  /// The vertical field of view of a phone that is held upright, when its focal length is unknown.
  private static let usualVerticalDegrees = 60.0

  init(_ header: PictureHeader) {
    self = Self.fromFacts(header) ?? Self.fromMark(header) ?? Self.fromShape(header)
    choices = Self.choices(self, header.size)
  }

  private init(_ kind: PictureKind, _ coverage: PictureCoverage?, _ reason: String) {
    (self.kind, self.described, self.coverage, self.reason) = (kind, kind, coverage, reason)
  }

  private static func fromFacts(_ header: PictureHeader) -> PictureGuess? {
    guard let facts = header.panorama, var coverage = GPanoCoverage.read(facts, header.size) else { return nil }
    coverage.posePitchDegrees = facts.pitchDegrees ?? 0
    coverage.poseRollDegrees = facts.rollDegrees ?? 0
    let across = Int(coverage.horizontalDegrees.rounded())
    let down = Int((coverage.topDegrees - coverage.bottomDegrees).rounded())
    var guess: PictureGuess
    if coverage.projection == .equirectangular, down >= 100 {
      let whole = coverage.isFullTurn && down == 180
      guess = PictureGuess(
        .sphere, coverage,
        whole
          ? "Its GPano data say that it covers the whole sphere."
          : "Its GPano data say that it covers \(across) by \(down) degrees of a sphere.")
    } else if coverage.isFullTurn {
      guess = PictureGuess(.cylinder, coverage, "Its GPano data say that it covers a full turn.")
    } else {
      guess = PictureGuess(.sweep, coverage, "Its GPano data say that it covers \(across) degrees of a turn.")
    }
    if facts.usesViewer == false {
      guess.kind = .flat
      guess.reason = "Its GPano data describe a panorama and ask for a flat view."
    }
    return guess
  }

  private static func fromMark(_ header: PictureHeader) -> PictureGuess? {
    guard let mark = header.panoramaMark else { return nil }
    guard header.size.width > header.size.height else {
      return PictureGuess(.flat, nil, "The phone marked it as a panorama, which is upright.")
    }
    let maker = mark == .customRendered ? "EXIF data mark" : "Samsung trailer marks"
    return PictureGuess(.sweep, sweep(header), "Its \(maker) it as a panorama without angles, so they are estimated.")
  }

  private static func fromShape(_ header: PictureHeader) -> PictureGuess {
    let size = header.size
    let aspect = Double(size.width) / Double(size.height)
    if size.width == 2 * size.height, size.width >= narrowestSphere, header.focalLength35Millimetres == nil {
      return PictureGuess(
        .sphere, .sphere, "It is exactly twice as wide as high and says nothing else, so it is probably a sphere.")
    }
    if aspect > sweepAspect {
      return PictureGuess(
        .sweep, sweep(header), "It is more than 2.2 times as wide as high, so it is probably a sweep.")
    }
    return PictureGuess(.flat, nil, "Neither its data nor its shape are those of a panorama.")
  }

  /// Angles for a kind that the data do not describe.
  static func usual(_ kind: PictureKind, _ header: PictureHeader) -> PictureCoverage {
    switch kind {
    case .flat: flat(header)
    case .sweep: sweep(header)
    case .cylinder: .cylinder(header.size, horizontalDegrees: 360, isFullTurn: true)
    case .sphere: .sphere(header.size)
    }
  }

  /// The longer side of a film is 36 mm; a phone that is held upright has it from top to bottom.
  private static func sweep(_ header: PictureHeader) -> PictureCoverage {
    let vertical = header.focalLength35Millimetres.map { 2 * atan(18 / $0) } ?? usualVerticalDegrees.radians
    let radius = Double(header.size.height) / 2 / tan(vertical / 2)
    let across = (Double(header.size.width) / radius).degrees
    return .cylinder(header.size, horizontalDegrees: across, isFullTurn: false)
  }

  private static func flat(_ header: PictureHeader) -> PictureCoverage {
    let (width, height) = (Double(header.size.width), Double(header.size.height))
    // 36 mm for the longer side; 60 degrees if the lens is unknown.
    let slope = header.focalLength35Millimetres.map { 18 / $0 } ?? tan(30.0.radians)
    let across = 2 * atan(slope * min(1, width / height))
    let down = atan(slope * min(1, height / width)).degrees
    return PictureCoverage(
      projection: .cylindrical, horizontalDegrees: max(PictureCoverage.smallestDegrees, across.degrees),
      topDegrees: max(0.25, down), bottomDegrees: -max(0.25, down))
  }

  private static func choices(_ guess: PictureGuess, _ size: PixelSize) -> [PictureKind] {
    let aspect = Double(size.width) / Double(size.height)
    var choices: [PictureKind] = [guess.kind]
    func add(_ kind: PictureKind) { if !choices.contains(kind) { choices.append(kind) } }
    add(.flat)
    add(guess.described)
    if aspect > 1.2 { add(.sweep) }
    if aspect > 3 { add(.cylinder) }
    if aspect >= 1.5 { add(.sphere) }
    return choices
  }
}

/// The shape of the world in a picture.
public enum PictureKind: String, Sendable, Hashable, CaseIterable {
  case flat
  /// A part of a cylinder, as phones take it while they turn.
  case sweep
  /// A full turn that leaves out the sky and the ground.
  case cylinder
  case sphere
}

/// A note of the camera's maker that a picture is a panorama, without any angles.
public enum PanoramaMark: Sendable, Hashable {
  /// Apple's value 6 of EXIF's CustomRendered (ExifTool, tag names EXIF, 0xA401).
  case customRendered
  /// Samsung's trailer of a JPEG has an entry of kind 0x08E0 (ExifTool, `Samsung.pm`).
  case samsungTrailer
}
