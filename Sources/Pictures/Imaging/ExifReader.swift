/// Reads a few facts of EXIF data (TIFF 6.0 structure, EXIF 2.32 tags). It checks every offset and reads each directory
/// at most once, with at most 512 entries.
struct ExifReader {
  var orientation: Orientation?
  var make: String?
  var model: String?
  /// When it was taken, else when it was digitized.
  var captured: CaptureDate?
  var modified: CaptureDate?
  var hasPosition = false
  var position: PicturePosition?
  var thumbnail: Range<Int>?
  var customRendered: Int?
  /// Above 0, at most 10,000, like `focalLength35Millimetres`.
  var focalLengthMillimetres: Double?
  var focalLength35Millimetres: Double?
  /// 0 to 360.
  var imageDirectionDegrees: Double?
  var lens: String?
  var exposure = Exposure()
  /// By the satellites' clock, when the place was found.
  var located: CaptureDate?

  private static let maxEntries = 512

  init(_ data: UnsafeRawBufferPointer) {
    var reader = ByteReader(data)
    if reader.has([0x49, 0x49, 0x2A, 0x00], at: 0) {
      reader.littleEndian = true
    } else if !reader.has([0x4D, 0x4D, 0x00, 0x2A], at: 0) {
      return
    }
    guard let first = reader.long(4) else { return }
    var visited: Set<Int> = []
    var exif: Int?
    var position: Int?
    var digitized: CaptureDate?
    var zones: [Int: String] = [:]
    // The second counts where the first, of 16 bits, does not suffice.
    var speeds: [Int?] = [nil, nil]
    let second = Self.directory(reader, at: first, &visited) { tag, kind, count, at in
      switch tag {
      case 0x0112: orientation = Self.integer(reader, kind, at).flatMap(Orientation.init)
      case 0x010F: make = Self.text(reader, kind, count, at)
      case 0x0110: model = Self.text(reader, kind, count, at)
      case 0x0132: modified = Self.text(reader, kind, count, at).flatMap(CaptureDate.init(exif:))
      case 0x8769: exif = Self.integer(reader, kind, at)
      case 0x8825: position = Self.integer(reader, kind, at)
      default: break
      }
    }
    if let exif {
      _ = Self.directory(reader, at: exif, &visited) { tag, kind, count, at in
        switch tag {
        case 0x829A: exposure.seconds = Self.rational(reader, kind, at).flatMap(Exposure.seconds)
        case 0x829D: exposure.aperture = Self.rational(reader, kind, at).flatMap(Exposure.aperture)
        case 0x8827: speeds[0] = Self.integer(reader, kind, count == 1 ? at : -1)
        case 0x8832: speeds[1] = Self.integer(reader, kind, at)
        case 0xA434: lens = Self.text(reader, kind, count, at)
        case 0x9003: captured = Self.text(reader, kind, count, at).flatMap(CaptureDate.init(exif:))
        case 0x9004: digitized = Self.text(reader, kind, count, at).flatMap(CaptureDate.init(exif:))
        case 0x9010...0x9012: zones[tag] = Self.text(reader, kind, count, at).flatMap(CaptureDate.zone)
        case 0x920A: focalLengthMillimetres = Self.length(Self.rational(reader, kind, at))
        case 0xA401: customRendered = Self.integer(reader, kind, at)
        case 0xA405: focalLength35Millimetres = Self.length(Self.integer(reader, kind, at).map(Double.init))
        default: break
        }
      }
    }
    modified?.zone = zones[0x9010]
    captured?.zone = zones[0x9011]
    digitized?.zone = zones[0x9012]
    captured = captured ?? digitized
    exposure.speed = (speeds[0] == 65535 ? speeds[1] : speeds[0] ?? speeds[1]).flatMap(Exposure.speed)
    if let position {
      var (isSouth, isWest, latitude, longitude) = (false, false, Double?.none, Double?.none)
      var (day, seconds) = (String?.none, Double?.none)
      _ = Self.directory(reader, at: position, &visited) { tag, kind, count, at in
        switch tag {
        case 0x0001: isSouth = Self.text(reader, kind, count, at) == "S"
        case 0x0002:
          latitude = Self.angle(reader, kind, count, at)
          hasPosition = hasPosition || !Self.isBlank(reader, kind, count, at)
        case 0x0003: isWest = Self.text(reader, kind, count, at) == "W"
        case 0x0004:
          longitude = Self.angle(reader, kind, count, at)
          hasPosition = hasPosition || !Self.isBlank(reader, kind, count, at)
        case 0x0007: seconds = Self.angle(reader, kind, count, at).map { $0 * 3600 }
        case 0x001D: day = Self.text(reader, kind, count, at)
        case 0x0011:
          if let degrees = Self.rational(reader, kind, at), degrees <= 360 { imageDirectionDegrees = degrees }
        default: break
        }
      }
      if let day, let seconds { located = CaptureDate(utcDay: day, seconds: seconds) }
      if let latitude, let longitude {
        self.position = PicturePosition(
          latitude: isSouth ? -latitude : latitude, longitude: isWest ? -longitude : longitude)
      }
    }
    var start: Int?
    var length: Int?
    if let second, second != 0 {
      _ = Self.directory(reader, at: second, &visited) { tag, kind, _, at in
        if tag == 0x0201 { start = Self.integer(reader, kind, at) }
        if tag == 0x0202 { length = Self.integer(reader, kind, at) }
      }
    }
    if let start, let length, length >= 100, start >= 8, length <= reader.count, start <= reader.count - length,
      reader.has([0xFF, 0xD8, 0xFF], at: start)
    {
      thumbnail = start..<(start + length)
    }
  }

