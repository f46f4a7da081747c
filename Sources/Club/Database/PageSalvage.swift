/// Reads rows from pages of a damaged database that SQLite does not reach, because the file was cut off or no page
/// leads there. Pages in the write-ahead log replace those of the file.
///
/// The format is https://www.sqlite.org/fileformat2.html. The bytes may be anything: unreadable ones are left out.
struct PageSalvage {
  struct Row {
    /// nil in a table without row ids.
    let id: Int64?
    let values: [SQLValue]
  }

  private var pages: [Int: PageBytes] = [:]
  private var size = 4096
  /// Bytes of a page that hold content.
  private var usable = 4096

  init(file: [UInt8], log: [UInt8]) {
    let header = PageBytes(file[...])
    if file.count >= 100, let size = header.number(at: 16, bytes: 2) {
      let size = size == 1 ? 65_536 : size
      if size >= 512, size.nonzeroBitCount == 1 { self.size = size }
      usable = self.size - Int(file[20])
      if usable < 480 { usable = self.size }
    }
    for start in stride(from: 0, to: file.count - size + 1, by: size) {
      pages[start / size + 1] = PageBytes(file[start..<start + size])
    }
    takeLog(PageBytes(log[...]))
    dropFree()
  }

  func rows() -> [Row] { pages.keys.sorted().flatMap { rows(onPage: $0) } }

  /// Takes the committed frames of a write-ahead log, up to the first of an earlier round.
  private mutating func takeLog(_ log: PageBytes) {
    guard log.number(at: 8, bytes: 4) == size else { return }
    var waiting: [Int: PageBytes] = [:]
    var at = 32
    while let page = log.number(at: at, bytes: 4), let commit = log.number(at: at + 4, bytes: 4),
      log.number(at: at + 8, bytes: 8) == log.number(at: 16, bytes: 8),
      let content = log.part(at: at + 24, count: size)
    {
      waiting[page] = content
      if commit != 0 {
        pages.merge(waiting) { $1 }
        waiting.removeAll()
      }
      at += 24 + size
    }
  }

  /// Drops pages on the free list, which have deleted rows.
  private mutating func dropFree() {
    var trunk = pages[1]?.number(at: 32, bytes: 4) ?? 0
    while trunk != 0, let page = pages.removeValue(forKey: trunk) {
      for index in 0..<min(page.number(at: 4, bytes: 4) ?? 0, size / 4) {
        if let leaf = page.number(at: 8 + 4 * index, bytes: 4) { pages[leaf] = nil }
      }
      trunk = page.number(at: 0, bytes: 4) ?? 0
    }
  }

  private func rows(onPage number: Int) -> [Row] {
    guard let page = pages[number] else { return [] }
    let start = number == 1 ? 100 : 0
    guard let type = page.number(at: start, bytes: 1), [2, 10, 13].contains(type),
      let count = page.number(at: start + 3, bytes: 2), count <= size / 4
    else { return [] }
    // Inner pages of a tree without row ids have rows, too, behind the number of the page below.
    let isInner = type == 2
    return (0..<count).compactMap { index in
      page.number(at: start + (isInner ? 12 : 8) + 2 * index, bytes: 2)
        .flatMap { row(in: page, at: $0 + (isInner ? 4 : 0), hasID: type == 13) }
    }
  }

  private func row(in page: PageBytes, at start: Int, hasID: Bool) -> Row? {
    var at = start
    guard let length = page.varint(&at), length > 0, length <= 1 << 30 else { return nil }
    var id: Int64?
    if hasID {
      guard let value = page.varint(&at) else { return nil }
      id = value
    }
    guard let payload = payload(in: page, at: at, length: Int(length), isTable: hasID),
      let values = PageSalvage.values(PageBytes(payload[...]))
    else { return nil }
    return Row(id: id, values: values)
  }

  /// The bytes of a row, which may continue on other pages.
  private func payload(in page: PageBytes, at start: Int, length: Int, isTable: Bool) -> [UInt8]? {
    let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard length > most else { return page.part(at: start, count: length)?.array }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (length - least) % (usable - 4)
    let local = fitting <= most ? fitting : least
    guard var bytes = page.part(at: start, count: local)?.array,
      var next = page.number(at: start + local, bytes: 4)
    else { return nil }
    while bytes.count < length {
      guard next != 0, let more = pages[next], let following = more.number(at: 0, bytes: 4),
        let part = more.part(at: 4, count: min(usable - 4, length - bytes.count))
      else { return nil }
      bytes += part.array
      next = following
    }
    return bytes
  }

  private static func values(_ record: PageBytes) -> [SQLValue]? {
    var (at, values) = (0, [SQLValue]())
    guard let header = record.varint(&at), header <= record.count else { return nil }
    var body = Int(header)
    while at < Int(header) {
      guard let type = record.varint(&at), let value = value(type, record, &body) else { return nil }
      values.append(value)
    }
    return values
  }

  private static func value(_ type: Int64, _ record: PageBytes, _ at: inout Int) -> SQLValue? {
    switch type {
    case 0: return .null
    case 8, 9: return .integer(type - 8)
    case 1...6:
      let bytes = type == 5 ? 6 : type == 6 ? 8 : Int(type)
      guard let part = record.part(at: at, count: bytes)?.array else { return nil }
      at += bytes
      let start: Int64 = part.first.map { $0 >= 0x80 } == true ? -1 : 0
      return .integer(part.reduce(start) { $0 << 8 | Int64($1) })
    case 12...:
      guard let part = record.part(at: at, count: Int((type - 12) / 2))?.array else { return nil }
      at += part.count
      return type % 2 == 0 ? .blob(part) : .text(String(decoding: part, as: UTF8.self))
    // No column is a real number.
    default: return nil
    }
  }
}

struct PageBytes {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }
  var array: [UInt8] { Array(bytes) }

  func part(at offset: Int, count: Int) -> PageBytes? {
    guard offset >= 0, count >= 0, offset <= bytes.count - count else { return nil }
    let start = bytes.startIndex + offset
    return PageBytes(bytes[start..<start + count])
  }

  /// A number of up to 8 bytes, the highest first; nil beyond the end or if too large.
  func number(at offset: Int, bytes count: Int) -> Int? {
    part(at: offset, count: count).flatMap { part in
      Int(truncatingIfNeeded: part.bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
  }

  /// A number of one to nine bytes; moves `offset` behind it.
  func varint(_ offset: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard let byte = number(at: offset, bytes: 1) else { return nil }
      offset += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int64(bitPattern: value) }
    }
    return nil
  }
}
