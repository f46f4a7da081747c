/// How a picture was exposed (EXIF 2.32). Values that no camera has are nil.
public struct Exposure: Sendable, Equatable {
  public internal(set) var seconds: Double?
  /// The focal length divided by this is the width of the opening.
  public internal(set) var aperture: Double?
  /// ISO 12232.
  public internal(set) var speed: Int?

  public init(seconds: Double? = nil, aperture: Double? = nil, speed: Int? = nil) {
    (self.seconds, self.aperture, self.speed) = (seconds, aperture, speed)
  }

  /// From 1/100,000 of a second to a day.
  static func seconds(_ value: Double) -> Double? { (0.00001...86_400).contains(value) ? value : nil }

  static func aperture(_ value: Double) -> Double? { (0.1...1000).contains(value) ? value : nil }

  static func speed(_ value: Int) -> Int? { (1...100_000_000).contains(value) ? value : nil }

  /// `1/250 s, f/1.8, ISO 100`, as far as known; empty if nothing is.
  public var words: String {
    [
      seconds.map { $0 < 0.3 ? "1/\(Int((1 / $0).rounded())) s" : "\(Self.tenths($0)) s" },
      aperture.map { "f/\(Self.tenths($0))" }, speed.map { "ISO \($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
  }

  /// `24 mm`, `6.8 mm`.
  static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}

extension PictureHeader {
  /// `6.8 mm (24 mm on film)`: the focal length, and that of a camera for 35 mm film with the same view.
  public var focalLengthWords: String? {
    let film = focalLength35Millimetres.map { "\(Exposure.tenths($0)) mm on film" }
    guard let own = focalLengthMillimetres else { return film }
    return "\(Exposure.tenths(own)) mm" + (film.map { " (\($0))" } ?? "")
  }
}

extension PicturePosition: CustomStringConvertible {
  /// `48.51000, -16.25000`, about a metre exact, as maps read it.
  public var description: String {
    [latitude, longitude].map { degrees in
      let parts = Int((abs(degrees) * 100_000).rounded())
      let digits = String(parts % 100_000)
      return (degrees < 0 && parts > 0 ? "-" : "") + "\(parts / 100_000)."
        + String(repeating: "0", count: 5 - digits.count) + digits
    }.joined(separator: ", ")
  }
}

/// In degrees; north and east are positive.
public struct PicturePosition: Sendable, Hashable {
  public let latitude: Double
  public let longitude: Double

  /// nil beyond the globe.
  public init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
  }
}
