internal import ClubServices
internal import FileStores
internal import Markdown
internal import TextUI

/// A note that is read: its raw text and, for Markdown, the rendered page over it.
struct NoteReader: Sendable {
  var note: OpenNote
  /// The raw text, which also carries the search.
  var text: TextReader
  /// The rendered note; nil while the raw text is shown.
  var page: MarkdownPages?
  /// True for Markdown: the member may switch between page and raw text.
  let isMarkdown: Bool
  /// The search words, while they are typed or in force.
  var find = TextField()
  var isFinding = false
  /// The top row before the search; nil once the member has scrolled.
  var before: Int?
  /// True if reading a newer text has failed and is being retried.
  var isBehind = false
  /// The lines that others changed since the member last looked.
  var changes: LineDiff?
  /// The changed line that the member has gone to, and the first row in view then.
  var change: (line: Int, top: Int)?
  /// Columns and rows below the heading; find takes one of the rows.
  private(set) var size: Size
  private let marks: MarkdownMarks
  private(set) var abilities: TerminalAbilities
  /// The words for a remark, while they are chosen.
  var quote: NoteQuote?
  /// The pictures within the rendered note.
  var pictures = NotePictures()
  /// The page that the raw text replaced, and the first row of the raw text then.
  private var left: (page: MarkdownPages, top: Int)?

  /// Shows a note; `isRaw` shows any text as it is written.
  init(_ note: OpenNote, _ frame: Frame, isRaw: Bool = false) {
    self.note = note
    size = frame.viewSize
    abilities = frame.abilities
    marks = frame.abilities.asciiOnly ? .ascii : .unicode
    text = TextReader(note.bytes)
    isMarkdown =
      !isRaw && note.content == .text && MarkdownDocument.isMarkdown(named: note.entry.path.name, beginning: note.bytes)
    text.resize(rawSize)
    _ = pictures.resize(width: size.width, resolution: PictureResolution(abilities))
    if isMarkdown { page = MarkdownPages(text.text, size: size, marks: marks) }
    layRemarks()
  }

  /// Shows another text of a note with the look and the search of an older one.
  init(_ note: OpenNote, changes: LineDiff?, as old: NoteReader, _ frame: Frame) {
    self.init(note, frame)
    self.changes = changes
    find(as: old)
    look(as: old)
  }

  private var textSize: Size { Size(size.width, max(1, size.height - (takesKeys ? 1 : 0))) }

  /// A line below the text shows the typed or chosen words.
  var takesKeys: Bool { isFinding || quote != nil }

  /// A column of margin on both sides, as the page has; the marks of changed lines are in the left one.
  private var rawSize: Size { Size(max(1, textSize.width - 2), textSize.height) }

  /// The terminal has answered what it can.
  mutating func use(_ abilities: TerminalAbilities) { self.abilities = abilities }

  mutating func resize(_ size: Size) {
    self.size = size
    let size = textSize
    text.resize(rawSize)
    if pictures.resize(width: size.width, resolution: PictureResolution(abilities)) { page?.show(pictureRows: [:]) }
    layRemarks()
    page?.resize(size)
  }

  /// Switches between the rendered note and its raw text; the place stays.
  mutating func toggleRaw() {
    let top = topOffset
    if let page {
      text.scroll(to: top)
      (self.page, left) = (nil, (page, text.topOffset))
      return
    }
    var page: MarkdownPages
    if let left, left.top == top {
      page = left.page
      page.resize(textSize)
    } else {
      page = MarkdownPages(text.text, size: textSize, marks: marks)
      page.show(pictureRows: pictures.rows)
      page.scroll(to: top)
    }
    (self.page, left) = (page, nil)
    layRemarks()
  }

  /// The byte offset of the first visible row.
  var topOffset: Int { page?.topOffset ?? text.topOffset }
  var fits: Bool { page?.fits ?? text.fits }
  var percent: Int { page?.percent ?? text.percent }

  mutating func scroll(to offset: Int) {
    if page == nil { return text.scroll(to: offset) }
    page?.scroll(to: offset)
  }

  mutating func scroll(by rows: Int) {
    if page == nil { text.scroll(by: rows) }
    page?.scroll(by: rows)
    before = nil
  }

  /// Scrolls by a reader command; ignores others.
  mutating func scroll(_ command: CommandID) {
    let top = topOffset
    if page == nil { text.move(command) }
    if let scroll = TextReader.scroll(command) { page?.scroll(scroll) }
    if topOffset != top { before = nil }
  }

  /// A sentence for a command that would scroll beyond an end; nil for others.
  func end(of command: CommandID) -> String? {
    guard !takesKeys else { return nil }
    if command == .pageToggle, let focused, case .check = focused.kind { return nil }
    return TextReader.end(
      of: command == .pageToggle ? .readerPageDown : command, isAtTop: page?.isAtTop ?? (text.topOffset == 0),
      isAtEnd: percent == 100)
  }

  /// Shows the found place on the page as well.
  mutating func showFound() {
    if let found = text.search?.found { page?.show(found.lowerBound) }
  }

  /// A link that `isMissing` is pale.
  func draw(on canvas: inout Canvas, isMissing: (MarkdownLink) -> Bool) {
    if note.bytes.isEmpty { canvas.text("This note is empty.", x: 1, y: 0, style: canvas[.dim]) }
    let marking = marking
    guard let page else {
      return canvas.inside(Rect(1, 0, canvas.size.width - 2, canvas.size.height)) {
        text.draw(on: &$0, marking: marking)
      }
    }
    page.draw(on: &canvas, search: text.search, marking: marking, hyperlink: LinkTarget.hyperlink, isMissing: isMissing)
    for (y, x, row) in page.visiblePictureRows where y < canvas.size.height {
      guard let picture = pictures.shown[row.path] else { continue }
      PictureCells.draw(picture, row: row.row, x: x, y: y, abilities, on: &canvas)
    }
  }

  /// The word at the cursor, and the quoted words around it.
  private var marking: (places: [Range<Int>], found: Range<Int>)? {
    guard let quote, let range = quoted else { return nil }
    let word = quote.word
    return ([range.lowerBound..<word.lowerBound, word, word.upperBound..<range.upperBound], word)
  }

  /// Takes over the look of an older text: place, focus, and raw text or page.
  mutating func look(as old: NoteReader) {
    pictures = old.pictures.afterReading
    page?.show(pictureRows: pictures.rows)
    if isMarkdown, (old.page == nil) != (page == nil) { toggleRaw() }
    scroll(to: old.topOffset)
    // The choice of words goes on where the text is the same.
    if let range = old.quoted, range.upperBound <= note.bytes.count, note.bytes[range] == old.note.bytes[range] {
      quote = old.quote
      resize(size)
    }
    if let focus = old.page?.focus, note.bytes.line(of: focus) == old.note.bytes.line(of: focus) {
      page?.focusLink(at: focus.range.lowerBound)
    }
  }
}

extension [UInt8] {
  /// The link's source line around the link and, except for a check box, the link itself; nil if the text ends before.
  fileprivate func line(of link: MarkdownLink) -> [ArraySlice<UInt8>]? {
    guard link.range.upperBound <= count else { return nil }
    let start = self[..<link.range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = self[link.range.upperBound...].firstIndex(of: 0x0A) ?? count
    let parts = [self[start..<link.range.lowerBound], self[link.range.upperBound..<end]]
    if case .check = link.kind { return parts }
    return parts + [self[link.range]]
  }
}
