/// The directions that a picture covers. Yaw 0 is the picture's middle, pitch 0 the horizon.
public struct PictureGeometry: Sendable, Hashable {
  public let kind: PictureKind
  /// Upright, of the full picture.
  public let size: PixelSize
  /// At most 360.
  public let horizontalDegrees: Double
  public let topPitchDegrees: Double
  public let bottomPitchDegrees: Double
  public let initialYawDegrees: Double
  public let initialPitchDegrees: Double
  public let initialFieldOfViewDegrees: Double
  /// Yaw of compass north; nil unless the picture gives its heading.
  public let northYawDegrees: Double?
  /// A sentence that explains the kind.
  public let reason: String

  let coverage: PictureCoverage
  /// The kinds that `next` goes through.
  private let choices: [PictureKind]

  /// The kind that the picture's data or shape suggest.
  public init(_ header: PictureHeader) {
    let guess = PictureGuess(header)
    self.init(header, guess, guess.kind)
  }

  /// The kind that a member chose. The picture's own angles count where they describe this kind.
  public init(_ header: PictureHeader, as kind: PictureKind) {
    self.init(header, PictureGuess(header), kind)
  }

  private init(_ header: PictureHeader, _ guess: PictureGuess, _ kind: PictureKind) {
    let described = kind == guess.described ? guess.coverage : nil
    let coverage = described ?? PictureGuess.usual(kind, header)
    let facts = described == nil ? nil : header.panorama
    self.kind = kind
    self.coverage = coverage
    size = header.size
    horizontalDegrees = coverage.horizontalDegrees
    topPitchDegrees = coverage.topDegrees
    bottomPitchDegrees = coverage.bottomDegrees
    reason = kind == guess.kind ? guess.reason : Self.chosen(kind)
    choices = guess.choices

    // A phone records its direction at one end of a sweep, so that says little about the middle.
    let heading = facts?.headingDegrees ?? (kind == .sphere ? header.imageDirectionDegrees : nil)
    let north = heading.map { (-$0 - coverage.offsetDegrees).turnedDegrees }
    northYawDegrees = north
    // Without a heading, the specification's compass angle can only be meant relative to the middle.
    initialYawDegrees =
      facts?.initialHeadingDegrees.map { ($0 + (north ?? -coverage.offsetDegrees)).turnedDegrees }
      ?? coverage.middle.yawDegrees
    initialPitchDegrees = facts?.initialPitchDegrees ?? coverage.middle.pitchDegrees
    initialFieldOfViewDegrees =
      facts?.initialFieldOfViewDegrees
      ?? min(kind == .sphere ? 90 : 100, coverage.horizontalDegrees)
  }

  public var canLookAround: Bool { kind != .flat }

  /// The left edge continues at the right edge.
  public var isFullTurn: Bool { coverage.isFullTurn }

  /// The kind to try next: flat and the guessed kind first, then the others that the picture's shape allows.
  public var next: PictureKind {
    guard let at = choices.firstIndex(of: kind) else { return choices.first ?? .flat }
    return choices[(at + 1) % choices.count]
  }

  private static func chosen(_ kind: PictureKind) -> String {
    switch kind {
    case .flat: "Shown flat (your choice)."
    case .sweep: "Shown as a sweep (your choice)."
    case .cylinder: "Shown as a full turn (your choice)."
    case .sphere: "Shown as a sphere (your choice)."
    }
  }
}
