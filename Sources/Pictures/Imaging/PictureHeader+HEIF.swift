extension PictureHeader {
  /// The first picture of a HEIF file. The container says how it is turned, mirrored and cut, and the decoder does that, so
  /// the size is as shown, and the EXIF data's orientation says nothing.
  static func readHEIF(_ reader: ByteReader, _ format: PictureFormat) throws(ImageError) -> PictureHeader {
    let items = try HEIFItems(reader)
    guard let primary = items.primary, let item = items.items[primary] else { throw HEIFItems.noPicture }
    try check(items, primary)
    var facts = HEIFFacts()
    guard let size = shownSize(items, primary, &facts) else {
      throw .corrupt("the size of its first picture is missing")
    }
    if item.kind == "grid" { try facts.takeGrid(items, primary) }
    var header = PictureHeader(format: format, storedSize: size)
    facts.takeColours(items, primary, reader)
    header.bitsPerSample = facts.bits
    header.isMoving = reader.fourLetters(8).map { ["avis", "hevc", "hevx", "msf1"].contains($0) } ?? false
    for other in items.sources(of: primary, "auxl") {
      let name = auxiliaryName(items, other)
      if name.hasSuffix(":alpha") || name.hasSuffix("auxid:1") { header.hasAlpha = true }
      if name.hasSuffix(":depth") || name.hasSuffix("auxid:2") { facts.hasDepthMap = true }
      if name.hasSuffix("gainmap") { header.hasGainMap = true }
    }
    if items.items.values.contains(where: { $0.kind == "tmap" }) { header.hasGainMap = true }
    facts.takeSmall(items, primary, size)
    header.takeMetadata(items, primary)
    (header.orientation, header.thumbnail) = (.upright, nil)
    header.heif = facts
    header.isSettled = true
    return header
  }

  private static let mostDepth = 4
  private static let mostVisits = 20_000

  /// Goes through the items that the first picture is made of.
  /// - Throws: `corrupt` if one is missing, or they are in a circle.
  private static func check(_ items: HEIFItems, _ primary: Int) throws(ImageError) {
    var next = [primary] + items.sources(of: primary, "auxl") + items.sources(of: primary, "thmb")
    guard !items.targets(of: primary, "thmb").contains(primary), next.count < mostVisits else { throw circle }
    var visits = 0
    for _ in 0..<mostDepth {
      var found: [Int] = []
      for id in next {
        visits += 1
        guard let item = items.items[id] else { throw .corrupt("a part that it is made of is missing") }
        guard visits < mostVisits else { throw circle }
        if ["grid", "iovl", "iden"].contains(item.kind) { found += items.targets(of: id, "dimg") }
        guard found.count < mostVisits else { throw circle }
      }
      next = found
      if next.isEmpty { return }
    }
    throw circle
  }

  private static let circle = ImageError.corrupt("its parts are made of each other")

  /// After all that the container does to the picture. The library rounds parts of pixels in the same way.
  private static func shownSize(_ items: HEIFItems, _ item: Int, _ facts: inout HEIFFacts) -> PixelSize? {
    var size: PixelSize?
    for property in items.properties(of: item) {
      switch property.kind {
      case "ispe":
        guard let stored = items.size(property) else { return nil }
        facts.codedPixels = stored.width * stored.height
        size = stored
      case "irot": if (items.numbers(property, [1])?.first ?? 0) & 1 == 1 { size = size?.turned }
      case "clap":
        guard let whole = size, let parts = items.numbers(property, [4, 4, 4, 4]), parts[1] > 0, parts[3] > 0 else {
          return nil
        }
        func rounded(_ number: Int, _ divisor: Int) -> Int { (number + divisor / 2) / divisor }
        size = PixelSize(
          width: min(whole.width, rounded(parts[0], parts[1])), height: min(whole.height, rounded(parts[2], parts[3])))
      default: break
      }
    }
    return size.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
  }

  static func shownSize(_ items: HEIFItems, _ item: Int) -> PixelSize? {
    var facts = HEIFFacts()
    return shownSize(items, item, &facts)
  }

  private static func auxiliaryName(_ items: HEIFItems, _ item: Int) -> String {
    guard let property = items.properties(of: item).first(where: { $0.kind == "auxC" }) else { return "" }
    var cursor = items.cursor(property)
    guard (try? cursor.head()) != nil else { return "" }
    return cursor.text()
  }

  private mutating func takeMetadata(_ items: HEIFItems, _ primary: Int) {
    let (exif, xmp) = HEIFFacts.metadata(items, primary)
    exif?.withUnsafeBytes { take(exif: $0, at: nil) }
    xmp?.withUnsafeBytes { take(XMPReader($0)) }
  }
}

