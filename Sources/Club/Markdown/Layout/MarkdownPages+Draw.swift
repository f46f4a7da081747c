public import TextUI

extension MarkdownPages {
  /// Draws the visible lines on the whole canvas, with one column of margin. Matches of a search are marked; the one
  /// found last stands out, and so does the link in focus. `marking` are places to mark instead, with one that stands
  /// out. `hyperlink` returns the address that a terminal may open for
  /// a link; a link that leads nowhere (`isMissing`) is pale.
  public func draw(
    on canvas: inout Canvas, search: TextSearch? = nil, marking: (places: [Range<Int>], found: Range<Int>)? = nil,
    hyperlink: (MarkdownLink) -> String? = { _ in nil },
    isMissing: (MarkdownLink) -> Bool = { _ in false }
  ) {
    for (y, item) in visible.enumerated() where y < canvas.size.height {
      let links = parts[item.part].links
      let focused = focus.flatMap { focus in links.firstIndex(of: focus) }
      item.line.draw(
        on: &canvas, x: 1, y: y, width: canvas.size.width - 2, focused: focused,
        hyperlink: { hyperlink(links[$0]) }, isMissing: { isMissing(links[$0]) },
        matches: marking.map { marking in { range in marking.places.filter { $0.overlaps(range) } } }
          ?? search.map { search in { search.places(in: $0) } },
        found: marking?.found ?? search?.found)
    }
  }
}

/// Renders the first lines of a note, for a preview.
public enum MarkdownPreview {
  /// The lines of a range, counted from the start of the note, at a width. The work grows with the end of the range, not
  /// with the note.
  public static func lines(
    of text: TextBuffer, in range: Range<Int>, width: Int, marks: MarkdownMarks = .unicode
  ) -> ArraySlice<StyledLine> {
    var pages = MarkdownPages(text, size: Size(width + 2, 1), marks: marks)
    while pages.parts.reduce(0, { $0 + $1.lines.count }) < range.upperBound, pages.appendPart() {}
    let lines = pages.parts.flatMap(\.lines)
    return lines[range.clamped(to: 0..<lines.count)]
  }
}

extension StyledLine {
  /// Draws the line on a row of a canvas. `focused` is the index of the link to show in focus, `hyperlink` returns the
  /// address behind an index, `isMissing` says if it leads nowhere, and `matches` finds the places of a search in a source range.
  public func draw(
    on canvas: inout Canvas, x: Int, y: Int, width: Int, focused: Int? = nil,
    hyperlink: (Int) -> String? = { _ in nil }, isMissing: (Int) -> Bool = { _ in false },
    matches: ((Range<Int>) -> [Range<Int>])? = nil, found: Range<Int>? = nil
  ) {
    let ground = isCode ? canvas[.codeBlock].background : .standard
    if isCode {
      canvas.fill(Rect(x, y, max(0, min(width, MarkdownLayout.Options.widestText)), 1), style: canvas[.codeBlock])
    }
    var column = x
    for run in runs {
      let isPale = run.role == .link && run.link.map(isMissing) == true
      var style = canvas[isPale ? .dim : run.role].with(run.attributes.union(isPale ? .underline : []))
      if isCode { style.background = ground }
      if let focused, run.link == focused { style = style.with(.reverse) }
      let left = x + width - column
      guard left > 0 else { return }
      let places = run.range.isEmpty ? [] : matches?(run.range) ?? []
      canvas.linked(to: run.link.flatMap(hyperlink)) { canvas in
        if places.isEmpty {
          canvas.text(run.text[...], x: column, y: y, style: style, width: left)
        } else {
          draw(run, places, found, style, on: &canvas, x: column, y: y)
        }
      }
      column += run.width
    }
  }

  private func draw(
    _ run: StyledRun, _ places: [Range<Int>], _ found: Range<Int>?, _ style: Style, on canvas: inout Canvas, x: Int,
    y: Int
  ) {
    var x = x
    for glyph in GlyphReader(run.text[...]) {
      // A run that does not show its source byte by byte is marked as a whole.
      let offset = run.isVerbatim ? run.range.lowerBound + glyph.range.lowerBound : run.range.lowerBound
      let place = run.isVerbatim ? places.first { $0.contains(offset) } : places.first
      var look = style
      if let place {
        look = canvas[place == found ? .found : .match]
        look.attributes.formUnion(style.attributes)
      }
      x += canvas.glyph(glyph, x: x, y: y, style: look)
    }
  }
}
