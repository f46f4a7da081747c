public import TextUI

/// Rows between the lines of a note that are not in its text.
public struct MarkdownAside: Sendable, Equatable {
  /// They follow the line that shows this source byte. A negative one is above the note, one at its end below it.
  public let offset: Int
  public let rows: [[StyledRun]]

  public init(offset: Int, rows: [[StyledRun]]) { (self.offset, self.rows) = (offset, rows) }
}

/// A rendered note of any length, scrolled by lines. Only the parts around the visible lines are parsed, so a note of
/// 100 MB opens as fast as a short one.
///
/// A part far from those read so far (the end, a found word) begins at a guess: the nearest line behind a blank line. If
/// that lies within fenced code or a list, its look is that of text until the code or list ends. Definitions of links
/// are found in the whole of a note of up to 1 MiB, and in the parts read so far of a longer one; footnotes up to 16 MiB.
public struct MarkdownPages: Sendable {
  struct Part: Sendable {
    var range: Range<Int>
    var fence: MarkdownPart.Fence?
    var lines: [StyledLine]
    var links: [MarkdownLink]
    var pictures: [(path: String, offset: Int)]
  }

  struct Place: Equatable, Sendable {
    var part: Int
    var line: Int
  }

  /// Notes up to this size are searched for definitions and headings as a whole.
  static let wholeSize = 1 << 20
  /// Parts that are kept; those far from the visible lines are dropped.
  private static let mostParts = 48

  public let text: TextBuffer
  /// Columns and rows of the canvas.
  public private(set) var size: Size
  public let marks: MarkdownMarks
  public private(set) var references = MarkdownReferences()
  /// Consecutive; never empty.
  private(set) var parts: [Part] = []
  private(set) var top = Place(part: 0, line: 0)
  /// All bytes parsed so far.
  private(set) var parsedBytes = 0
  /// The rows of the pictures that are shown.
  private(set) var pictureRows: [String: Int] = [:]
  /// When the parts were laid out.
  private var areGraphemesWhole = Graphemes.areWhole
  /// By offset.
  private var asides: [MarkdownAside] = []
  /// The headings, once they were read.
  var knownHeadings: [MarkdownHeading]?
  /// The link that the member has gone to.
  public internal(set) var focus: MarkdownLink?

  public init(_ text: TextBuffer, size: Size, marks: MarkdownMarks = .unicode) {
    self.text = text
    self.size = size
    self.marks = marks
    references = Self.references(of: text)
    begin(at: 0)
  }

  /// The definitions and footnotes of a note; of one of more than 1 MiB, the footnotes alone.
  static func references(of text: TextBuffer) -> MarkdownReferences {
    guard text.count <= FootnoteScan.longestNote, text.parts.contains(where: { $0.contains(UInt8(ascii: "[")) }) else {
      return MarkdownReferences()
    }
    return text.count <= wholeSize ? MarkdownDocument(text.bytes).references : FootnoteScan.references(of: text)
  }

  // MARK: - Parts

  private mutating func part(at start: Int, to limit: Int, fence: MarkdownPart.Fence?) -> Part {
    let end = min(limit, start + MarkdownPart.longest)
    let part = MarkdownPart(
      text.bytes(in: start..<end), isStart: start == 0, isEnd: end == limit, fence: fence, references: references)
    parsedBytes += part.count
    var options = MarkdownLayout.Options(width: size.width - 2, marks: marks)
    options.pictureRows = pictureRows
    let layout = MarkdownLayout(
      part.document, at: start, options: options)
    var lines = layout.lines
    if start + part.count < text.count, !lines.isEmpty { lines.append(StyledLine(start: lines.last?.start ?? start)) }
    if lines.isEmpty { lines = [StyledLine(start: start)] }
    let range = start..<(start + part.count)
    return Part(
      range: range, fence: part.fence, lines: withAsides(lines, range), links: layout.links,
      pictures: layout.pictures)
  }

  /// In one pass over the lines and the asides.
  private func withAsides(_ lines: [StyledLine], _ range: Range<Int>) -> [StyledLine] {
    let (isFirst, isLast) = (range.lowerBound == 0, range.upperBound == text.count)
    let shown = asides.filter { aside in
      aside.offset < 0 ? isFirst : aside.offset >= text.count ? isLast : range.contains(aside.offset)
    }
    guard !shown.isEmpty else { return lines }
    // Of several lines that begin at the same place the first has its text.
    let firsts = Dictionary(lines.enumerated().map { ($1.start, $0) }) { first, _ in first }
    /// The least start of a line and of those below it.
    var leasts = lines.map(\.start)
    for place in leasts.indices.dropLast().reversed() { leasts[place] = min(leasts[place], leasts[place + 1]) }
    var rows: [Int: [StyledLine]] = [:]
    var below = 0
    for aside in shown {
      if aside.offset >= 0, aside.offset < text.count {
        while below < leasts.count, leasts[below] <= aside.offset { below += 1 }
      }
      let last = aside.offset >= text.count ? lines.count - 1 : aside.offset < 0 ? -1 : below - 1
      let start = lines.indices.contains(last) ? lines[last].start : range.lowerBound
      let place = aside.offset < 0 ? 0 : aside.offset >= text.count ? lines.count : (firsts[start] ?? 0) + 1
      rows[place, default: []] += aside.rows.map { StyledLine(runs: $0, start: start) }
    }
    var all: [StyledLine] = []
    for place in 0...lines.count {
      all += rows[place] ?? []
      if place < lines.count { all.append(lines[place]) }
    }
    return all
  }

