internal import ClubServices
internal import FileStores
internal import Markdown
internal import TextUI

/// The words that a new remark will quote: a line of the note, or the words that the member marks.
struct NoteQuote: Sendable {
  /// The word at the cursor, as source bytes.
  var word: Range<Int>
  /// The word at which marking began; nil while the whole line is quoted.
  var anchor: Range<Int>?
}

/// Remarks in the text that is read, and the choice of words for a new one.
extension NoteReader {
  /// More remarks are among all of them only.
  private static let mostRemarks = 1000
  /// Of one remark.
  private static let mostRows = 12

  /// Shows the remarks on the rendered page: those whose words are gone at the top, others behind their words or below.
  mutating func layRemarks() {
    guard page != nil, !note.remarks.talk.remarks.isEmpty else { return }
    var rows: [Int: [[StyledRun]]] = [:]
    let (talk, places) = (note.remarks.talk, note.remarks.places)
    for (index, remark) in talk.remarks.enumerated().prefix(Self.mostRemarks) {
      let isAnswered = index + 1 < talk.remarks.count && talk.remarks[index + 1].depth > remark.depth
      guard !remark.isWithdrawn || isAnswered else { continue }
      let offset =
        switch places[index] {
        case .after(let offset): offset - 1
        case .lost: -1
        case .below: note.bytes.count
        }
      rows[offset, default: []] += self.rows(of: remark, isLost: places[index] == .lost)
    }
    let end = note.bytes.count
    let more = talk.remarks.count - Self.mostRemarks
    if more > 0 { rows[end, default: []] += self.rows(of: "\(more.grouped) more are not shown here.") }
    if let below = rows[end] { rows[end] = [[], [StyledRun(Array("Remarks".utf8), .heading3)]] + below }
    if let words = talk.uncompared { rows[end, default: [[]]] += self.rows(of: words) }
    page?.show(asides: rows.map { MarkdownAside(offset: $0.key, rows: $0.value) })
  }

  mutating func take(_ remarks: PlacedTalk) {
    note.remarks = remarks
    layRemarks()
  }

  private func rows(of sentence: String) -> [[StyledRun]] {
    let text = TextBuffer(Array(sentence.utf8))
    return SoftWrap(width: max(10, min(size.width - 2, MarkdownLayout.Options.widestText)))
      .rows(from: 0, count: Self.mostRows, in: text)
      .map { [StyledRun(text.bytes(in: $0.start..<$0.end), .dim)] }
  }

  private func rows(of remark: Talk.Remark, isLost: Bool) -> [[StyledRun]] {
    let indent = String(repeating: "  ", count: remark.depth)
    let symbol = Symbol.remark.scalar(isASCII: abilities.asciiOnly)
    var head = "\(indent)\(symbol) \(remark.claim)"
    if isLost, case .words(let words) = remark.item.aim { head += " on \"\(words)\", which the note no longer has" }
    let text = TextBuffer(Array("\(head): \(remark.isWithdrawn ? "withdrawn" : remark.text)".utf8))
    let width = max(10, min(size.width - 2, MarkdownLayout.Options.widestText) - indent.utf8.count - 2)
    let wrapped = SoftWrap(width: width).rows(from: 0, count: Self.mostRows + 1, in: text)
    var rows = wrapped.prefix(Self.mostRows).map { row -> [StyledRun] in
      let headEnd = min(max(row.start, head.utf8.count), row.end)
      let (first, rest) = (text.bytes(in: row.start..<headEnd), text.bytes(in: headEnd..<row.end))
      let margin = row.start == 0 ? "" : indent + "  "
      return [StyledRun(Array(margin.utf8) + first, .accent), StyledRun(rest, .dim)].filter { !$0.text.isEmpty }
    }
    if wrapped.count > Self.mostRows { rows.append([StyledRun(Array("\(indent)  (goes on)".utf8), .dim)]) }
    return rows
  }

  // MARK: Quoting

  /// The line or the marked words as one range of the source.
  var quoted: Range<Int>? {
    quote.map { quote in
      guard let anchor = quote.anchor else { return line(of: quote.word) }
      return min(anchor.lowerBound, quote.word.lowerBound)..<max(anchor.upperBound, quote.word.upperBound)
    }
  }

  /// The quoted words on one line, up to the longest quote.
  var quotedText: String {
    let bytes = quoted.map { text.text.bytes(in: $0) } ?? []
    return String(
      String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(300))
  }

  /// False if no word is in view.
  mutating func beginQuote() -> Bool {
    guard note.content == .text, let word = lines.compactMap(firstWord).first else { return false }
    quote = NoteQuote(word: word)
    resize(size)
    return true
  }

  mutating func endQuote() {
    quote = nil
    resize(size)
  }

