/// Find and replace.
extension TextEditor {
  /// Selects the first match from an offset on, and searches the first slice of the text.
  public mutating func find(_ words: String, from origin: Int) {
    search = words.isEmpty ? nil : TextSearch([words], from: origin)
    if search == nil { move(to: origin) }
    findOn()
  }

  /// Searches the next slice; selects the first match.
  public mutating func findOn() {
    guard search?.isOver == false else { return }
    let isFirst = search?.found == nil
    search?.lookOn(in: text.buffer)
    if isFirst, let found = search?.found { select(found) }
  }

  public mutating func endFind() { search = nil }

  /// Selects the next or the previous match. Goes on at the other end of the text.
  public mutating func find(forward: Bool) -> TextReader.Finding {
    guard let step = search?.step(forward: forward) else { return .none }
    if let place = step.place { select(place) }
    return step.finding
  }

  /// Replaces the selected match and selects the next one.
  public mutating func replaceFound(with bytes: [UInt8]) -> Outcome {
    guard let search, let found = search.found, found == text.selection else { return .ignored }
    let outcome = text.replace(found, with: bytes)
    self.search = TextSearch(like: search, from: text.cursor)
    findOn()
    return settle(outcome)
  }

  /// Replaces all matches that are known, as one undo step. Call it once the search is over.
  public mutating func replaceAll(with bytes: [UInt8]) -> (outcome: Outcome, count: Int) {
    guard let search, search.count > 0 else { return (.ignored, 0) }
    var edits: [TextEdit] = []
    var first = search.count - 1
    while first >= 0 {
      // Matches near each other are one edit: it costs less than one each.
      let last = first
      while first > 0, search[first].lowerBound - search[first - 1].upperBound < 512,
        search[last].upperBound - search[first - 1].lowerBound < 0x4000
      {
        first -= 1
      }
      var inserted: [UInt8] = []
      for index in first...last {
        if index > first { inserted += text.buffer.bytes(in: search[index - 1].upperBound..<search[index].lowerBound) }
        inserted += bytes
      }
      let start = search[first].lowerBound
      edits.append(TextEdit(offset: start, removed: search[last].upperBound - start, inserted: inserted))
      first -= 1
    }
    let outcome = text.apply(edits)
    self.search = TextSearch(like: search, from: text.cursor)
    return (settle(outcome), search.count)
  }

  /// The first line is 1. Goes to the last line if there are fewer.
  public mutating func go(toLine line: Int) {
    let buffer = text.buffer
    move(to: line > buffer.newlineCount ? buffer.lineStart(at: buffer.count) : buffer.start(ofLine: line - 1))
  }

  private mutating func select(_ place: Range<Int>) {
    text.select(place)
    center()
  }
}
