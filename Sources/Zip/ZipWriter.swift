/// Writes a ZIP archive (PKWARE, APPNOTE.TXT 6.3.10) front to back: what was appended to `bytes` is never changed, so it
/// may be sent while the rest is made. Nothing is compressed. Used by one task at a time.
///
/// The calls are `addFolder`, `addFile`, and `beginFile` with any number of `addContent` and one `endFile`, in any order;
/// then `finish`, once. Names go from the archive's top with `/` between folders. They are not looked at: whoever calls
/// has no `..` in them and no name twice. Of a name longer than 65,535 bytes, which the format cannot have, only the
/// front is written. What is modified when is in seconds since 1970.
///
/// Holds some 60 bytes and the name for each entry, for the directory at the archive's end.
public struct ZipWriter: Sendable {
  /// Bytes from the archive's beginning to what comes next.
  private var offset: UInt64
  private var directory: [UInt8] = []
  private var count: UInt64 = 0
  /// The file whose content is being added.
  private var file: Entry?

  /// An empty archive.
  public init() { self.init(from: 0) }

  /// What comes behind so many bytes of an archive.
  init(from offset: UInt64) { self.offset = offset }

  /// Adds a folder, whose name is given without a `/` at its end.
  public mutating func addFolder(_ name: String, modified: Int64, to bytes: inout [UInt8]) {
    let before = bytes.count
    let entry = Entry(name, .folder, modified: modified, at: offset)
    entry.appendLocalHeader(to: &bytes)
    offset += UInt64(bytes.count - before)
    close(entry)
  }

  /// Adds a file with all its content.
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

  /// Begins a file whose content follows in pieces: as deflate's blocks of bytes as they are, which say themselves where
  /// they end. So a reader that cannot seek can find the content's end.
  /// - Parameter size: how much the content may be. Programs that know no archives past 4 GiB can read the file when this
  ///   is well below that.
  public mutating func beginFile(_ name: String, modified: Int64, atMost size: UInt64, to bytes: inout [UInt8]) {
    let before = bytes.count
    let entry = Entry(name, .inPieces, modified: modified, at: offset, isLarge: size > ZipWriter.smallContent)
    entry.appendLocalHeader(to: &bytes)
    offset += UInt64(bytes.count - before)
    file = entry
  }

  /// Adds content to the file that was begun.
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

  /// Ends the file that was begun.
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

  /// Ends the archive.
  public mutating func finish(to bytes: inout [UInt8]) {
    let size = UInt64(directory.count)
    bytes.append(contentsOf: directory)
    directory = []
    if count >= UInt16.max || offset >= UInt32.max || size >= UInt32.max {
      ZipWriter.appendLargeEnd(count, directory: offset, size, to: &bytes)
    }
    ZipWriter.appendEnd(count, directory: offset, size, to: &bytes)
  }

  /// Content of which is sure that it stays below 4 GiB with what goes between its blocks.
  private static let smallContent: UInt64 = 4_000_000_000
  /// The most that one block of deflate holds as it is (RFC 1951, 3.2.4).
  private static let blockBytes = 65_535

  private mutating func notePacked(_ count: Int) {
    file?.packed += UInt64(count)
    offset += UInt64(count)
  }

  private mutating func close(_ entry: Entry) {
    entry.appendCentralHeader(to: &directory)
    count += 1
  }

  /// Blocks of bytes as they are begin and end at whole bytes, so there is no more to it than this.
  private static func appendBlockHeader(_ count: UInt16, isLast: Bool, to bytes: inout [UInt8]) {
    bytes.append(isLast ? 1 : 0)
    bytes.append(little: count)
    bytes.append(little: ~count)
  }
}
