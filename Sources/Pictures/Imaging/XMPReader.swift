/// Finds fields in XMP packets by their namespace: attributes (`GPano:Name="value"`) or elements
/// (`<GPano:Name>value</GPano:Name>`), under the prefix that the packet gives it. It is no XML parser: entities, DTDs and
/// nesting have no effect.
struct XMPReader {
  private struct Namespace {
    let name: String
    let address: String
    /// nil for all.
    var fields: Set<String>?
  }

  /// Their names are their prefixes in packets that declare none.
  private static let namespaces = [
    Namespace(name: "GPano", address: "http://ns.google.com/photos/1.0/panorama/"),
    Namespace(
      name: "exif", address: "http://ns.adobe.com/exif/1.0/", fields: ["DateTimeOriginal", "DateTimeDigitized"]),
    Namespace(name: "photoshop", address: "http://ns.adobe.com/photoshop/1.0/", fields: ["DateCreated"]),
    Namespace(name: "xmp", address: "http://ns.adobe.com/xap/1.0/", fields: ["CreateDate"]),
    Namespace(
      name: "GCamera", address: "http://ns.google.com/photos/1.0/camera/",
      fields: ["MotionPhoto", "MicroVideo", "MicroVideoOffset"]),
    Namespace(name: "Container", address: "http://ns.google.com/photos/1.0/container/", fields: ["Item"]),
    Namespace(
      name: "Item", address: "http://ns.google.com/photos/1.0/container/item/", fields: ["Semantic", "Length"]),
    Namespace(name: "hdrgm", address: "http://ns.adobe.com/hdr-gain-map/1.0/", fields: ["Version"]),
    Namespace(name: "xmpNote", address: "http://ns.adobe.com/xmp/note/", fields: ["HasExtendedXMP"]),
  ]
  /// One segment of a JPEG has at most 64 KiB; extended packets with pictures inside have megabytes.
  static let maxBytes = 8 << 20
  private static let maxFields = 64

  /// By name, such as `GPano:ProjectionType`. The first field of a name counts.
  private var fields: [String: String] = [:]
  /// The parts of the file: what each is, and its bytes.
  private var items: [(semantic: String?, length: Int?)] = []

  init() {}

  init(_ packet: UnsafeRawBufferPointer) { read(packet) }

  mutating func read(_ packet: UnsafeRawBufferPointer) {
    let packet = UnsafeRawBufferPointer(rebasing: packet.prefix(Self.maxBytes))
    if let text = Self.utf8(ofUTF16: packet) { return text.withUnsafeBytes { read($0) } }
    let reader = ByteReader(packet)
    let prefixes = Self.prefixes(reader)
    var seen = 0
    var at = 0
    while seen < Self.maxFields, let prefix = Self.nextPrefix(reader, &at) {
      guard let namespace = prefixes.first(where: { $0.prefix.elementsEqual(reader.bytes[prefix]) })?.namespace,
        reader.byte(prefix.lowerBound - 1) != Int(UInt8(ascii: "/"))
      else { continue }
      var end = at
      let name = Self.word(reader, &end, limit: 48) { (0x61...0x7A).contains($0 | 0x20) }
      guard namespace.fields?.contains(name) != false else { continue }
      seen += 1
      let key = namespace.name + ":" + name
      if key == "Container:Item" {
        items.append((nil, nil))
        continue
      }
      if namespace.name == "Item", let last = items.indices.last, let value = Self.value(reader, &end) {
        if name == "Semantic" { items[last].semantic = value } else { items[last].length = Self.length(value) }
        at = end
        continue
      }
      guard !name.isEmpty, fields[key] == nil, let value = Self.value(reader, &end) else { continue }
      fields[key] = value
      at = end
    }
  }

  /// `xmpNote:HasExtendedXMP`: names the extended packet.
  var extended: String? { fields["xmpNote:HasExtendedXMP"] }

  /// A film follows the picture (https://developer.android.com/media/platform/motion-photo-format).
  var hasFilm: Bool { fields["GCamera:MotionPhoto"] == "1" || fields["GCamera:MicroVideo"] == "1" }

  /// As the file says. The older form counts back from its end.
  var filmBytes: Int? {
    items.first { $0.semantic == "MotionPhoto" }?.length ?? fields["GCamera:MicroVideoOffset"].flatMap(Self.length)
  }

  /// A second picture says how bright the first is on other screens: "Ultra HDR" (ISO 21496-1).
  var hasGainMap: Bool { fields["hdrgm:Version"] != nil }

  var captured: CaptureDate? {
    ["exif:DateTimeOriginal", "exif:DateTimeDigitized", "photoshop:DateCreated", "xmp:CreateDate"].lazy
      .compactMap { fields[$0].flatMap(CaptureDate.init(iso:)) }.first
  }

