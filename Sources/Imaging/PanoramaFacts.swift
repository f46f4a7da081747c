/// What a picture says about itself as a panorama: Google's Photo Sphere XMP
/// (https://developers.google.com/streetview/spherical-metadata), attributes or elements. Every number is range
/// checked; what is missing or senseless is nil.
public struct PanoramaFacts: Sendable, Equatable {
  /// `equirectangular`, `cylindrical`, …, in lower case.
  public var projection: String?
  /// The size of the whole sphere's picture, of which this one may be a part.
  public var fullSize: PixelSize?
  /// The part that this picture is; nil unless it lies within `fullSize`.
  public var crop: PixelRect?
  /// Compass heading of the picture's centre in degrees, 0 to 360.
  public var headingDegrees: Double?
  /// Pitch of the picture's centre in degrees, -90 to 90.
  public var pitchDegrees: Double?
  /// Roll in degrees, -180 to 180.
  public var rollDegrees: Double?
  /// Where to look first: heading in degrees, 0 to 360.
  public var initialHeadingDegrees: Double?
  /// Where to look first: pitch in degrees, -90 to 90.
  public var initialPitchDegrees: Double?
  /// How wide to look first: horizontal field of view in degrees, above 0, at most 180.
  public var initialFieldOfViewDegrees: Double?

  /// Nothing said.
  public init() {}

  /// True when the picture is a sphere, or a part of one, in equirectangular projection.
  public var isEquirectangular: Bool { projection == "equirectangular" }
}
