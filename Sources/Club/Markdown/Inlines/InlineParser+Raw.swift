/// Code, raw HTML and addresses in angles.
extension InlineParser {
  mutating func parseCode() {
    let start = offset
    var inner = offset
    while inner < bytes.count, bytes[inner] == UInt8(ascii: "`") { inner += 1 }
    guard let close = backticks(inner - start, from: inner) else { return takeText(inner - start) }
    offset = close + inner - start
    let node = append(.code, start..<offset)
    var text = inner..<close
    // One space at both ends belongs to the marks.
    if text.count > 2, isCodeSpace(bytes[text.lowerBound]), isCodeSpace(bytes[text.upperBound - 1]),
      bytes[text].contains(where: { !isCodeSpace($0) })
    {
      text = (text.lowerBound + 1)..<(text.upperBound - 1)
    }
    appendLines(of: text, to: node)
  }

  private func isCodeSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }

  /// The start of the next run of exactly so many backticks.
  private mutating func backticks(_ length: Int, from start: Int) -> Int? {
    if let known = lastBackticks, known[length] ?? -1 < start { return nil }
    var runs: [Int: Int] = [:]
    var index = start
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "`") else {
        index += 1
        continue
      }
      let run = index
      while index < bytes.count, bytes[index] == UInt8(ascii: "`") { index += 1 }
      if index - run == length { return run }
      runs[index - run] = run
    }
    lastBackticks = lastBackticks ?? runs
    return nil
  }

  /// `<address>` or raw HTML.
  mutating func parseAngle() {
    let start = offset
    if let end = addressEnd(at: start + 1) {
      offset = end + 1
      let text = (start + 1)..<end
      let address = String(decoding: bytes[text], as: UTF8.self)
      let isMail = !bytes[text].contains(UInt8(ascii: ":"))
      let node = append(.autolink(MarkdownTarget(isMail ? "mailto:" + address : address)), start..<offset)
      appendLines(of: text, to: node)
    } else if let end = htmlEnd(at: start) {
      offset = end
      if options.contains(.plainHTML) {
        if HTMLScanner.starts("<!--", bytes, start..<end) { return }
        if HTMLScanner.isBreak(bytes, start..<end) {
          append(.hardBreak, start..<end)
          return
        }
      }
      appendLines(of: start..<end, to: append(.html, start..<end))
    } else {
      takeText(1)
    }
  }

  /// The `>` behind an address with a scheme, or of mail.
  private func addressEnd(at start: Int) -> Int? {
    var index = start
    while index < bytes.count, bytes[index].isAlphanumeric || "+.-".utf8.contains(bytes[index]) { index += 1 }
    let length = index - start
    if index < bytes.count, bytes[index] == UInt8(ascii: ":"), bytes[start].isLetter, length >= 2, length <= 32 {
      while index < bytes.count, bytes[index] > 0x20, bytes[index] != UInt8(ascii: "<") {
        if bytes[index] == UInt8(ascii: ">") { return index }
        index += 1
      }
      return nil
    }
    index = start
    while index < bytes.count, bytes[index].isAlphanumeric || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(bytes[index]) {
      index += 1
    }
    guard index > start, index < bytes.count, bytes[index] == UInt8(ascii: "@") else { return nil }
    repeat {
      index += 1
      let part = index
      while index < bytes.count, bytes[index].isAlphanumeric || bytes[index] == UInt8(ascii: "-") { index += 1 }
      let count = index - part
      guard count > 0, count <= 63, bytes[part] != UInt8(ascii: "-"), bytes[index - 1] != UInt8(ascii: "-") else {
        return nil
      }
    } while index < bytes.count && bytes[index] == UInt8(ascii: ".")
    return index < bytes.count && bytes[index] == UInt8(ascii: ">") ? index : nil
  }

  private mutating func htmlEnd(at start: Int) -> Int? {
    let next = start + 1
    guard next < bytes.count else { return nil }
    switch bytes[next] {
    case UInt8(ascii: "?"): return end("?>", 1, from: start + 2)
    case UInt8(ascii: "!"):
      if HTMLScanner.starts("!--", bytes, next..<bytes.count) { return commentEnd(from: start + 4) }
      if HTMLScanner.starts("![CDATA[", bytes, next..<bytes.count) { return end("]]>", 2, from: start + 9) }
      guard next + 1 < bytes.count, (0x41...0x5A).contains(bytes[next + 1]) else { return nil }
      var name = next + 1
      while name < bytes.count, (0x41...0x5A).contains(bytes[name]) { name += 1 }
      guard name < bytes.count, bytes[name].isMarkdownSpace else { return nil }
      return end(">", 3, from: name)
    default: return HTMLScanner.tag(bytes, start..<bytes.count)
    }
  }

  /// A comment does not begin with `>` or `->`, does not contain `--` and does not end in a dash.
  private mutating func commentEnd(from start: Int) -> Int? {
    guard start < bytes.count, bytes[start] != UInt8(ascii: ">"),
      !HTMLScanner.starts("->", bytes, start..<bytes.count), !missingEnds.contains(0)
    else { return nil }
    guard let end = HTMLScanner.find("--", bytes, start..<bytes.count) else {
      missingEnds.insert(0)
      return nil
    }
    return end < bytes.count && bytes[end] == UInt8(ascii: ">") ? end + 1 : nil
  }

  private mutating func end(_ word: StaticString, _ kind: UInt8, from start: Int) -> Int? {
    guard !missingEnds.contains(kind), start <= bytes.count else { return nil }
    let found = HTMLScanner.find(word, bytes, start..<bytes.count)
    if found == nil { missingEnds.insert(kind) }
    return found
  }
}
