/// Writes a ZIP archive (PKWARE, APPNOTE.TXT 6.3.10) front to back, without compression. Appended bytes never change,
/// so they can be sent while the rest is made. One task at a time uses it.
/// Call `addFolder`, `addFile`, and `beginFile` with any number of `addContent` and one `endFile`, in any order; then
/// `finish` once. Names start at the archive's top, with `/` between folders; callers avoid `..` and duplicates. A name
/// beyond 65,535 bytes, the format's limit, is cut. Modification times are seconds since 1970.
/// The directory takes some 60 bytes and the name for each entry.
public struct ZipWriter: Sendable {
  private var offset: UInt64
  private var directory: [UInt8] = []
  private var count: UInt64 = 0
  private var file: Entry?

  public init() { self.init(from: 0) }

  init(from offset: UInt64) { self.offset = offset }

  /// The name has no `/` at the end.
  public mutating func addFolder(_ name: String, modified: Int64, to bytes: inout [UInt8]) {
    let before = bytes.count
    let entry = Entry(name, .folder, modified: modified, at: offset)
    entry.appendLocalHeader(to: &bytes)
    offset += UInt64(bytes.count - before)
    close(entry)
  }

  public mutating func addFile(_ name: String, modified: Int64, content: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    guard content.count <= ZipWriter.smallContent else {
      beginFile(name, modified: modified, atMost: UInt64(content.count), to: &bytes)
      addContent(content, to: &bytes)
      return endFile(to: &bytes)
    }
    let before = bytes.count
    var entry = Entry(name, .whole, modified: modified, at: offset)
    entry.add(content)
    entry.packed = entry.size
    entry.appendLocalHeader(to: &bytes)
    bytes.append(contentsOf: content)
    offset += UInt64(bytes.count - before)
    close(entry)
  }

  /// The content follows in pieces, as stored blocks of deflate. Each holds its length, so a reader that cannot seek
  /// finds the end.
  /// - Parameter size: an upper limit. Well below 4 GiB, it lets programs without zip64 read the file.
  public mutating func beginFile(_ name: String, modified: Int64, atMost size: UInt64, to bytes: inout [UInt8]) {
    let before = bytes.count
    let entry = Entry(name, .inPieces, modified: modified, at: offset, isLarge: size > ZipWriter.smallContent)
    entry.appendLocalHeader(to: &bytes)
    offset += UInt64(bytes.count - before)
    file = entry
  }

  public mutating func addContent(_ content: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    let before = bytes.count
    var rest = content
    while !rest.isEmpty {
      let block = rest.prefix(ZipWriter.blockBytes)
      ZipWriter.appendBlockHeader(UInt16(block.count), isLast: false, to: &bytes)
      bytes.append(contentsOf: block)
      rest = rest.dropFirst(block.count)
    }
    file?.add(content)
    notePacked(bytes.count - before)
  }

  public mutating func endFile(to bytes: inout [UInt8]) {
    let before = bytes.count
    ZipWriter.appendBlockHeader(0, isLast: true, to: &bytes)
    notePacked(bytes.count - before)
    guard let entry = file.take() else { return }
    let end = bytes.count
    entry.appendDescriptor(to: &bytes)
    offset += UInt64(bytes.count - end)
    close(entry)
  }

  public mutating func finish(to bytes: inout [UInt8]) {
    let size = UInt64(directory.count)
    bytes.append(contentsOf: directory)
    directory = []
    if count >= UInt16.max || offset >= UInt32.max || size >= UInt32.max {
      ZipWriter.appendLargeEnd(count, directory: offset, size, to: &bytes)
    }
    ZipWriter.appendEnd(count, directory: offset, size, to: &bytes)
  }

  /// Surely below 4 GiB, including its block headers.
  private static let smallContent: UInt64 = 4_000_000_000
  /// The most content of a stored block of deflate (RFC 1951, 3.2.4).
  private static let blockBytes = 65_535

  private mutating func notePacked(_ count: Int) {
    file?.packed += UInt64(count)
    offset += UInt64(count)
  }

  private mutating func close(_ entry: Entry) {
    entry.appendCentralHeader(to: &directory)
    count += 1
  }

  /// Stored blocks begin and end at whole bytes, so this is the complete header.
  private static func appendBlockHeader(_ count: UInt16, isLast: Bool, to bytes: inout [UInt8]) {
    bytes.append(isLast ? 1 : 0)
    bytes.append(little: count)
    bytes.append(little: ~count)
  }
}

extension ZipWriter {
  /// 4.5: the version required for 64-bit numbers.
  static let largeVersion: UInt16 = 45

  /// The zip64 end record (4.3.14), with the numbers that do not fit into `appendEnd`'s, and its locator (4.3.15).
  static func appendLargeEnd(_ count: UInt64, directory start: UInt64, _ size: UInt64, to bytes: inout [UInt8]) {
    bytes.append(little: ZipMark.zip64End)
    bytes.append(little: 44 as UInt64)
    for _ in 0..<2 { bytes.append(little: largeVersion) }
    for _ in 0..<2 { bytes.append(little: 0 as UInt32) }
    for _ in 0..<2 { bytes.append(little: count) }
    bytes.append(little: size)
    bytes.append(little: start)

    bytes.append(little: ZipMark.zip64Locator)
    bytes.append(little: 0 as UInt32)
    bytes.append(little: start + size)
    bytes.append(little: 1 as UInt32)
  }

  /// The end record (4.3.16). Numbers that do not fit have all bits set.
  static func appendEnd(_ count: UInt64, directory start: UInt64, _ size: UInt64, to bytes: inout [UInt8]) {
    bytes.append(little: ZipMark.end)
    for _ in 0..<2 { bytes.append(little: 0 as UInt16) }
    for _ in 0..<2 { bytes.append(little: UInt16(clamping: count)) }
    bytes.append(little: UInt32(clamping: size))
    bytes.append(little: UInt32(clamping: start))
    bytes.append(little: 0 as UInt16)
  }
}
