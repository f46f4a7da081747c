/// Writes EXIF data anew, with chosen changes. Bytes without an entry do not come along, so nothing removed is left in
/// between. Notes of the camera's maker are left out: their offsets would be wrong, and they may hold a place.
struct ExifCopy {
  var dropsLocation = false
  /// Written over the entries that the file has.
  var orientation: Orientation?
  var size: PixelSize?
  var keepsThumbnail = true

  private struct Entry {
    let tag: Int
    let kind: Int
    let count: Int
    let value: [UInt8]
  }

  private struct Directory {
    var entries: [Entry] = []
    var next = 0
  }

  private static let maxEntries = 512
  /// Bytes of a value of each type (TIFF 6.0, section 2).
  private static let typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
  private enum Tag {
    static let (exif, position, interoperability) = (0x8769, 0x8825, 0xA005)
    static let (thumbnail, thumbnailLength) = (0x0201, 0x0202)
    static let (orientation, width, height) = (0x0112, 0xA002, 0xA003)
    /// Offsets to more data, metadata of other kinds, and the maker's notes.
    static let left: Set<Int> = [
      0x0111, 0x0117, 0x014A, 0x02BC, 0x83BB, 0x8649, 0x8769, 0x8825, 0x927C, 0xA005, 0xEA1C,
    ]
  }

  /// nil if the data are no EXIF.
  func copy(_ data: [UInt8]) -> [UInt8]? {
    data.withUnsafeBytes { copy($0) }
  }

  private func copy(_ data: UnsafeRawBufferPointer) -> [UInt8]? {
    var reader = ByteReader(data)
    reader.littleEndian = reader.has([0x49, 0x49, 0x2A, 0x00], at: 0)
    guard reader.littleEndian || reader.has([0x4D, 0x4D, 0x00, 0x2A], at: 0), let first = reader.long(4),
      var main = Self.directory(reader, first)
    else { return nil }
    var writer = Writer(littleEndian: reader.littleEndian)
    func below(_ tag: Int, of directory: Directory) -> Entry? {
      guard let pointer = directory.entries.first(where: { $0.tag == tag }), pointer.value.count == 4,
        let found = Self.directory(reader, writer.number(pointer.value))
      else { return nil }
      return Entry(tag: tag, kind: 4, count: 1, value: writer.bytes(writer.put(found.entries, next: 0), 4))
    }
    var pointers: [Entry] = []
    if let raw = main.entries.first(where: { $0.tag == Tag.exif }), raw.value.count == 4,
      var exif = Self.directory(reader, writer.number(raw.value))
    {
      let inner = below(Tag.interoperability, of: exif)
      exif.entries.removeAll { Tag.left.contains($0.tag) }
      if let size {
        exif.entries = exif.entries.map { entry in
          guard entry.tag == Tag.width || entry.tag == Tag.height else { return entry }
          let side = entry.tag == Tag.width ? size.width : size.height
          return Entry(tag: entry.tag, kind: 4, count: 1, value: writer.bytes(side, 4))
        }
      }
      exif.entries += [inner].compactMap { $0 }
      pointers.append(
        Entry(tag: Tag.exif, kind: 4, count: 1, value: writer.bytes(writer.put(exif.entries, next: 0), 4)))
    }
    if !dropsLocation, let position = below(Tag.position, of: main) { pointers.append(position) }
    let next = keepsThumbnail && main.next != 0 ? thumbnail(reader, main.next, &writer) : 0
    main.entries.removeAll { Tag.left.contains($0.tag) }
    if let orientation {
      main.entries = main.entries.map { entry in
        guard entry.tag == Tag.orientation else { return entry }
        return Entry(tag: entry.tag, kind: 3, count: 1, value: writer.bytes(orientation.rawValue, 2))
      }
    }
    writer.finish(writer.put(main.entries + pointers, next: next))
    return writer.file
  }

  /// The small picture, without metadata of its own; 0 if there is none.
  private func thumbnail(_ reader: ByteReader, _ offset: Int, _ writer: inout Writer) -> Int {
    guard var small = Self.directory(reader, offset),
      let start = small.entries.first(where: { $0.tag == Tag.thumbnail }), start.value.count == 4,
      let length = small.entries.first(where: { $0.tag == Tag.thumbnailLength }), length.value.count == 4,
      let data = reader.slice(writer.number(start.value), writer.number(length.value)),
      var parts = try? JPEGParts(Array(data))
    else { return 0 }
    parts.segments.removeAll { (0xE0...0xEF).contains($0.marker) || $0.marker == 0xFE }
    let bytes = parts.bytes
    let place = writer.put(bytes)
    small.entries.removeAll { Tag.left.contains($0.tag) || $0.tag == Tag.thumbnail || $0.tag == Tag.thumbnailLength }
    small.entries.append(Entry(tag: Tag.thumbnail, kind: 4, count: 1, value: writer.bytes(place, 4)))
    small.entries.append(Entry(tag: Tag.thumbnailLength, kind: 4, count: 1, value: writer.bytes(bytes.count, 4)))
    return writer.put(small.entries, next: 0)
  }

  /// Entries with values beyond the data, or of unknown types, are left out.
  private static func directory(_ reader: ByteReader, _ offset: Int) -> Directory? {
    guard offset >= 8, let count = reader.short(offset), count <= maxEntries else { return nil }
    var directory = Directory()
    for index in 0..<count {
      let at = offset + 2 + 12 * index
      guard let tag = reader.short(at), let kind = reader.short(at + 2), let values = reader.long(at + 4) else {
        return directory
      }
      guard typeBytes.indices.contains(kind), kind > 0, values <= reader.count else { continue }
      let length = values * typeBytes[kind]
      guard let place = length <= 4 ? at + 8 : reader.long(at + 8), let value = reader.slice(place, length) else {
        continue
      }
      directory.entries.append(Entry(tag: tag, kind: kind, count: values, value: Array(value)))
    }
    directory.next = reader.long(offset + 2 + 12 * count) ?? 0
    return directory
  }

  /// Directories come after their values; the header names the last one.
  private struct Writer {
    let littleEndian: Bool
    private(set) var file: [UInt8]

    init(littleEndian: Bool) {
      self.littleEndian = littleEndian
      file = littleEndian ? [0x49, 0x49, 0x2A, 0, 0, 0, 0, 0] : [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 0]
    }

    func bytes(_ number: Int, _ length: Int) -> [UInt8] {
      let big = (0..<length).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      return littleEndian ? big.reversed() : big
    }

    func number(_ bytes: [UInt8]) -> Int { (littleEndian ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | Int($1) } }

    /// Returns the offset.
    mutating func put(_ bytes: [UInt8]) -> Int {
      if file.count & 1 == 1 { file.append(0) }
      defer { file += bytes }
      return file.count
    }

    mutating func put(_ entries: [Entry], next: Int) -> Int {
      var body = bytes(entries.count, 2)
      for entry in entries.sorted(by: { $0.tag < $1.tag }) {
        body += bytes(entry.tag, 2) + bytes(entry.kind, 2) + bytes(entry.count, 4)
        let value = entry.value.count <= 4 ? entry.value : bytes(put(entry.value), 4)
        body += value + [UInt8](repeating: 0, count: 4 - value.count)
      }
      return put(body + bytes(next, 4))
    }

    mutating func finish(_ first: Int) { file.replaceSubrange(4..<8, with: bytes(first, 4)) }
  }
}