  var panorama: PanoramaFacts? {
    let fields = fields.filter { $0.key.hasPrefix("GPano:") }
    guard !fields.isEmpty else { return nil }
    func field(_ name: String) -> String? { fields["GPano:" + name] }
    var facts = PanoramaFacts()
    facts.projection = field("ProjectionType")?.lowercased()
    facts.usesViewer = Self.boolean(field("UsePanoramaViewer"))
    if let width = Self.size(field("FullPanoWidthPixels")), let height = Self.size(field("FullPanoHeightPixels")) {
      facts.fullSize = PixelSize(width: width, height: height)
      if let x = Self.whole(field("CroppedAreaLeftPixels"), -1_000_000...1_000_000),
        let y = Self.whole(field("CroppedAreaTopPixels"), 0...1_000_000),
        let cropWidth = Self.size(field("CroppedAreaImageWidthPixels")),
        let cropHeight = Self.size(field("CroppedAreaImageHeightPixels")),
        abs(x) < width, cropWidth <= width, y + cropHeight <= height
      {
        facts.crop = PixelRect(x: x < 0 ? x + width : x, y: y, width: cropWidth, height: cropHeight)
      }
    }
    facts.headingDegrees = Self.heading(field("PoseHeadingDegrees"))
    facts.pitchDegrees = Self.degrees(field("PosePitchDegrees"), -90...90)
    facts.rollDegrees = Self.degrees(field("PoseRollDegrees"), -180...180)
    facts.initialHeadingDegrees = Self.heading(field("InitialViewHeadingDegrees"))
    facts.initialPitchDegrees = Self.degrees(field("InitialViewPitchDegrees"), -90...90)
    facts.initialRollDegrees = Self.degrees(field("InitialViewRollDegrees"), -180...180)
    facts.initialVerticalFieldOfViewDegrees = Self.degrees(field("InitialVerticalFOVDegrees"), 0.001...180)
    facts.initialFieldOfViewDegrees = Self.degrees(field("InitialHorizontalFOVDegrees"), 0.001...180)
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

  /// The prefixes that the packet gives the namespaces. A usual one holds unless it is another namespace's there.
  private static func prefixes(_ reader: ByteReader) -> [(prefix: [UInt8], namespace: Namespace)] {
    var found = namespaces.map { (prefix: Array($0.name.utf8), namespace: $0) }
    var others: [[UInt8]] = []
    var at = 0
    while found.count + others.count < maxFields, let before = nextPrefix(reader, &at) {
      guard reader.bytes[before].elementsEqual("xmlns".utf8) else { continue }
      let prefix = Array(word(reader, &at, limit: 48, while: isName).utf8)
      guard let address = value(reader, &at) else { continue }
      if let namespace = namespaces.first(where: { $0.address == address }) {
        found.insert((prefix, namespace), at: 0)
      } else {
        others.append(prefix)
      }
    }
    let usual = found.suffix(namespaces.count).filter { !others.contains($0.prefix) }
    return found.dropLast(namespaces.count) + usual
  }

  /// The range of the name before the next colon; `at` is moved behind that.
  private static func nextPrefix(_ reader: ByteReader, _ at: inout Int) -> Range<Int>? {
    while at < reader.count {
      defer { at += 1 }
      guard reader.bytes[at] == UInt8(ascii: ":") else { continue }
      var start = at
      while start > 0, at - start < 48, isName(reader.bytes[start - 1]) { start -= 1 }
      if start < at { return start..<at }
    }
    return nil
  }

  private static func value(_ reader: ByteReader, _ at: inout Int) -> String? {
    skipSpace(reader, &at)
    if let byte = reader.byte(at), isName(UInt8(byte)) {
      // An element with attributes of its own, such as `xml:lang`.
      _ = word(reader, &at, limit: 200) { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
      if reader.byte(at - 1) == Int(UInt8(ascii: "/")) { return nil }
    }
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
    skipSpace(reader, &at)
    let text = word(reader, &at, limit: 64) { $0 != end && $0 >= 0x20 && $0 < 0x7F }
    skipSpace(reader, &at)
    guard reader.byte(at) == Int(end) else { return nil }
    let trimmed = text.reversed().drop { $0 == " " }.reversed()
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// Letters, also those of several bytes, digits, `-`, `.` and `_`.
  private static func isName(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case 0x61...0x7A, 0x80...: true
    default: (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }
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

  private static func length(_ text: String) -> Int? { whole(text, 1...1e12) }

  private static func size(_ text: String?) -> Int? { whole(text, 1...1_000_000) }

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

  /// 450 is 90.
  private static func heading(_ text: String?) -> Double? {
    guard let number = degrees(text, -36_000...36_000) else { return nil }
    return (0...360).contains(number) ? number : number - 360 * (number / 360).rounded(.down)
  }
}

/// Google's Photo Sphere XMP (https://developers.google.com/streetview/spherical-metadata). Every number is range
/// checked; missing or senseless values are nil.
public struct PanoramaFacts: Sendable, Equatable {
  /// `equirectangular`, `cylindrical`, …, in lower case.
  public var projection: String?
  /// The whole sphere's picture, of which this one may be a part.
  public var fullSize: PixelSize?
  /// The part that this picture covers; nil unless it lies within `fullSize`. It may go over the right edge, where the
  /// left one continues.
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
  /// False asks for a flat view.
  public var usesViewer: Bool?

  public init() {}

  public var isEquirectangular: Bool { projection == "equirectangular" }
}
