/// Inlines that other note programs write: comments, mathematics, highlighted words and the names of blocks.
extension InlineParser {
  /// `%%comment%%`, which is not shown. One that does not end within the block is text.
  mutating func parseComment() {
    let mark = UInt8(ascii: "%")
    guard options.contains(.vaults), offset + 1 < bytes.count, bytes[offset + 1] == mark else { return takeText(1) }
    guard let end = pair(of: mark, from: offset + 2) else { return takeText(2) }
    offset = end
  }

  /// `$mathematics$` and `$$mathematics$$` stay as they are, with their marks: nothing in them is a mark of Markdown. As in
  /// other programs, no space is at the inner side of a single sign, and no digit behind it, so that prices are text.
  mutating func parseMath() {
    let sign = UInt8(ascii: "$")
    guard options.contains(.vaults) else { return takeText(1) }
    let start = offset
    if start + 1 < bytes.count, bytes[start + 1] == sign {
      guard let end = pair(of: sign, from: start + 2), end > start + 4 else { return takeText(2) }
      offset = end
    } else {
      guard start + 1 < bytes.count, !bytes[start + 1].isMarkdownSpace, let end = mathEnd(from: start + 2) else {
        return takeText(1)
      }
      offset = end
    }
    appendLines(of: start..<offset, to: append(.math, start..<offset))
  }

  /// The end of the next two bytes of a kind. Without any, the rest of the block has none either.
  private mutating func pair(of mark: UInt8, from start: Int) -> Int? {
    guard !missingEnds.contains(mark) else { return nil }
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == mark, bytes[index + 1] == mark { return index + 2 }
      index += 1
    }
    missingEnds.insert(mark)
    return nil
  }

  private mutating func mathEnd(from start: Int) -> Int? {
    // The mark of the end of a single sign among the missing ones.
    let single = UInt8(ascii: "m")
    guard !missingEnds.contains(single) else { return nil }
    var index = start
    while index < bytes.count {
      let isEnd = bytes[index] == UInt8(ascii: "$") && !bytes[index - 1].isMarkdownSpace && bytes[index - 1] != 0x5C
      if isEnd, index + 1 == bytes.count || !bytes[index + 1].isDigit { return index + 1 }
      index += 1
    }
    missingEnds.insert(single)
    return nil
  }

  /// True for the name of a file that is no note: `![[note]]` is a link to it.
  static func isFile(_ path: String) -> Bool {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return false }
    let ending = name[name.index(after: dot)...].prefix { $0 != UInt8(ascii: "#") }
    guard 1...5 ~= ending.count, ending.allSatisfy(\.isAlphanumeric) else { return false }
    return !["md", "markdown", "txt"].contains(String(decoding: ending, as: UTF8.self).lowercased())
  }

  /// `300` or `300x200` behind the bar of a picture.
  func isSize(_ label: Range<Int>) -> Bool {
    bytes[label].split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0.allSatisfy(\.isDigit)
    }
  }
}

extension BlockText {
  /// Drops the name of a block, ` ^name`, from the end of its text.
  mutating func dropBlockName() {
    var start = bytes.count
    while start > 0, bytes[start - 1].isAlphanumeric || bytes[start - 1] == UInt8(ascii: "-") { start -= 1 }
    guard start < bytes.count, start > 0, bytes[start - 1] == UInt8(ascii: "^"),
      start == 1 || bytes[start - 2].isMarkdownSpace,
      // A power is no name.
      bytes.count - start > 3 || bytes[start...].contains(where: \.isLetter)
    else { return }
    start -= 1
    while start > 0, bytes[start - 1].isMarkdownSpace { start -= 1 }
    cut(to: start)
  }
}
