/// The items of a HEIF file, as HEIC and AVIF are (ISO/IEC 23008-12, in the boxes of ISO/IEC 14496-12): pictures, parts of
/// them, and metadata. Everything is range checked, and no box is read twice.
struct HEIFItems {
  struct Item {
    /// Four letters.
    var kind = ""
    /// Of an item of the kind `mime`.
    var contentType = ""
    /// In the file.
    var parts: [Range<Int>] = []
    /// In the order in which they apply.
    var properties: [Int] = []
  }

  private(set) var primary: Int?
  private(set) var items: [Int: Item] = [:]
  /// By kind, then by the item that names others.
  private var references: [String: [Int: [Int]]] = [:]
  private(set) var properties: [Box] = []

  struct Box {
    let kind: String
    /// Behind its head.
    let body: Range<Int>
  }

  private static let mostItems = 10_000
  private static let mostProperties = 20_000
  private static let mostParts = 64
  /// Of an item.
  private static let mostItemProperties = 255
  private static let mostMetaBytes = 16 << 20
  /// No size or offset in a file is larger.
  private static let mostBytes = 1 << 48

  private let reader: ByteReader

  /// - Throws: `endsEarly` if the items' box is not among these bytes; `corrupt`.
  init(_ reader: ByteReader) throws(ImageError) {
    self.reader = reader
    var at = 0
    while true {
      guard at + 16 <= reader.count else { throw .endsEarly }
      guard let box = Self.box(reader, at, Self.mostBytes) else { throw Self.broken }
      if box.kind == "meta" {
        guard box.body.upperBound <= reader.count else { throw .endsEarly }
        guard box.body.count <= Self.mostMetaBytes else { throw Self.tooMany }
        try readItems(box.body.dropFirst(4))
        return
      }
      guard box.body.upperBound < Self.mostBytes else { throw Self.noPicture }
      at = box.body.upperBound
    }
  }

  static let broken = ImageError.corrupt("its boxes have impossible sizes")
  static let noPicture = ImageError(
    .unsupported, "The picture is a film, or has no first picture.", remedy: "Save one picture of it as JPEG.")

  /// The item's data, all in one piece; nil if they are not among these bytes or too long.
  func data(_ item: Int, limit: Int = 16 << 20) -> [UInt8]? {
    guard let parts = items[item]?.parts, !parts.isEmpty, parts.reduce(0, { $0 + $1.count }) <= limit else {
      return nil
    }
    var bytes: [UInt8] = []
    for part in parts {
      guard let slice = reader.slice(part.lowerBound, part.count), slice.count == part.count else { return nil }
      bytes += slice
    }
    return bytes
  }

  func properties(of item: Int) -> [Box] {
    (items[item]?.properties ?? []).compactMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
  }

  /// The items that these name, such as a grid's tiles.
  func targets(of item: Int, _ kind: String) -> [Int] { references[kind]?[item] ?? [] }

  /// The items that name this one, such as its alpha plane.
  func sources(of item: Int, _ kind: String) -> [Int] {
    references[kind]?.filter { $0.value.contains(item) }.keys.sorted() ?? []
  }

  func cursor(_ box: Box) -> HEIFCursor { HEIFCursor(reader, box.body) }

  // MARK: Boxes

  /// - Parameter end: of what it is in.
  private static func box(_ reader: ByteReader, _ at: Int, _ end: Int) -> Box? {
    guard let short = reader.long(at), let kind = reader.fourLetters(at + 4) else { return nil }
    var (head, size) = (8, short)
    if short == 1 {
      guard let long = reader.number(at + 8, 8) else { return nil }
      (head, size) = (16, long)
    } else if short == 0 {
      size = end - at
    }
    guard size >= head, size <= end - at else { return nil }
    return Box(kind: kind, body: (at + head)..<(at + size))
  }

  private func boxes(_ range: Range<Int>) throws(ImageError) -> [Box] {
    var boxes: [Box] = []
    var at = range.lowerBound
    while at < range.upperBound {
      guard boxes.count < Self.mostProperties, let box = Self.box(reader, at, range.upperBound) else {
        throw Self.broken
      }
      boxes.append(box)
      at = box.body.upperBound
    }
    return boxes
  }

  private mutating func readItems(_ range: Range<Int>) throws(ImageError) {
    let boxes = try boxes(range)
    let inner = boxes.first { $0.kind == "idat" }?.body
    for box in boxes {
      var cursor = HEIFCursor(reader, box.body)
      switch box.kind {
      case "pitm":
        let version = try cursor.head().version
        primary = try cursor.number(version == 0 ? 2 : 4)
      case "iinf": try readNames(&cursor)
      case "iloc": try readPlaces(&cursor, inner)
      case "iref": try readReferences(&cursor)
      case "iprp": try readProperties(box.body)
      default: break
      }
    }
  }

