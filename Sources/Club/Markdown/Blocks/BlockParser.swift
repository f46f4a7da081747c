/// Reads a text line by line and builds its blocks, as the appendix of the CommonMark specification describes: a line
/// continues open blocks, begins new ones, and gives the rest of its text to the deepest.
///
/// Lines can be given one after the other, so that a long text is parsed as far as it is seen.
struct BlockParser {
  let source: [UInt8]
  var blocks: [MarkdownBlock]
  var lines: [MarkdownLine] = []
  var references = MarkdownReferences()
  /// The source bytes of the targets of definitions.
  var definitions: [Range<Int>] = []
  /// The deepest open block.
  var tip = 0
  /// The deepest block that the current line continues.
  var lastMatched = 0

  // The place in the current line.
  var offset = 0
  var column = 0
  var lineStart = 0
  var lineEnd = 0
  var isTabSplit = false
  var nonspace = 0
  var nonspaceColumn = 0
  var indent = 0
  var isBlank = false
  /// True if the text begins within fenced code.
  var isResumed = false

  init(_ source: [UInt8]) {
    self.source = source
    blocks = [MarkdownBlock(.document, range: 0..<source.count, parent: -1, lines: 0)]
  }

  /// Parses the whole text.
  mutating func run() {
    var position = parseBeginning()
    while position < source.count { position = parseLine(at: position) }
    finish()
  }

  /// Parses the line that begins at an offset; returns the start of the next line.
  mutating func parseLine(at start: Int) -> Int {
    let line = line(at: start)
    parse(line.range)
    return line.next
  }

  /// The line that begins at an offset, without its end, and the start of the next line.
  func line(at start: Int) -> (range: Range<Int>, next: Int) {
    var end = start
    while end < source.count, source[end] != 0x0A, source[end] != 0x0D { end += 1 }
    guard end < source.count else { return (start..<end, end) }
    let isPair = source[end] == 0x0D && end + 1 < source.count && source[end + 1] == 0x0A
    return (start..<end, isPair ? end + 2 : end + 1)
  }

  /// Closes all blocks.
  mutating func finish() {
    lastMatched = 0
    closeUnmatched()
    blocks[0].isOpen = false
  }

  private mutating func parse(_ line: Range<Int>) {
    lineStart = line.lowerBound
    offset = lineStart
    lineEnd = line.upperBound
    column = 0
    isTabSplit = false
    guard let matched = continueOpenBlocks() else { return }
    lastMatched = matched.container
    let container = openNewBlocks(in: matched.container, allMatched: matched.all)
    addText(to: container)
  }

  // MARK: - The place in the line

  /// Goes on by bytes, or by columns, of which a tab has up to four.
  mutating func advance(_ count: Int, columns: Bool = false) {
    var left = count
    while left > 0, offset < lineEnd {
      if source[offset] == 0x09 {
        let toStop = 4 - column % 4
        if columns {
          let step = min(left, toStop)
          isTabSplit = toStop > left
          column += step
          if !isTabSplit { offset += 1 }
          left -= step
        } else {
          isTabSplit = false
          column += toStop
          offset += 1
          left -= 1
        }
      } else {
        isTabSplit = false
        offset += 1
        column += 1
        left -= 1
      }
    }
  }

  mutating func findNonspace() {
    nonspace = offset
    nonspaceColumn = column
    while nonspace < lineEnd {
      if source[nonspace] == 0x20 {
        nonspaceColumn += 1
      } else if source[nonspace] == 0x09 {
        nonspaceColumn += 4 - nonspaceColumn % 4
      } else {
        break
      }
      nonspace += 1
    }
    indent = nonspaceColumn - column
    isBlank = nonspace >= lineEnd
  }

  /// The byte at an offset of this line; a line feed at its end.
  func byte(_ index: Int) -> UInt8 { index < lineEnd ? source[index] : 0x0A }

  // MARK: - Continuing

  /// Finds the open blocks that the line continues; nil if the line ends a fence and is used up.
  private mutating func continueOpenBlocks() -> (container: Int, all: Bool)? {
    var container = 0
    while blocks[container].lastChild >= 0, blocks[blocks[container].lastChild].isOpen {
      let child = blocks[container].lastChild
      findNonspace()
      switch continues(child) {
      case .yes: container = child
      case .no: return (container, false)
      case .closed: return nil
      }
    }
    return (container, true)
  }

  private enum Continuation { case yes, no, closed }

