internal import TextUI

/// The roles of Markdown that is being written: marks and whole lines, from the visible lines alone. Its rules are simple
/// on purpose; the reader has the exact ones.
struct MarkdownTint {
  /// Of a long line, and above the view, only so many bytes are read.
  private static let longestLine = 4096
  private static let mostAbove = 64 << 10

  private(set) var roles: [TextRole] = []
  private var isInCode = false

  /// The roles in a part of a text that begins and ends at rows of a view.
  init(_ text: TextBuffer, _ part: Range<Int>) {
    let start = max(text.lineStart(at: part.lowerBound), part.lowerBound - Self.longestLine)
    isInCode = Self.isCode(before: start, in: text)
    let bytes = text.bytes(in: start..<part.upperBound)
    var line = bytes[...]
    while !line.isEmpty {
      let end = line.firstIndex(of: 0x0A) ?? line.endIndex
      add(line[..<end], at: start)
      line = line[min(end + 1, bytes.endIndex)...]
    }
  }

  /// True in a code span, which may still lack its end, and in fenced or indented code.
  static func isCode(at offset: Int, in text: TextBuffer) -> Bool {
    let start = text.lineStart(at: offset)
    let head = text.bytes(in: start..<min(offset, start + longestLine))
    let line = text.bytes(in: max(start, offset - longestLine)..<offset)
    return isFence(head[...]) || isOpenSpan(line[...]) || isCode(before: start, in: text)
      || indentation(head[...]) >= 4 && isIndentedCode(before: start, in: text)
  }

  /// True if a code span begins in a line, and does not end in it.
  private static func isOpenSpan(_ line: ArraySlice<UInt8>) -> Bool {
    var index = line.startIndex
    while index < line.endIndex {
      guard line[index] == UInt8(ascii: "`") else {
        index += line[index] == UInt8(ascii: "\\") ? 2 : 1
        continue
      }
      let ticks = line[index...].prefix { $0 == UInt8(ascii: "`") }.count
      guard let end = end(ofCode: ticks, in: line[(index + ticks)...]) else { return true }
      index = end
    }
    return false
  }

  /// True if a line with an indentation is code there: behind a blank line, and not in a list or a footnote.
  private static func isIndentedCode(before end: Int, in text: TextBuffer) -> Bool {
    let lines = text.bytes(in: max(0, end - mostAbove)..<end).split(separator: 0x0A, omittingEmptySubsequences: false)
    var isBehindBlank = false
    for line in lines.dropLast().reversed() {
      let words = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      guard !words.isEmpty else {
        isBehindBlank = true
        continue
      }
      let indentation = indentation(line)
      if indentation < 4 {
        return isBehindBlank && indentation == 0 && listMark(words) == 0 && !words.starts(with: "[^".utf8)
      }
      isBehindBlank = false
    }
    return true
  }

  /// In columns.
  private static func indentation(_ line: ArraySlice<UInt8>) -> Int {
    line.prefix { $0 == 0x20 || $0 == 0x09 }.reduce(0) { $1 == 0x09 ? ($0 / 4 + 1) * 4 : $0 + 1 }
  }

  private static func isCode(before end: Int, in text: TextBuffer) -> Bool {
    let from = max(0, end - mostAbove)
    let bytes = text.bytes(in: from..<end)
    var isCode = false
    var line = from == 0 ? bytes[...] : bytes[(bytes.firstIndex(of: 0x0A) ?? bytes.endIndex)...].dropFirst()
    while !line.isEmpty {
      if isFence(line) { isCode.toggle() }
      guard let end = line.firstIndex(of: 0x0A) else { break }
      line = line[(end + 1)...]
    }
    return isCode
  }

  private static func isFence(_ line: ArraySlice<UInt8>) -> Bool {
    let text = line.prefix(8).drop { $0 == 0x20 }
    return text.starts(with: "```".utf8) || text.starts(with: "~~~".utf8)
  }