  private mutating func begin(at start: Int) {
    parts = [part(at: start, to: text.count, fence: nil)]
    top = Place(part: 0, line: 0)
  }

  /// Reads the part behind the last one; false at the end of the note.
  @discardableResult
  mutating func appendPart() -> Bool {
    guard let last = parts.last, last.range.upperBound < text.count else { return false }
    parts.append(part(at: last.range.upperBound, to: text.count, fence: last.fence))
    if parts.count > Self.mostParts, top.part > 8 {
      parts.removeFirst(top.part - 4)
      top.part = 4
    }
    return true
  }

  /// Reads the lines before the first part; false at the start of the note.
  @discardableResult
  mutating func prependParts() -> Bool {
    guard let first = parts.first, first.range.lowerBound > 0 else { return false }
    let limit = first.range.lowerBound
    var start = guess(before: max(0, limit - MarkdownPart.usual))
    var more: [Part] = []
    var fence: MarkdownPart.Fence?
    while start < limit {
      let next = part(at: start, to: limit, fence: fence)
      (start, fence) = (next.range.upperBound, next.fence)
      more.append(next)
    }
    parts.insert(contentsOf: more, at: 0)
    top.part += more.count
    if parts.count > Self.mostParts, parts.count > top.part + 8 { parts.removeLast(parts.count - top.part - 8) }
    return !more.isEmpty
  }

  /// A place near an offset, and not behind it, where a block probably begins.
  private func guess(before offset: Int) -> Int {
    let from = max(0, offset - 2 * MarkdownPart.usual)
    let window = text.bytes(in: from..<offset)
    var index = window.count
    while index > 1 {
      index -= 1
      let isBehindBlank = window[index - 1] == 0x0A && (index == 1 ? from == 0 : window[index - 2] == 0x0A)
      if isBehindBlank, !window[index].isMarkdownSpace { return from + index }
    }
    if from == 0 { return 0 }
    if let newline = window.lastIndex(of: 0x0A) { return from + newline + 1 }
    let lead = window.suffix(4).lastIndex { $0 & 0xC0 != 0x80 }
    return lead.map { from + $0 } ?? offset
  }

  // MARK: - Scrolling

  /// The source offset of the first visible line.
  public var topOffset: Int { line(at: top)?.start ?? 0 }

  func line(at place: Place) -> StyledLine? {
    guard parts.indices.contains(place.part), parts[place.part].lines.indices.contains(place.line) else { return nil }
    return parts[place.part].lines[place.line]
  }

  /// Leaves rows for pictures, by their paths. The first visible line stays.
  public mutating func show(pictureRows: [String: Int]) {
    guard pictureRows != self.pictureRows else { return }
    self.pictureRows = pictureRows
    layOutAgain()
  }

  /// Shows rows between the lines. The first visible line stays.
  public mutating func show(asides: [MarkdownAside]) {
    let asides = asides.sorted { $0.offset < $1.offset }
    guard asides != self.asides else { return }
    self.asides = asides
    layOutAgain()
  }

  private mutating func layOutAgain() {
    let offset = topOffset
    begin(at: offset < MarkdownPart.longest ? 0 : guess(before: offset))
    scroll(to: offset)
  }

  /// Changes the size of the canvas, or only follows the terminal's columns of glyphs. The first visible line stays.
  public mutating func resize(_ size: Size) {
    let areGlyphsNew = areGraphemesWhole != Graphemes.areWhole
    guard size != self.size || areGlyphsNew else { return }
    let isWidthNew = size.width != self.size.width
    self.size = size
    areGraphemesWhole = Graphemes.areWhole
    if isWidthNew || areGlyphsNew {
      layOutAgain()
    } else {
      keepPageFull()
    }
  }

  public mutating func scroll(_ scroll: TextReader.Scroll) {
    if let rows = scroll.rows(height: size.height) {
      self.scroll(by: rows)
    } else {
      self.scroll(to: scroll == .top ? 0 : text.count)
    }
  }

  /// Scrolls by lines; negative is up.
  public mutating func scroll(by count: Int) {
    var left = count
    while left > 0, let next = place(after: top) {
      top = next
      left -= 1
    }
    while left < 0, let before = place(before: top) {
      top = before
      left += 1
    }
    keepPageFull()
  }

