/// The bytes of a text, kept in chunks: a change costs the same anywhere in a text of any size, and looking up an
/// offset or a line is a walk over the chunks (3,200 of them for 100 MB: some microseconds).
///
/// Bytes are never interpreted: what is not changed stays as it is, valid UTF-8 or not, whatever the line ends.
/// A chunk that was never changed is a slice of the array that the text was made from, so opening copies nothing.
public struct TextBuffer: Sendable {
  struct Chunk: Sendable {
    var bytes: ArraySlice<UInt8>
    var count: Int
    var newlines: Int

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      count = bytes.count
      newlines = TextBuffer.newlines(in: bytes)
    }
  }

  /// A change rebuilds one chunk: 32 KiB are copied in about 2 microseconds.
  static let chunkSize = 32 * 1024

  /// Never empty; only the sole chunk of an empty text has no bytes.
  private(set) var chunks: ContiguousArray<Chunk>
  /// Bytes in all.
  public private(set) var count: Int
  /// Line feeds in all; a text has one line more than that.
  public private(set) var newlineCount: Int

  /// A text of these bytes.
  public init(_ bytes: [UInt8] = []) {
    chunks = Self.cut(bytes)
    count = bytes.count
    newlineCount = chunks.reduce(0) { $0 + $1.newlines }
  }

  /// The byte at an offset below `count`.
  public subscript(offset: Int) -> UInt8 {
    let place = locate(offset)
    let bytes = chunks[place.index].bytes
    return bytes[bytes.startIndex + offset - place.start]
  }

  /// A copy of a part; what lies outside of the text is left out.
  public func bytes(in range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return [] }
    var copy: [UInt8] = []
    copy.reserveCapacity(range.count)
    var (index, start) = locate(range.lowerBound)
    while start < range.upperBound, index < chunks.count {
      let bytes = chunks[index].bytes
      let from = bytes.startIndex + max(0, range.lowerBound - start)
      let to = bytes.startIndex + min(bytes.count, range.upperBound - start)
      copy.append(contentsOf: bytes[from..<to])
      start += bytes.count
      index += 1
    }
    return copy
  }

  /// A copy of the whole text.
  public var bytes: [UInt8] { bytes(in: 0..<count) }

  /// The text in order, in parts, without copying it.
  public var parts: [ArraySlice<UInt8>] { chunks.map(\.bytes) }

  /// Puts bytes in the place of a range, which is cut to the text. Returns what was there.
  @discardableResult
  public mutating func replace(_ range: Range<Int>, with inserted: [UInt8]) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty || !inserted.isEmpty else { return [] }
    let removed = bytes(in: range)
    var first = locate(range.lowerBound)
    let last = locate(range.upperBound)
    var head = chunks[first.index].bytes.prefix(range.lowerBound - first.start)
    let tail = chunks[last.index].bytes.dropFirst(range.upperBound - last.start)
    var middle: [UInt8] = []
    middle.reserveCapacity(head.count + inserted.count + tail.count)
    if head.count + inserted.count + tail.count < Self.chunkSize / 4, first.index > 0 {
      // Small chunks go into the one before, or deleting much would leave many of them.
      first.index -= 1
      middle.append(contentsOf: chunks[first.index].bytes)
    }
    middle.append(contentsOf: head)
    middle.append(contentsOf: inserted)
    middle.append(contentsOf: tail)
    head = []
    chunks.replaceSubrange(first.index...last.index, with: Self.cut(middle))
    if chunks.count > 1 { chunks.removeAll { $0.count == 0 } }
    count += inserted.count - range.count
    newlineCount += Self.newlines(in: inserted[...]) - Self.newlines(in: removed[...])
    return removed
  }

  /// The chunk that holds an offset, and the chunk's own offset; the last chunk for the text's end.
  func locate(_ offset: Int) -> (index: Int, start: Int) {
    chunks.withUnsafeBufferPointer { chunks in
      var index = 0
      var start = 0
      while index < chunks.count - 1, offset >= start + chunks[index].count {
        start += chunks[index].count
        index += 1
      }
      return (index, start)
    }
  }

  static func newlines(in bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var count = 0
      for byte in bytes { count &+= byte == 0x0A ? 1 : 0 }
      return count
    }
  }

  private static func cut(_ bytes: [UInt8]) -> ContiguousArray<Chunk> {
    guard bytes.count > chunkSize * 2 else { return [Chunk(bytes[...])] }
    var chunks: ContiguousArray<Chunk> = []
    chunks.reserveCapacity(bytes.count / chunkSize + 1)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + chunkSize)
      chunks.append(Chunk(bytes[start..<end]))
      start = end
    }
    return chunks
  }
}
