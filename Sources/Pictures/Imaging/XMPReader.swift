/// Finds the GPano fields in an XMP packet: attributes (`GPano:Name="value"`) or elements
/// (`<GPano:Name>value</GPano:Name>`). It is no XML parser: entities, DTDs and nesting have no effect.
struct XMPReader {
  private static let prefix = Array("GPano:".utf8)
  /// A packet in a JPEG segment has at most 64 KiB.
  private static let maxBytes = 256 * 1024
  private static let maxFields = 64

  static func panorama(in packet: UnsafeRawBufferPointer) -> PanoramaFacts? {
    let packet = UnsafeRawBufferPointer(rebasing: packet.prefix(maxBytes))
    let fields = utf8(ofUTF16: packet).map { $0.withUnsafeBytes { Self.fields(in: $0) } } ?? Self.fields(in: packet)
    guard !fields.isEmpty else { return nil }
    var facts = PanoramaFacts()
    facts.projection = fields["ProjectionType"]?.lowercased()
    facts.usesViewer = boolean(fields["UsePanoramaViewer"])
    facts.captureSoftware = fields["CaptureSoftware"]
    facts.stitchingSoftware = fields["StitchingSoftware"]
    facts.firstPhotoDate = fields["FirstPhotoDate"]
    facts.lastPhotoDate = fields["LastPhotoDate"]
    facts.sourcePhotos = size(fields["SourcePhotosCount"])
    facts.hasLockedExposure = boolean(fields["ExposureLockUsed"])
    if let width = size(fields["FullPanoWidthPixels"]), let height = size(fields["FullPanoHeightPixels"]) {
      facts.fullSize = PixelSize(width: width, height: height)
      if let x = offset(fields["CroppedAreaLeftPixels"]), let y = offset(fields["CroppedAreaTopPixels"]),
        let cropWidth = size(fields["CroppedAreaImageWidthPixels"]),
        let cropHeight = size(fields["CroppedAreaImageHeightPixels"]),
        x + cropWidth <= width, y + cropHeight <= height
      {
        facts.crop = PixelRect(x: x, y: y, width: cropWidth, height: cropHeight)
      }
    }
    facts.headingDegrees = degrees(fields["PoseHeadingDegrees"], 0...360)
    facts.pitchDegrees = degrees(fields["PosePitchDegrees"], -90...90)
    facts.rollDegrees = degrees(fields["PoseRollDegrees"], -180...180)
    facts.initialHeadingDegrees = degrees(fields["InitialViewHeadingDegrees"], 0...360)
    facts.initialPitchDegrees = degrees(fields["InitialViewPitchDegrees"], -90...90)
    facts.initialRollDegrees = degrees(fields["InitialViewRollDegrees"], -180...180)
    facts.initialVerticalFieldOfViewDegrees = degrees(fields["InitialVerticalFOVDegrees"], 0.001...180)
    facts.initialDolly = degrees(fields["InitialCameraDolly"], -1...1)
    facts.initialFieldOfViewDegrees = degrees(fields["InitialHorizontalFOVDegrees"], 0.001...180)
    return facts
  }

