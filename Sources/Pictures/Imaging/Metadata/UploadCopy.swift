/// Copies of pictures for sending: smaller, or without the place where they were taken.
public enum UploadCopy {
  /// The same picture without its place, not decoded: pixels, orientation, date, camera, colours and panorama facts stay.
  /// Everything that may name a place goes: GPS data, the camera maker's notes, texts, and what follows the picture.
  /// - Throws: `corrupt` if the file cannot be taken apart safely; `unsupported`.
  public static func withoutPlace(_ bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    let header = try PictureHeader.read(bytes)
    var metadata = try PictureMetadata(of: bytes, header.format)
    metadata.exif = metadata.exif.flatMap(ExifCopy(dropsLocation: true).copy)
    metadata.xmp = metadata.xmp.flatMap { packet in
      let isWhole = !XMPText.namesPlace(packet) && XMPText.hasFacts(packet, header.panorama)
      return isWhole ? packet : header.panorama.map(XMPText.packet)
    }
    let copy = try metadata.put(into: bytes, header.format, header: header)
    // Nothing leaves this machine that was not read again.
    let read = try PictureHeader.read(copy)
    guard !read.hasPosition, read.storedSize == header.storedSize, read.orientation == header.orientation else {
      throw ImageError(
        .unsupported, "byteclub cannot remove the place from the picture.",
        remedy: "Remove it with another program, then upload the result.")
    }
    return copy
  }

  /// Gives an upright copy, which the decoder made, the metadata of its original that still hold.
  /// - Throws: as `withoutPlace`.
  public static func describing(
    _ copy: [UInt8], as original: [UInt8], withPlace: Bool
  ) throws(ImageError) -> [UInt8] {
    let (header, small) = (try PictureHeader.read(original), try PictureHeader.read(copy))
    var metadata = try PictureMetadata(of: original, header.format)
    let exif = ExifCopy(
      dropsLocation: !withPlace, orientation: .upright, size: small.storedSize, keepsThumbnail: false)
    metadata.exif = metadata.exif.flatMap(exif.copy)
    metadata.dropColours()
    let facts = header.panorama?.scaled(from: header.size, to: small.storedSize)
    metadata.xmp = metadata.xmp.flatMap { packet in
      if !withPlace && XMPText.namesPlace(packet) || !XMPText.hasFacts(packet, header.panorama) {
        return facts.map(XMPText.packet)
      }
      return XMPText.replacing(XMPText.sizes(facts, small.storedSize), in: packet)
    }
    let made = try metadata.put(into: copy, small.format, header: small)
    let read = try PictureHeader.read(made)
    guard withPlace || !read.hasPosition else {
      throw ImageError(.unsupported, "byteclub cannot remove the place from the picture.")
    }
    return made
  }
}

extension UploadCopy {
  /// The quality of a copy in the picture's own format, or as JPEG; nil for a format, or a kind of it, that loses nothing.
  /// - Throws: `unsupported` if a copy would lose more than its size.
  public static func quality(
    of header: PictureHeader, asJPEG: Bool = false, _ asked: Int?, usual: Int
  ) throws(ImageError) -> Int? {
    if header.hasAlpha {
      throw ImageError(.unsupported, "A copy of the picture would lose its transparent parts.", remedy: asItIs)
    }
    if header.isMoving { throw ImageError(.unsupported, "A copy of the picture would not move.", remedy: asItIs) }
    if asJPEG { return asked ?? usual }
    if !PictureFormat.written.contains(header.format) { throw .unwritten }
    if header.format == .png, asked != nil {
      throw ImageError(
        .unsupported, "The picture is a PNG, which has no quality.", remedy: "Use --max-edge, or save it as JPEG.")
    }
    if header.format == .png || header.isLossless && asked == nil { return nil }
    return asked ?? usual
  }

  private static let asItIs = "Upload it without --quality, --max-edge and --jpeg."
}

extension ImageError {
  static let unwritten = ImageError(
    .unsupported, "byteclub does not write GIF, HEIC or AVIF pictures.", remedy: "Add --jpeg, or upload it as it is.")
}

extension PanoramaFacts {
  /// For a smaller copy of the whole picture: the part that it covers is as large as the copy.
  func scaled(from old: PixelSize, to new: PixelSize) -> PanoramaFacts {
    var facts = self
    func across(_ length: Int) -> Int { Int((Double(length) * Double(new.width) / Double(old.width)).rounded()) }
    func down(_ length: Int) -> Int { Int((Double(length) * Double(new.height) / Double(old.height)).rounded()) }
    if let crop {
      let isAll = crop.width == old.width && crop.height == old.height
      facts.crop = PixelRect(
        x: across(crop.x), y: down(crop.y), width: isAll ? new.width : across(crop.width),
        height: isAll ? new.height : down(crop.height))
    }
    if let fullSize {
      // A part may go over the right edge, and a rounded one may not go further.
      let isWithin = crop.map { $0.x + $0.width <= fullSize.width } ?? true
      facts.fullSize = PixelSize(
        width: max(across(fullSize.width), (isWithin ? facts.crop?.x ?? 0 : 0) + (facts.crop?.width ?? 0)),
        height: max(down(fullSize.height), (facts.crop?.y ?? 0) + (facts.crop?.height ?? 0)))
    }
    return facts
  }
}