  /// Moves by words and lines; with Shift it marks from the word where that began.
  mutating func moveQuote(_ key: Key) {
    guard var quote else { return }
    let marks = key.modifiers.contains(.shift)
    let isFirst = marks && quote.anchor == nil
    quote.anchor = marks ? quote.anchor ?? quote.word : nil
    switch key.code {
    // The first step to a side marks the word itself.
    case .left, .right: if !isFirst { quote.word = word(after: key.code == .right, quote.word) ?? quote.word }
    case .up, .down:
      var next = self.word(inLineBelow: key.code == .down, quote.word)
      var top: Int?
      while next == nil, top != topOffset {
        top = topOffset
        scroll(by: key.code == .down ? 1 : -1)
        next = self.word(inLineBelow: key.code == .down, quote.word)
      }
      quote.word = next ?? quote.word
    default: return
    }
    self.quote = quote
    page?.show(quote.word.lowerBound)
    text.show(quote.word.lowerBound)
  }

  /// The source bytes of the lines in view.
  private var lines: [Range<Int>] {
    if let page { return page.rowRanges.compactMap { $0 } }
    let starts = text.rowOffsets
    return starts.indices.map { index in
      let next = text.text.start(ofLine: text.text.line(at: starts[index]) + 1)
      let end = index + 1 < starts.count ? starts[index + 1] : next > starts[index] ? next : text.text.count
      return starts[index]..<max(starts[index], end)
    }
  }

  private func line(of word: Range<Int>) -> Range<Int> {
    let line = lines.first { $0.contains(word.lowerBound) } ?? word
    return min(line.lowerBound, word.lowerBound)..<max(line.upperBound, word.upperBound)
  }

  private func firstWord(in line: Range<Int>) -> Range<Int>? {
    word(from: line.lowerBound).flatMap { $0.lowerBound < line.upperBound ? $0 : nil }
  }

  private func word(inLineBelow isBelow: Bool, _ word: Range<Int>) -> Range<Int>? {
    let lines = lines
    let words = (isBelow ? lines : lines.reversed()).compactMap(firstWord)
    let start = lines.first { $0.contains(word.lowerBound) } ?? word
    return words.first { isBelow ? $0.lowerBound >= start.upperBound : $0.lowerBound < start.lowerBound }
  }

  private func word(after isForward: Bool, _ word: Range<Int>) -> Range<Int>? {
    guard !isForward else { return self.word(from: word.upperBound) }
    let bytes = text.text.bytes(in: max(0, word.lowerBound - Self.reach)..<word.lowerBound)
    return Self.words(of: bytes, at: word.lowerBound - bytes.count).last
  }

  private func word(from offset: Int) -> Range<Int>? {
    let bytes = text.text.bytes(in: offset..<min(text.text.count, offset + Self.reach))
    return Self.words(of: bytes, at: offset).first
  }

  /// In bytes; a word lies so near to the next one.
  private static let reach = 4096

  /// Marks without a letter or digit are no words.
  private static func words(of bytes: [UInt8], at start: Int) -> [Range<Int>] {
    bytes.split { $0 == 0x20 || (0x09...0x0D).contains($0) }
      .filter { word in
        word.contains { $0 >= 0x80 || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
      }
      .map { (start + $0.startIndex)..<(start + $0.endIndex) }
  }
}

extension NotesScreen {
  /// Handles a key while words for a remark are chosen.
  static func quote(_ key: Key, _ state: inout NotesState, _ frame: inout Frame) {
    guard let reader = state.reader else { return }
    switch key.code {
    case .escape: changeReader(&state) { $0.endQuote() }
    case .enter, .character("@"):
      let words = reader.quotedText
      changeReader(&state) { $0.endQuote() }
      state.wantedTalk = (reader.note.entry.path, key.code == .enter && !words.isEmpty ? .words(words) : .whole, nil)
    case .left, .right, .up, .down: changeReader(&state) { $0.moveQuote(key) }
    default: frame.say("Choose the words of the remark: arrows move, Shift marks, Enter writes, Esc ends.")
    }
  }

  static func drawQuote(_ reader: NoteReader, on canvas: inout Canvas) {
    let y = canvas.size.height - 1
    canvas.fill(Rect(0, y, canvas.size.width, 1), style: canvas[.text])
    let used = canvas.text("On: ", x: 1, y: y, style: canvas[.label])
    canvas.text(reader.quotedText, x: 1 + used, y: y, style: canvas[.text], width: max(0, canvas.size.width - used - 2))
  }
}

extension NotesState {
  /// Begins the choice of words in the note that is read, if it shows some.
  mutating func beginQuote() -> Bool {
    guard var reader = views.last as? NoteReader, question == nil, !takesText, reader.beginQuote() else { return false }
    views[views.count - 1] = reader
    return true
  }

  /// Shows the remarks with their names compared. Another view may cover the note.
  mutating func take(_ remarks: PlacedTalk, on entry: FileEntry) {
    for index in views.indices {
      guard var reader = views[index] as? NoteReader, reader.note.entry == entry else { continue }
      reader.take(remarks)
      views[index] = reader
    }
  }
}