  /// A packet in UTF-16, which WebP files may have, in UTF-8; nil for any other, and for one that is too long. It begins
  /// with a byte order mark or with `<`.
  static func utf8(ofUTF16 packet: some RandomAccessCollection<UInt8>) -> [UInt8]? {
    guard packet.count <= maxBytes, let first = packet.first, let second = packet.dropFirst().first else { return nil }
    let isBig: Bool
    switch (first, second) {
    case (0xFE, 0xFF), (0, 0x3C): isBig = true
    case (0xFF, 0xFE), (0x3C, 0): isBig = false
    default: return nil
    }
    var units: [UInt16] = []
    units.reserveCapacity(packet.count / 2)
    var rest = packet[...]
    while let one = rest.popFirst(), let other = rest.popFirst() {
      units.append(isBig ? UInt16(one) << 8 | UInt16(other) : UInt16(other) << 8 | UInt16(one))
    }
    return Array(String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self).utf8)
  }

  private static func fields(in packet: UnsafeRawBufferPointer) -> [String: String] {
    let reader = ByteReader(packet)
    var found: [String: String] = [:]
    var seen = 0
    var at = 0
    while at + prefix.count < packet.count, seen < maxFields {
      guard packet[at] == prefix[0], reader.has(prefix, at: at) else {
        at += 1
        continue
      }
      at += prefix.count
      let opened = at > prefix.count ? packet[at - prefix.count - 1] : 0
      if opened == UInt8(ascii: "/") { continue }
      seen += 1
      let name = word(reader, &at, limit: 48) { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
      guard let value = value(reader, &at), !name.isEmpty, found[name] == nil else { continue }
      found[name] = value
    }
    return found
  }

  private static func value(_ reader: ByteReader, _ at: inout Int) -> String? {
    skipSpace(reader, &at)
    let end: UInt8
    if reader.byte(at) == Int(UInt8(ascii: ">")) {
      end = UInt8(ascii: "<")
    } else {
      guard reader.byte(at) == Int(UInt8(ascii: "=")) else { return nil }
      at += 1
      skipSpace(reader, &at)
      guard let quote = reader.byte(at), quote == 0x22 || quote == 0x27 else { return nil }
      end = UInt8(quote)
    }
    at += 1
    let text = word(reader, &at, limit: 64) { $0 != end && $0 >= 0x20 && $0 < 0x7F }
    guard reader.byte(at) == Int(end) else { return nil }
    let trimmed = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  private static func skipSpace(_ reader: ByteReader, _ at: inout Int) {
    while let byte = reader.byte(at), byte == 0x20 || (9...13).contains(byte) { at += 1 }
  }

  private static func word(
    _ reader: ByteReader, _ at: inout Int, limit: Int, while belongs: (UInt8) -> Bool
  ) -> String {
    let start = at
    while let byte = reader.byte(at), at - start < limit, belongs(UInt8(byte)) { at += 1 }
    return String(decoding: reader.bytes[start..<at], as: UTF8.self)
  }

  private static func size(_ text: String?) -> Int? { whole(text, 1...1_000_000) }

  private static func offset(_ text: String?) -> Int? { whole(text, 0...1_000_000) }

  /// Some cameras write `8000.0`.
  private static func whole(_ text: String?, _ range: ClosedRange<Double>) -> Int? {
    guard let number = degrees(text, range), number == number.rounded() else { return nil }
    return Int(number)
  }

  private static func boolean(_ text: String?) -> Bool? {
    switch text?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  private static func degrees(_ text: String?, _ range: ClosedRange<Double>) -> Double? {
    guard let text, let number = Double(text), number.isFinite, range.contains(number) else { return nil }
    return number
  }
}

/// Google's Photo Sphere XMP (https://developers.google.com/streetview/spherical-metadata). Every number is range
/// checked; missing or senseless values are nil.
public struct PanoramaFacts: Sendable, Equatable {
  /// `equirectangular`, `cylindrical`, …, in lower case.
  public var projection: String?
  /// The whole sphere's picture, of which this one may be a part.
  public var fullSize: PixelSize?
  /// The part that this picture covers; nil unless it lies within `fullSize`.
  public var crop: PixelRect?
  /// Compass heading of the picture's centre, 0 to 360.
  public var headingDegrees: Double?
  /// Pitch of the picture's centre, -90 to 90.
  public var pitchDegrees: Double?
  /// -180 to 180.
  public var rollDegrees: Double?
  /// 0 to 360.
  public var initialHeadingDegrees: Double?
  /// -90 to 90.
  public var initialPitchDegrees: Double?
  /// Horizontal, above 0, at most 180.
  public var initialFieldOfViewDegrees: Double?
  /// Above 0, at most 180.
  public var initialVerticalFieldOfViewDegrees: Double?
  /// -180 to 180.
  public var initialRollDegrees: Double?
  /// -1 to 1; a virtual camera's distance from the sphere's middle.
  public var initialDolly: Double?
  /// False asks for a flat view.
  public var usesViewer: Bool?
  /// From the file, like the other texts: show it with care. At most 64 characters of ASCII.
  public var captureSoftware: String?
  public var stitchingSoftware: String?
  public var firstPhotoDate: String?
  public var lastPhotoDate: String?
  public var sourcePhotos: Int?
  public var hasLockedExposure: Bool?

  public init() {}

  public var isEquirectangular: Bool { projection == "equirectangular" }
}