  private mutating func place(after place: Place) -> Place? {
    if place.line + 1 < parts[place.part].lines.count { return Place(part: place.part, line: place.line + 1) }
    let isTop = place == top
    if place.part + 1 >= parts.count {
      guard appendPart() else { return nil }
      // Parts at the beginning may have gone.
      if isTop { return Place(part: top.part + 1, line: 0) }
      return Place(part: parts.count - 1, line: 0)
    }
    return Place(part: place.part + 1, line: 0)
  }

  private mutating func place(before place: Place) -> Place? {
    if place.line > 0 { return Place(part: place.part, line: place.line - 1) }
    var part = place.part
    if part == 0 {
      let count = parts.count
      guard prependParts() else { return nil }
      part += max(1, parts.count - count)
      part = min(part, top.part)
    }
    return Place(part: part - 1, line: max(0, parts[part - 1].lines.count - 1))
  }

  /// Moves up from a page that the end of the note does not fill.
  private mutating func keepPageFull() {
    var missing = size.height - linesBelowTop(atMost: size.height)
    while missing > 0, let before = place(before: top) {
      top = before
      missing -= 1
    }
  }

  private mutating func linesBelowTop(atMost most: Int) -> Int {
    var count = parts[top.part].lines.count - top.line
    var part = top.part
    while count < most {
      if part + 1 >= parts.count {
        let shift = top.part
        guard appendPart() else { break }
        part -= shift - top.part
      }
      part += 1
      count += parts[part].lines.count
    }
    return count
  }

  /// Scrolls the line of an offset to the top, at most to the last page.
  public mutating func scroll(to offset: Int) {
    top = place(of: offset)
    keepPageFull()
  }

  /// The line that shows an offset.
  mutating func place(of offset: Int) -> Place {
    let offset = min(max(0, offset), text.count)
    let isBefore = offset < parts[0].range.lowerBound
    let isFar = offset > (parts.last?.range.upperBound ?? 0) + MarkdownPart.longest
    if isBefore || isFar {
      begin(at: offset < MarkdownPart.longest ? 0 : guess(before: offset))
    }
    while let last = parts.last, last.range.upperBound <= offset, appendPart() {}
    let part = parts.lastIndex { $0.range.lowerBound <= offset } ?? 0
    let line = parts[part].lines.lastIndex { $0.start <= offset } ?? 0
    // Of several lines that begin at the same place the first has its text.
    let start = parts[part].lines[line].start
    return Place(part: part, line: parts[part].lines.firstIndex { $0.start == start } ?? line)
  }

  /// Brings an offset into view. The view stays if the offset is visible; else its line moves to a third of the height.
  public mutating func show(_ offset: Int) {
    if isVisible(offset) { return }
    scroll(to: offset)
    let above = size.height / 3
    if topOffset <= offset {
      scroll(by: -above)
      if !isVisible(offset) { scroll(to: offset) }
    }
  }

  /// True if one of the visible lines shows an offset.
  func isVisible(_ offset: Int) -> Bool { visibleRange.contains(offset) }

  /// The source bytes from the first visible line to the first one below. A blank line belongs to the line above it.
  var visibleRange: Range<Int> {
    let lines = visible
    guard let last = lines.last else { return 0..<0 }
    let first = lines.first { row in row.line.runs.contains { !$0.range.isEmpty } } ?? last
    let below = parts[last.part...].lazy.flatMap(\.lines).first { $0.start > last.line.start }
    let end = below?.start ?? parts.last?.range.upperBound ?? last.line.start
    return first.line.start..<max(first.line.start, end)
  }

  /// The source bytes of each visible row; nil for a row without any, such as a blank one.
  public var rowRanges: [Range<Int>?] {
    visible.map { row in
      let ranges = row.line.runs.lazy.map(\.range).filter { !$0.isEmpty }
      guard let start = ranges.map(\.lowerBound).min(), let end = ranges.map(\.upperBound).max() else { return nil }
      return start..<end
    }
  }

  /// The visible lines with their parts.
  var visible: [(part: Int, line: StyledLine)] {
    var lines: [(part: Int, line: StyledLine)] = []
    var place = top
    while lines.count < size.height, let line = line(at: place) {
      lines.append((place.part, line))
      place.line += 1
      if place.line >= parts[place.part].lines.count { place = Place(part: place.part + 1, line: 0) }
    }
    return lines
  }

  /// The scroll position: 0 at the start, 100 if the end is visible.
  public var percent: Int {
    let isAtEnd = visible.last?.line == parts.last?.lines.last && parts.last?.range.upperBound == text.count
    return isAtEnd ? 100 : min(99, Int(Double(topOffset) / Double(max(1, text.count)) * 100))
  }

  /// True if the first line is visible.
  public var isAtTop: Bool { top == Place(part: 0, line: 0) && parts[0].range.lowerBound == 0 }

  /// True if the whole note is visible.
  public var fits: Bool { isAtTop && percent == 100 }
}
