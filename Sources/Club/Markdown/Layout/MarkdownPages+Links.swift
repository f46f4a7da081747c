/// Links, check boxes and headings of a rendered note.
extension MarkdownPages {
  /// The end of a step to another link.
  public enum LinkStep: Sendable {
    case found
    /// The note has no other link that way.
    case noMore
    /// The parts nearby have none; those behind them were not read.
    case noneNear
  }

  /// The distance of a step to another link, in parts.
  private static let reach = 16

  /// Goes to the next or the previous link, from the focus or from the visible lines.
  public mutating func focusLink(forward: Bool) -> LinkStep {
    let from: Int
    if let focus, isVisible(focus.range.lowerBound) {
      from = focus.range.lowerBound
    } else {
      from = forward ? visibleRange.lowerBound - 1 : visibleRange.upperBound
    }
    while true {
      let links = parts.lazy.flatMap(\.links)
      let found =
        forward
        ? links.filter { $0.range.lowerBound > from }.min { $0.range.lowerBound < $1.range.lowerBound }
        : links.filter { $0.range.lowerBound < from }.max { $0.range.lowerBound < $1.range.lowerBound }
      if let found {
        focus = found
        show(found.range.lowerBound)
        return .found
      }
      guard (forward ? parts.count - top.part : top.part) < Self.reach else { return .noneNear }
      guard forward ? appendPart() : prependParts() else { return .noMore }
    }
  }

  /// Goes to the link that covers an offset, as after the text has changed.
  public mutating func focusLink(at offset: Int) {
    focus = parts.lazy.flatMap(\.links).first { $0.range.contains(offset) }
  }

  /// The link in focus, if it is in view.
  public var visibleFocus: MarkdownLink? {
    focus.flatMap { focus in isVisible(focus.range.lowerBound) ? focus : nil }
  }

  /// The paths of the pictures in view that stand alone, as the note writes them.
  public var visiblePictures: [String] {
    let lines = visible
    guard let first = lines.first, let last = lines.last else { return [] }
    let range = visibleRange
    return parts[first.part...last.part].flatMap(\.pictures).filter { range.contains($0.offset) }.map(\.path)
  }

  /// The rows of pictures in view: row and column on the canvas.
  public var visiblePictureRows: [(y: Int, x: Int, picture: PictureRow)] {
    visible.enumerated().compactMap { y, row in row.line.picture.map { (y, 1 + row.line.width, $0) } }
  }

  /// The link at a cell of the canvas.
  public func link(atColumn column: Int, row: Int) -> MarkdownLink? {
    let lines = visible
    guard lines.indices.contains(row) else { return nil }
    var x = 1
    for run in lines[row].line.runs {
      if (x..<(x + run.width)).contains(column) { return run.link.map { parts[lines[row].part].links[$0] } }
      x += run.width
    }
    return nil
  }

  public mutating func focusLink(_ link: MarkdownLink) { focus = link }

  /// True if the parts read so far have links.
  public var hasLinks: Bool { parts.contains { !$0.links.isEmpty } }

  /// The headings of the note, or of its first 1 MiB.
  public mutating func headings() -> [MarkdownHeading] {
    if let knownHeadings { return knownHeadings }
    var headings: [MarkdownHeading] = []
    var parts = MarkdownParts(text, references: references)
    var start = 0
    while start < Self.wholeSize, let part = parts.next() {
      let document = part.document
      for block in document.blocks.indices {
        guard case .heading(let level) = document.blocks[block].kind else { continue }
        let words = MarkdownText.plain(document.inlines(of: block), in: document.source)
        headings.append(
          MarkdownHeading(level: level, text: words, offset: start + document.blocks[block].range.lowerBound))
      }
      start += part.count
    }
    knownHeadings = headings
    return headings
  }
}

extension MarkdownText {
  /// The words of inlines without their marks.
  static func plain(_ inlines: MarkdownInlines, in source: [UInt8]) -> [UInt8] {
    var words: [UInt8] = []
    var rows = [inlines.top[...]]
    while var row = rows.popLast() {
      guard let node = row.popFirst() else { continue }
      rows.append(row)
      switch inlines.nodes[node].kind {
      case .text: words += source[inlines.nodes[node].range]
      case .character(let text): words += Array(text.utf8)
      case .tag: words += source[inlines.nodes[node].range]
      case .softBreak, .hardBreak: words.append(0x20)
      default: rows.append(inlines.children(of: node)[...])
      }
    }
    return words
  }
}