  /// Calls `entry` with tag, type, count and value offset. Returns the offset of the next directory.
  private static func directory(
    _ reader: ByteReader, at offset: Int, _ visited: inout Set<Int>, _ entry: (Int, Int, Int, Int) -> Void
  ) -> Int? {
    guard visited.insert(offset).inserted, let count = reader.short(offset), count <= maxEntries else {
      return nil
    }
    for index in 0..<count {
      let at = offset + 2 + index * 12
      guard let tag = reader.short(at), let kind = reader.short(at + 2), let length = reader.long(at + 4) else {
        return nil
      }
      entry(tag, kind, length, at + 8)
    }
    return reader.long(offset + 2 + count * 12)
  }

  private static func integer(_ reader: ByteReader, _ kind: Int, _ at: Int) -> Int? {
    switch kind {
    case 3: reader.short(at)
    case 4: reader.long(at)
    default: nil
    }
  }

  /// Two longs: a numerator and a denominator that is not 0.
  private static func rational(_ reader: ByteReader, _ kind: Int, _ at: Int) -> Double? {
    guard kind == 5, let offset = reader.long(at) else { return nil }
    return rational(reader, offset)
  }

  private static func rational(_ reader: ByteReader, _ offset: Int) -> Double? {
    guard let above = reader.long(offset), let below = reader.long(offset + 4), below > 0 else { return nil }
    return Double(above) / Double(below)
  }

  /// Degrees, minutes and seconds, as degrees.
  private static func angle(_ reader: ByteReader, _ kind: Int, _ count: Int, _ at: Int) -> Double? {
    guard kind == 5, count == 3, let offset = reader.long(at), let degrees = rational(reader, offset),
      let minutes = rational(reader, offset + 8), let seconds = rational(reader, offset + 16)
    else { return nil }
    return degrees + minutes / 60 + seconds / 3600
  }

  /// An angle of nothing but zeros: phones that may not know where they are write it.
  private static func isBlank(_ reader: ByteReader, _ kind: Int, _ count: Int, _ at: Int) -> Bool {
    guard kind == 5, count == 3, let offset = reader.long(at), let bytes = reader.slice(offset, 24) else {
      return false
    }
    return bytes.count == 24 && bytes.allSatisfy { $0 == 0 }
  }

  /// 0 stands for "unknown".
  private static func length(_ millimetres: Double?) -> Double? {
    guard let millimetres, millimetres >= 0.1, millimetres <= 10_000 else { return nil }
    return millimetres
  }

  private static func text(_ reader: ByteReader, _ kind: Int, _ count: Int, _ at: Int) -> String? {
    guard kind == 2, count > 0 else { return nil }
    if count <= 4 { return reader.text(at, count) }
    guard let offset = reader.long(at) else { return nil }
    return reader.text(offset, count)
  }
}