  /// Indices of `line` count from `start` in the text.
  private mutating func add(_ line: ArraySlice<UInt8>, at start: Int) {
    func add(_ range: Range<Int>, _ role: Role) {
      if !range.isEmpty { roles.append(TextRole((start + range.lowerBound)..<(start + range.upperBound), role)) }
    }
    let whole = line.startIndex..<line.endIndex
    if Self.isFence(line) {
      isInCode.toggle()
      return add(whole, .dim)
    }
    if isInCode { return add(whole, .code) }
    var text = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard let first = text.first else { return }
    if first == UInt8(ascii: "#") {
      let level = text.prefix { $0 == UInt8(ascii: "#") }.count
      let next = text.dropFirst(level).first
      if level <= 6, next == nil || next == 0x20 {
        return add(whole, level == 1 ? .heading1 : level == 2 ? .heading2 : .heading3)
      }
    }
    if first == UInt8(ascii: ">") { return add(whole, .quote) }
    let marks = text.filter { $0 != 0x20 && $0 != 0x0D }
    if marks.count >= 3, marks.allSatisfy({ $0 == first }), "-*_".utf8.contains(first) { return add(whole, .rule) }
    let mark = Self.listMark(text)
    if mark > 0 {
      add(text.startIndex..<(text.startIndex + mark), .bullet)
      text = text.dropFirst(mark).drop { $0 == 0x20 }
      if text.count >= 3,
        text.starts(with: "[ ]".utf8) || text.starts(with: "[x]".utf8) || text.starts(with: "[X]".utf8)
      {
        add(text.startIndex..<(text.startIndex + 3), .checkbox)
        text = text.dropFirst(3)
      }
    }
    addInlines(text, at: start)
  }

  /// The length of a list item's marker; 0 without one.
  private static func listMark(_ text: ArraySlice<UInt8>) -> Int {
    let digits = text.prefix { (0x30...0x39).contains($0) }.count
    guard digits <= 9, let mark = text.dropFirst(digits).first,
      digits > 0 ? ".)".utf8.contains(mark) : "-*+".utf8.contains(mark),
      text.dropFirst(digits + 1).first == 0x20
    else { return 0 }
    return digits + 1
  }

  private mutating func addInlines(_ line: ArraySlice<UInt8>, at start: Int) {
    func add(_ range: Range<Int>, _ role: Role) {
      roles.append(TextRole((start + range.lowerBound)..<(start + range.upperBound), role))
    }
    var index = line.startIndex
    // Without an end on this line, further openings need no look.
    var noCode = false
    while index < line.endIndex {
      let byte = line[index]
      switch byte {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "`") where !noCode:
        let ticks = line[index...].prefix { $0 == byte }.count
        if let end = Self.end(ofCode: ticks, in: line[(index + ticks)...]) {
          add(index..<end, .code)
          index = end
          continue
        }
        noCode = true
      case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        let count = line[index...].prefix { $0 == byte }.count
        let before = index > line.startIndex ? line[index - 1] : 0x20
        let after = index + count < line.endIndex ? line[index + count] : 0x20
        let isWithin = byte == UInt8(ascii: "_") && Self.isWord(before) && Self.isWord(after)
        if !(before == 0x20 && after == 0x20), !isWithin, byte != UInt8(ascii: "~") || count == 2, count <= 3 {
          add(index..<(index + count), .dim)
        }
        index += count
        continue
      case UInt8(ascii: "["):
        if let end = Self.end(ofLinkAt: index, in: line) {
          add(index..<end, .link)
          index = end
          continue
        }
      case UInt8(ascii: "#") where index == line.startIndex || line[index - 1] == 0x20:
        let word = line[(index + 1)...].prefix(while: Self.isWord).count
        if word > 0 {
          add(index..<(index + 1 + word), .tag)
          index += word
        }
      default: break
      }
      index += 1
    }
  }

  private static func end(ofCode ticks: Int, in rest: ArraySlice<UInt8>) -> Int? {
    var index = rest.startIndex
    while let next = rest[index...].firstIndex(of: UInt8(ascii: "`")) {
      let count = rest[next...].prefix { $0 == UInt8(ascii: "`") }.count
      if count == ticks { return next + count }
      index = next + count
    }
    return nil
  }

  /// `[[note]]`, `[text](address)` or `[text][name]`, of at most 500 bytes.
  private static func end(ofLinkAt index: Int, in line: ArraySlice<UInt8>) -> Int? {
    let part = line[index...].prefix(500)
    guard let close = part.firstIndex(of: UInt8(ascii: "]")), let next = part.dropFirst(close + 1 - index).first
    else { return nil }
    switch next {
    case UInt8(ascii: "]") where part.dropFirst().first == UInt8(ascii: "["): return close + 2
    case UInt8(ascii: "("): return part[close...].firstIndex(of: UInt8(ascii: ")")).map { $0 + 1 }
    case UInt8(ascii: "["): return part[(close + 2)...].firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
    default: return nil
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x80...: true
    default: false
    }
  }
}