  private mutating func continues(_ block: Int) -> Continuation {
    switch blocks[block].kind {
    case .document, .list: return .yes
    case .quote:
      guard indent <= 3, byte(nonspace) == UInt8(ascii: ">") else { return .no }
      advance(indent + 1, columns: true)
      extend(block, to: offset)
      if byte(offset).isMarkdownBlank { advance(1, columns: true) }
      return .yes
    case .item:
      if indent >= blocks[block].indent {
        guard !isBlank || blocks[block].firstChild >= 0 else { return .no }
        advance(blocks[block].indent, columns: true)
      } else if isBlank, blocks[block].firstChild >= 0 {
        advance(nonspace - offset)
      } else {
        return .no
      }
      return .yes
    case .footnote:
      guard indent >= 4 || isBlank else { return .no }
      advance(indent >= 4 ? 4 : nonspace - offset, columns: indent >= 4)
      return .yes
    case .code(.some): return continuesFence(block)
    case .code(nil):
      if indent >= 4 {
        advance(4, columns: true)
      } else if isBlank {
        advance(nonspace - offset)
      } else {
        return .no
      }
      return .yes
    case .html: return isBlank && blocks[block].fence >= 6 ? .no : .yes
    case .paragraph: return isBlank ? .no : .yes
    case .table: return isBlank ? .no : .yes
    case .heading, .rule, .row, .cell, .frontMatter: return .no
    }
  }

  private mutating func continuesFence(_ block: Int) -> Continuation {
    if indent <= 3, byte(nonspace) == blocks[block].fence {
      var end = nonspace
      while byte(end) == blocks[block].fence { end += 1 }
      if end - nonspace >= blocks[block].fenceLength {
        let last = end
        while byte(end).isMarkdownBlank { end += 1 }
        if end >= lineEnd {
          lastMatched = block
          closeUnmatched()
          extend(block, to: last)
          close(block)
          tip = blocks[block].parent
          return .closed
        }
      }
    }
    var spaces = blocks[block].indent
    while spaces > 0, byte(offset).isMarkdownBlank {
      advance(1, columns: true)
      spaces -= 1
    }
    return .yes
  }

  // MARK: - Text

  /// Gives the rest of the line to the deepest block.
  private mutating func addText(to container: Int) {
    var container = container
    findNonspace()
    let last = blocks[container].lastChild
    if isBlank, last >= 0, blocks[last].kind != .rule { blocks[last].endsBlank = true }
    blocks[container].endsBlank = isBlank && countsBlank(container)
    var above = blocks[container].parent
    while above >= 0 {
      blocks[above].endsBlank = false
      above = blocks[above].parent
    }
    if tip != lastMatched, container == lastMatched, !isBlank, blocks[tip].kind == .paragraph {
      addLine(to: tip, from: offset)
      return
    }
    closeUnmatched()
    switch blocks[container].kind {
    case .code(.some) where isOpeningLine(of: container): break
    case .code: addVerbatim(to: container)
    case .html:
      addVerbatim(to: container)
      if HTMLScanner.ends(blocks[container].fence, source, offset..<lineEnd) {
        close(container)
        container = blocks[container].parent
      }
    case .paragraph, .heading:
      // A heading has taken its text with its mark.
      if blocks[container].kind == .paragraph { addLine(to: container, from: nonspace) }
    default:
      if !isBlank, blocks[container].kind != .rule, !isTable(container) {
        container = open(.paragraph, in: container, at: nonspace)
        addLine(to: container, from: nonspace)
      }
    }
    tip = container
  }

  private func isOpeningLine(of code: Int) -> Bool {
    blocks[code].range.lowerBound >= lineStart && !(isResumed && blocks[code].range.lowerBound == 0)
  }

  private func isTable(_ block: Int) -> Bool {
    switch blocks[block].kind {
    case .table, .row: true
    default: false
    }
  }

  private func countsBlank(_ block: Int) -> Bool {
    switch blocks[block].kind {
    case .quote, .heading, .rule, .code(.some): false
    case .item: blocks[block].firstChild >= 0 || blocks[block].range.lowerBound < lineStart
    default: true
    }
  }

  mutating func addLine(to block: Int, from start: Int) {
    guard start < lineEnd else { return }
    append(MarkdownLine(range: start..<lineEnd, padding: 0), to: block)
  }

  private mutating func addVerbatim(to block: Int) {
    if isTabSplit {
      append(MarkdownLine(range: min(offset + 1, lineEnd)..<lineEnd, padding: 4 - column % 4), to: block)
    } else {
      append(MarkdownLine(range: offset..<lineEnd, padding: 0), to: block)
    }
  }

  mutating func append(_ line: MarkdownLine, to block: Int) {
    if blocks[block].lines.isEmpty {
      blocks[block].lines = lines.count..<lines.count
      if blocks[block].kind == .paragraph { blocks[block].range = line.range.lowerBound..<line.range.lowerBound }
    }
    lines.append(line)
    blocks[block].lines = blocks[block].lines.lowerBound..<lines.count
    extend(block, to: line.range.upperBound)
  }

  mutating func extend(_ block: Int, to end: Int) {
    if end > blocks[block].range.upperBound { blocks[block].range = blocks[block].range.lowerBound..<end }
  }
}