  private mutating func readNames(_ cursor: inout HEIFCursor) throws(ImageError) {
    let version = try cursor.head().version
    let count = try cursor.number(version == 0 ? 2 : 4)
    guard count <= Self.mostItems else { throw Self.tooMany }
    for box in try boxes(cursor.rest).prefix(count) where box.kind == "infe" {
      var entry = HEIFCursor(reader, box.body)
      let version = try entry.head().version
      // Older versions have no kinds.
      guard version >= 2 else { continue }
      let id = try entry.number(version == 2 ? 2 : 4)
      try entry.skip(2)
      guard items[id] != nil || items.count < Self.mostItems else { throw Self.tooMany }
      items[id, default: Item()].kind = try entry.letters()
      if items[id]?.kind == "mime" {
        _ = entry.text()
        items[id]?.contentType = entry.text()
      }
    }
  }

  private mutating func readPlaces(_ cursor: inout HEIFCursor, _ inner: Range<Int>?) throws(ImageError) {
    let version = try cursor.head().version
    let (first, second) = (try cursor.number(1), try cursor.number(1))
    let count = try cursor.number(version < 2 ? 2 : 4)
    guard count <= Self.mostItems else { throw Self.tooMany }
    for _ in 0..<count {
      let id = try cursor.number(version < 2 ? 2 : 4)
      let isInner = version > 0 ? try cursor.number(2) & 15 == 1 : false
      try cursor.skip(2)
      let base = try cursor.number(second >> 4)
      let parts = try cursor.number(2)
      guard parts <= Self.mostParts else { throw Self.tooMany }
      for _ in 0..<parts {
        if version > 0 { try cursor.skip(second & 15) }
        let (offset, length) = (try cursor.number(first >> 4), try cursor.number(first & 15))
        guard base + offset <= Self.mostBytes, length <= Self.mostBytes else { throw Self.broken }
        var start = base + offset
        if isInner {
          guard let inner, start + length <= inner.count else { throw Self.broken }
          start += inner.lowerBound
        }
        // An item that is named again and again has no more parts than others.
        guard (items[id]?.parts.count ?? 0) < Self.mostParts, items[id] != nil || items.count < Self.mostItems else {
          throw Self.tooMany
        }
        items[id, default: Item()].parts.append(start..<(start + length))
      }
    }
  }

  private mutating func readReferences(_ cursor: inout HEIFCursor) throws(ImageError) {
    let width = try cursor.head().version == 0 ? 2 : 4
    for box in try boxes(cursor.rest) {
      var entry = HEIFCursor(reader, box.body)
      let (from, count) = (try entry.number(width), try entry.number(2))
      var to: [Int] = []
      for _ in 0..<count { to.append(try entry.number(width)) }
      references[box.kind, default: [:]][from] = to
    }
  }

  private mutating func readProperties(_ range: Range<Int>) throws(ImageError) {
    for box in try boxes(range) {
      if box.kind == "ipco" { properties += try boxes(box.body) }
      guard box.kind == "ipma" else { continue }
      var cursor = HEIFCursor(reader, box.body)
      let (version, flags) = try cursor.head()
      let count = try cursor.number(4)
      guard count <= Self.mostItems else { throw Self.tooMany }
      for _ in 0..<count {
        let id = try cursor.number(version == 0 ? 2 : 4)
        for _ in 0..<(try cursor.number(1)) {
          let number = try cursor.number(flags & 1 == 0 ? 1 : 2) & (flags & 1 == 0 ? 0x7F : 0x7FFF)
          guard (items[id]?.properties.count ?? 0) < Self.mostItemProperties,
            items[id] != nil || items.count < Self.mostItems
          else { throw Self.tooMany }
          items[id, default: Item()].properties.append(number)
        }
      }
    }
  }

  private static let tooMany = ImageError(
    .tooLarge, "The picture has more parts than byteclub reads.", remedy: "Save it as plain JPEG.")
}

/// Reads numbers of a box one after the other.
struct HEIFCursor {
  private let reader: ByteReader
  private(set) var rest: Range<Int>

  init(_ reader: ByteReader, _ range: Range<Int>) { (self.reader, rest) = (reader, range) }

  mutating func skip(_ count: Int) throws(ImageError) {
    guard count <= rest.count else { throw HEIFItems.broken }
    rest = (rest.lowerBound + count)..<rest.upperBound
  }

  /// A number of 0 to 8 bytes that is not too large for a file.
  mutating func number(_ length: Int) throws(ImageError) -> Int {
    let at = rest.lowerBound
    try skip(length)
    guard length <= 8, let number = reader.number(at, length), (0...1 << 48).contains(number) else {
      throw HEIFItems.broken
    }
    return number
  }

  mutating func letters() throws(ImageError) -> String {
    let at = rest.lowerBound
    try skip(4)
    return reader.fourLetters(at) ?? ""
  }

  /// Up to a zero, or all.
  mutating func text() -> String {
    let text = rest.prefix { reader.byte($0) != 0 }
    rest = min(rest.upperBound, text.endIndex + 1)..<rest.upperBound
    return reader.slice(text.startIndex, min(text.count, 100)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The beginning of a box that has versions.
  mutating func head() throws(ImageError) -> (version: Int, flags: Int) { (try number(1), try number(3)) }
}

extension ByteReader {
  func fourLetters(_ at: Int) -> String? {
    guard let part = slice(at, 4), part.count == 4 else { return nil }
    return String(decoding: part, as: UTF8.self)
  }
}
