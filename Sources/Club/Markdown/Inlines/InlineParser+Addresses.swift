/// GitHub's bare addresses: `www.club.example`, `https://club.example/`, `ann@club.example`.
extension InlineParser {
  /// An address at `www.` or around `://`.
  mutating func parseAddress() -> Bool {
    guard options.contains(.addresses), activeBrackets == 0 else { return false }
    let start: Int
    let host: Int
    if bytes[offset] == UInt8(ascii: ":") {
      guard HTMLScanner.starts("://", bytes, offset..<bytes.count) else { return false }
      var scheme = offset
      while scheme > 0, offset - scheme < 6, bytes[scheme - 1].isLetter { scheme -= 1 }
      guard ["http", "https", "ftp"].contains(text(scheme..<offset)) else { return false }
      start = scheme
      host = offset + 3
      guard host < bytes.count, bytes[host].isAlphanumeric else { return false }
    } else {
      guard HTMLScanner.starts("www.", bytes, offset..<bytes.count), bytes[offset] == UInt8(ascii: "w") else {
        return false
      }
      if offset > 0, !"*_~(".utf8.contains(bytes[offset - 1]), !bytes[offset - 1].isMarkdownSpace { return false }
      start = offset
      host = offset
    }
    guard let domain = domainEnd(from: host, needsDot: host == start) else { return false }
    var end = domain
    while end < bytes.count, !bytes[end].isMarkdownSpace, bytes[end] != UInt8(ascii: "<") { end += 1 }
    end = withoutTrailing(start..<end)
    guard end > host else { return false }
    if start < offset { takeBack(offset - start) }
    offset = end
    let address = String(decoding: bytes[start..<end], as: UTF8.self)
    let node = append(.autolink(MarkdownTarget(host == start ? "http://" + address : address)), start..<end)
    appendLines(of: start..<end, to: node)
    return true
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].map(\.lowercased), as: UTF8.self)
  }

  /// The end of a host name: no underscore in its last two parts.
  private func domainEnd(from start: Int, needsDot: Bool) -> Int? {
    var index = start
    var dots = 0
    var underscores = (0, 0)
    // As in GitHub's parser, the last byte of the text and what follows a letter beyond ASCII are not looked at.
    while index < bytes.count - 1 {
      let byte = bytes[index]
      if byte == UInt8(ascii: "_") {
        underscores.1 += 1
      } else if byte == UInt8(ascii: ".") {
        underscores = (underscores.1, 0)
        dots += 1
      } else if !byte.isAlphanumeric, byte != UInt8(ascii: "-"), byte < 0xC0 {
        break
      }
      index += 1
    }
    guard underscores.0 == 0, underscores.1 == 0, !needsDot || dots > 0, index > start else { return nil }
    return index
  }

  /// The end without punctuation that belongs to the sentence around it.
  func withoutTrailing(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    let opening = bytes[range].reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : 0) }
    var closing = bytes[range].reduce(0) { $0 + ($1 == UInt8(ascii: ")") ? 1 : 0) }
    while end > range.lowerBound {
      switch bytes[end - 1] {
      case UInt8(ascii: ")"):
        guard closing > opening else { return end }
        closing -= 1
        end -= 1
      case UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"),
        UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "'"), UInt8(ascii: "\""):
        end -= 1
      case UInt8(ascii: ";"):
        var name = end - 2
        while name > range.lowerBound, bytes[name].isLetter { name -= 1 }
        end = name >= range.lowerBound && name < end - 2 && bytes[name] == UInt8(ascii: "&") ? name : end - 1
      default: return end
      }
    }
    return end
  }
}
