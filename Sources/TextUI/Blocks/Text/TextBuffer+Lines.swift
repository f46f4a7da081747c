internal import Glibc

extension TextBuffer {
  /// The first line feed at an offset or after it.
  public func newline(from offset: Int) -> Int? {
    guard offset < count else { return nil }
    var (index, start) = locate(offset)
    var from = offset - start
    while index < chunks.count {
      if chunks[index].newlines > 0 {
        let found = chunks[index].bytes.withUnsafeBytes { bytes -> Int? in
          guard let base = bytes.baseAddress, let hit = memchr(base + from, 0x0A, bytes.count - from) else {
            return nil
          }
          return UnsafeRawPointer(hit) - base
        }
        if let found { return start + found }
      }
      start += chunks[index].count
      index += 1
      from = 0
    }
    return nil
  }

  /// The last line feed before an offset.
  public func newline(before offset: Int) -> Int? {
    guard offset > 0, count > 0 else { return nil }
    var (index, start) = locate(min(offset, count) - 1)
    var length = min(offset, count) - start
    while true {
      if chunks[index].newlines > 0 {
        let found = chunks[index].bytes.withUnsafeBufferPointer { bytes in bytes[..<length].lastIndex(of: 0x0A) }
        if let found { return start + found }
      }
      guard index > 0 else { return nil }
      index -= 1
      length = chunks[index].count
      start -= length
    }
  }

  /// Where the line of an offset begins.
  public func lineStart(at offset: Int) -> Int { newline(before: offset).map { $0 + 1 } ?? 0 }

  /// Where the text of an offset's line ends: before its line feed, or before its carriage return and line feed.
  public func lineEnd(at offset: Int) -> Int {
    // Between a carriage return and its line feed one is already behind the end.
    guard let newline = newline(from: offset) else { return count }
    let start = lineStart(at: offset)
    return newline > start && self[newline - 1] == 0x0D ? newline - 1 : newline
  }

  /// The line of an offset; the first is 0.
  public func line(at offset: Int) -> Int {
    let offset = min(max(0, offset), count)
    let (index, start) = locate(offset)
    var lines = 0
    for chunk in chunks[..<index] { lines += chunk.newlines }
    return lines + Self.newlines(in: chunks[index].bytes.prefix(offset - start))
  }

  /// Where a line begins; the text's end for lines that it does not have.
  public func start(ofLine line: Int) -> Int {
    guard line > 0 else { return 0 }
    var left = line
    var start = 0
    for chunk in chunks {
      if chunk.newlines >= left {
        for (index, byte) in chunk.bytes.enumerated() where byte == 0x0A {
          left -= 1
          if left == 0 { return start + index + 1 }
        }
      }
      left -= chunk.newlines
      start += chunk.count
    }
    return count
  }
}