/// XMP packets as text: see `XMPReader` for their form.
enum XMPText {
  /// Words in the names of fields about places (EXIF, IPTC, Photoshop and others), in lower case.
  private static let placeWords = [
    "gps", "location", "city", "country", "state", "latitude", "longitude", "geo", "place", "region", "address",
  ].map { Array($0.utf8) }

  /// True if the packet may name a place. A word in another sense costs the packet all but its panorama facts, as does an
  /// encoding that is not read (UTF-32, or a very long packet in UTF-16).
  static func namesPlace(_ packet: [UInt8]) -> Bool {
    // Some writers end a packet with zeros.
    let end = packet.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    let text = packet[..<end].map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    let known = Set(placeWords.compactMap(\.first))
    return text.contains(0)
      || text.indices.contains { at in
        known.contains(text[at]) && placeWords.contains { text[at...].starts(with: $0) }
      }
  }

  /// True if the packet by itself gives these facts, under the usual prefix. They may be in an extended packet, too,
  /// which a copy leaves out.
  static func hasFacts(_ packet: [UInt8], _ facts: PanoramaFacts?) -> Bool {
    let usual = Array("GPano:".utf8)
    return facts == nil
      || packet.withUnsafeBytes { XMPReader($0).panorama } == facts
        && packet.indices.contains { packet[$0] == usual[0] && packet[$0...].starts(with: usual) }
  }

  /// A packet with these facts alone.
  static func packet(_ facts: PanoramaFacts) -> [UInt8] {
    var fields = ""
    func add(_ name: String, _ value: (some CustomStringConvertible)?) {
      if let value { fields += " GPano:\(name)=\"\(value)\"" }
    }
    add("ProjectionType", facts.projection.map { String($0.filter { $0.isLetter && $0.isASCII }) })
    add("UsePanoramaViewer", facts.usesViewer.map { $0 ? "True" : "False" })
    add("FullPanoWidthPixels", facts.fullSize?.width)
    add("FullPanoHeightPixels", facts.fullSize?.height)
    add("CroppedAreaLeftPixels", facts.crop?.x)
    add("CroppedAreaTopPixels", facts.crop?.y)
    add("CroppedAreaImageWidthPixels", facts.crop?.width)
    add("CroppedAreaImageHeightPixels", facts.crop?.height)
    add("PoseHeadingDegrees", facts.headingDegrees)
    add("PosePitchDegrees", facts.pitchDegrees)
    add("PoseRollDegrees", facts.rollDegrees)
    add("InitialViewHeadingDegrees", facts.initialHeadingDegrees)
    add("InitialViewPitchDegrees", facts.initialPitchDegrees)
    add("InitialViewRollDegrees", facts.initialRollDegrees)
    add("InitialHorizontalFOVDegrees", facts.initialFieldOfViewDegrees)
    add("InitialVerticalFOVDegrees", facts.initialVerticalFieldOfViewDegrees)
    return Array(
      ("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
        + "<rdf:Description rdf:about=\"\" xmlns:GPano=\"http://ns.google.com/photos/1.0/panorama/\"\(fields)/>"
        + "</rdf:RDF></x:xmpmeta>").utf8)
  }

  /// Fields whose values depend on the picture's size and orientation.
  static func sizes(_ facts: PanoramaFacts?, _ size: PixelSize) -> [String: Int] {
    var values = [
      "tiff:Orientation": 1, "tiff:ImageWidth": size.width, "tiff:ImageLength": size.height,
      "exif:PixelXDimension": size.width, "exif:PixelYDimension": size.height,
    ]
    values["GPano:FullPanoWidthPixels"] = facts?.fullSize?.width
    values["GPano:FullPanoHeightPixels"] = facts?.fullSize?.height
    values["GPano:CroppedAreaLeftPixels"] = facts?.crop?.x
    values["GPano:CroppedAreaTopPixels"] = facts?.crop?.y
    values["GPano:CroppedAreaImageWidthPixels"] = facts?.crop?.width
    values["GPano:CroppedAreaImageHeightPixels"] = facts?.crop?.height
    return values
  }

  /// Writes other values into fields that the packet has, as attributes or elements.
  static func replacing(_ values: [String: Int], in packet: [UInt8]) -> [UInt8] {
    var text = packet
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let word = Array(name.utf8)
      var at = 0
      while at + word.count < text.count {
        guard text[at] == word[0], text[at...].starts(with: word) else {
          at += 1
          continue
        }
        at += word.count
        guard let old = valueRange(text, at) else { continue }
        text.replaceSubrange(old, with: Array(String(value).utf8))
      }
    }
    return text
  }

  private static func valueRange(_ text: [UInt8], _ start: Int) -> Range<Int>? {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
    var at = start
    while at < text.count, isSpace(text[at]) { at += 1 }
    guard at < text.count else { return nil }
    var end = UInt8(ascii: "<")
    if text[at] == UInt8(ascii: "=") {
      at += 1
      while at < text.count, isSpace(text[at]) { at += 1 }
      guard at < text.count, text[at] == 0x22 || text[at] == 0x27 else { return nil }
      end = text[at]
    } else if text[at] != UInt8(ascii: ">") {
      return nil
    }
    let first = at + 1
    guard let last = text[min(first, text.count)...].firstIndex(of: end), last - first <= 64 else { return nil }
    return first..<last
  }
}