extension HEIFItems {
  /// The numbers of these lengths in a property without a head.
  fileprivate func numbers(_ property: Box, _ lengths: [Int]) -> [Int]? {
    var cursor = cursor(property)
    var numbers: [Int] = []
    for length in lengths {
      guard let number = try? cursor.number(length) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  fileprivate func size(_ property: Box) -> PixelSize? {
    guard let numbers = numbers(property, [4, 4, 4]), numbers[1] <= 1 << 24, numbers[2] <= 1 << 24 else { return nil }
    return PixelSize(width: numbers[1], height: numbers[2])
  }
}

/// The facts of a HEIF file that decide how its picture is decoded.
struct HEIFFacts: Sendable, Equatable {
  struct Small: Sendable, Equatable {
    let item: Int
    let size: PixelSize
  }

  /// Before it is cut; of a grid, those of all its tiles.
  var codedPixels = 0
  var bits = 8
  var hasDepthMap = false
  /// A colour profile, in the file.
  var profile: Range<Int>?
  /// Without a profile: the numbers of ITU-T H.273.
  var primaries: Int?
  var transfer: Int?
  /// An embedded picture of the same shape.
  var small: Small?

  /// - Throws: `corrupt` if it has not as many tiles as it says, or the tiles do not cover it.
  mutating func takeGrid(_ items: HEIFItems, _ primary: Int) throws(ImageError) {
    let tiles = items.targets(of: primary, "dimg")
    guard let first = tiles.first, let tile = PictureHeader.shownSize(items, first) else {
      throw .corrupt("its tiles are missing")
    }
    codedPixels = max(codedPixels, tiles.count * tile.width * tile.height)
    // The head of a grid has 8 or 12 bytes; it may be behind the bytes that are read.
    guard let head = items.data(primary, limit: 64) else { return }
    guard head.count >= 8, (Int(head[2]) + 1) * (Int(head[3]) + 1) == tiles.count else {
      throw .corrupt("it has not as many tiles as it says")
    }
  }

  mutating func takeColours(_ items: HEIFItems, _ primary: Int, _ reader: ByteReader) {
    for property in items.properties(of: primary) {
      if property.kind == "pixi", let depth = reader.byte(property.body.lowerBound + 5), property.body.count > 5 {
        bits = depth > 8 ? 16 : 8
      }
      guard property.kind == "colr", let kind = reader.fourLetters(property.body.lowerBound) else { continue }
      if kind == "nclx", property.body.count >= 10 {
        primaries = reader.short(property.body.lowerBound + 4)
        transfer = reader.short(property.body.lowerBound + 6)
      } else if kind == "prof" || kind == "rICC" {
        profile = property.body.dropFirst(4)
      }
    }
  }

  mutating func takeSmall(_ items: HEIFItems, _ primary: Int, _ size: PixelSize) {
    for item in items.sources(of: primary, "thmb") {
      guard let shown = PictureHeader.shownSize(items, item), Thumbnail.hasShape(shown, of: size) else { continue }
      small = Small(item: item, size: shown)
    }
  }

  /// The EXIF data and the XMP packet of a picture: those that name it, else the first.
  static func metadata(_ items: HEIFItems, _ primary: Int) -> (exif: [UInt8]?, xmp: [UInt8]?) {
    let naming = items.sources(of: primary, "cdsc")
    func find(_ isWanted: (HEIFItems.Item) -> Bool) -> [UInt8]? {
      let found = items.items.filter { isWanted($0.value) }.keys.sorted()
      return (found.first(where: naming.contains) ?? found.first).flatMap { items.data($0) }
    }
    let exif = find { $0.kind == "Exif" }.flatMap { data -> [UInt8]? in
      // The offset of the TIFF head comes first.
      let offset = data.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard data.count > 4, offset < data.count - 4 else { return nil }
      return Array(data[(4 + offset)...])
    }
    return (exif, find { $0.kind == "mime" && $0.contentType == "application/rdf+xml" })
  }
}
