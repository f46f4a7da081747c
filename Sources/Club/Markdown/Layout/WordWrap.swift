internal import TextUI

/// Fills words of many looks into lines.
struct WordWrap {
  /// A word or a part of one. Parts without a space between them stay together.
  struct Part {
    var text: ArraySlice<UInt8>
    var width: Int
    var role: Role
    var attributes: Style.Attributes
    var range: Range<Int>
    var link: Int?
  }

  let width: Int
  private(set) var lines: [[StyledRun]] = []
  private var line: [StyledRun] = []
  private var column = 0
  /// The word that is not placed yet.
  private var word: [Part] = []
  private var wordWidth = 0
  /// The space before the word.
  private var space: Part?

  init(width: Int) { self.width = max(1, width) }

  /// Adds a text; its spaces are where lines may end. `count` is the number of source bytes of a text that the source
  /// writes in another way.
  mutating func add(
    _ text: ArraySlice<UInt8>, from source: Int, role: Role, attributes: Style.Attributes, link: Int?,
    isVerbatim: Bool = true, count: Int = 1
  ) {
    var index = text.startIndex
    while index < text.endIndex {
      let isBlank = text[index].isMarkdownBlank
      var end = index + 1
      while end < text.endIndex, text[end].isMarkdownBlank == isBlank { end += 1 }
      let range =
        isVerbatim ? (source + index - text.startIndex)..<(source + end - text.startIndex) : source..<(source + count)
      let part = Part(text: text[index..<end], width: 0, role: role, attributes: attributes, range: range, link: link)
      if isBlank { addSpace(part) } else { addWord(part) }
      index = end
    }
  }

  /// Adds a space. Several are one.
  mutating func addSpace(_ part: Part) {
    placeWord()
    guard column > 0, space == nil else { return }
    space = part
    space?.text = [0x20]
    space?.width = 1
    space?.range = part.range.lowerBound..<min(part.range.lowerBound + 1, part.range.upperBound)
  }

  private mutating func addWord(_ part: Part) {
    var part = part
    if part.text.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      part.width = part.text.count
      word.append(part)
      wordWidth += part.width
      return
    }
    let isVerbatim = part.range.count == part.text.count
    let (start, source) = (part.text.startIndex, part.range.lowerBound)
    var piece = part
    piece.text = part.text[start..<start]
    func range(_ text: ArraySlice<UInt8>) -> Range<Int> {
      isVerbatim ? (source + text.startIndex - start)..<(source + text.endIndex - start) : part.range
    }
    for glyph in GlyphReader(part.text) {
      piece.text = part.text[piece.text.startIndex..<glyph.range.upperBound]
      piece.width += glyph.width
      guard glyph.endsLine else { continue }
      piece.range = range(piece.text)
      word.append(piece)
      wordWidth += piece.width
      placeWord()
      piece.text = part.text[glyph.range.upperBound..<glyph.range.upperBound]
      piece.width = 0
    }
    guard !piece.text.isEmpty else { return }
    piece.range = range(piece.text)
    word.append(piece)
    wordWidth += piece.width
  }

  private mutating func placeWord() {
    guard !word.isEmpty else { return }
    let gap = space?.width ?? 0
    if column + gap + wordWidth > width, column > 0 {
      endLine()
    } else if let space {
      put(space)
    }
    space = nil
    if wordWidth <= width - column {
      for part in word { put(part) }
    } else {
      for part in word { putInPieces(part) }
    }
    word = []
    wordWidth = 0
  }

  /// Breaks a word that is longer than a line between glyphs.
  private mutating func putInPieces(_ part: Part) {
    let isVerbatim = part.range.count == part.text.count
    let (start, source) = (part.text.startIndex, part.range.lowerBound)
    var piece = part
    piece.text = part.text[start..<start]
    piece.width = 0
    for glyph in GlyphReader(part.text) {
      if column + piece.width + glyph.width > width, column + piece.width > 0 {
        put(piece)
        endLine()
        piece.text = part.text[glyph.range.lowerBound..<glyph.range.lowerBound]
        piece.width = 0
      }
      piece.text = part.text[piece.text.startIndex..<glyph.range.upperBound]
      piece.width += glyph.width
      if isVerbatim {
        piece.range = (source + piece.text.startIndex - start)..<(source + piece.text.endIndex - start)
      }
    }
    put(piece)
  }

  private mutating func put(_ part: Part) {
    guard !part.text.isEmpty else { return }
    column += part.width
    if let last = line.indices.last, line[last].role == part.role, line[last].attributes == part.attributes,
      line[last].link == part.link, line[last].isVerbatim, line[last].range.upperBound == part.range.lowerBound,
      part.text.count == part.range.count
    {
      line[last].text += part.text
      line[last].range = line[last].range.lowerBound..<part.range.upperBound
      line[last].width += part.width
      return
    }
    line.append(
      StyledRun(
        Array(part.text), part.role, attributes: part.attributes, range: part.range, link: part.link,
        width: part.width))
  }

  /// Ends the line, as a hard break does.
  mutating func breakLine() {
    placeWord()
    endLine()
  }

  private mutating func endLine() {
    lines.append(line)
    line = []
    column = 0
    space = nil
  }

  /// All lines; none for a text of spaces.
  mutating func finish() -> [[StyledRun]] {
    placeWord()
    if !line.isEmpty { endLine() }
    return lines
  }
}
