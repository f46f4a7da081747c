/// Reads a few facts from EXIF data (TIFF 6.0 structure, EXIF 2.32 tags). At most three directories with at most 512
/// entries each are looked at, every offset is checked, and no directory is read twice.
struct ExifReader {
  var orientation: Orientation?
  var make: String?
  var model: String?
  var captured: CaptureDate?
  var hasPosition = false
  /// Within the EXIF data.
  var thumbnail: Range<Int>?

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
    var modified: CaptureDate?
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
        if tag == 0x9003 { captured = Self.text(reader, kind, count, at).flatMap(CaptureDate.init(exif:)) }
      }
    }
    captured = captured ?? modified
    if let position {
      _ = Self.directory(reader, at: position, &visited) { tag, _, _, _ in
        if tag == 0x0002 || tag == 0x0004 { hasPosition = true }
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

  /// Hands out tag, type, count and the place of the value of each entry. Returns the offset of the next directory.
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

  private static func text(_ reader: ByteReader, _ kind: Int, _ count: Int, _ at: Int) -> String? {
    guard kind == 2, count > 0 else { return nil }
    if count <= 4 { return reader.text(at, count) }
    guard let offset = reader.long(at) else { return nil }
    return reader.text(offset, count)
  }
}
