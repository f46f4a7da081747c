internal import FileStores
internal import Markdown
internal import TextUI

extension PreviewState {
  /// Keeps unchanged lines.
  func draw(_ frame: Frame, on canvas: inout Canvas) {
    let size = canvas.size
    var hasher = Hasher()
    hasher.combine(version)
    hasher.combine(top)
    hasher.combine(request?.author)
    hasher.combine(request?.remarks)
    if let modified = request?.modified {
      hasher.combine(Age.minutes(of: Int(modified.seconds), now: Int(frame.now)))
    }
    let base = hasher.finalize()
    for y in 0..<size.height {
      canvas.inside(Rect(0, y, size.width, 1)) { line in
        line.line(of: base &* 31 &+ y) { line in
          line.text(line.symbol(.rule), x: 0, y: 0, style: line[.border])
          line.inside(Rect(2, 0, size.width - 3, 1)) { draw(y, frame, on: &$0) }
        }
      }
    }
  }

  private func draw(_ y: Int, _ frame: Frame, on line: inout Canvas) {
    guard let request else {
      if y == 1 { line.text("Nothing is selected.", x: 0, y: 0, style: line[.dim]) }
      return
    }
    switch y {
    case 0: drawTitle(request, frame, on: &line)
    case 1: break
    case _ where content == nil || isSlow:
      if y == 2, isSlow { line.text("Loading.", x: 0, y: 0, style: line[.dim]) }
    default: drawContent(y - 2, frame, on: &line)
    }
  }

  private func drawTitle(_ request: PreviewRequest, _ frame: Frame, on line: inout Canvas) {
    var facts = request.size.map { ByteCount.text($0) } ?? ""
    if let modified = request.modified { facts += "  " + Age.text(of: Int(modified.seconds), now: Int(frame.now)) }
    if !request.remarks.isEmpty,
      GlyphReader.columns(of: request.path.name) + facts.utf8.count + request.remarks.utf8.count + 4 <= line.size.width
    {
      facts = facts.isEmpty ? request.remarks : "\(request.remarks)  \(facts)"
    }
    // The name of the file matters more than the name of its author.
    if let author = request.author,
      GlyphReader.columns(of: request.path.name) + GlyphReader.columns(of: author) + facts.utf8.count + 4
        <= line.size.width
    {
      facts = facts.isEmpty ? author : "\(author)  \(facts)"
    }
    let left = max(0, line.size.width - GlyphReader.columns(of: facts))
    line.text(request.path.name, x: 0, y: 0, style: line[.title], width: max(0, left - 2))
    line.text(facts, x: left, y: 0, style: line[.dim])
  }

  private func drawContent(_ y: Int, _ frame: Frame, on line: inout Canvas) {
    guard let content else { return }
    var y = y
    if let picture = content.picture {
      if y < picture.rows {
        return PictureCells.draw(picture, row: y, x: 0, y: 0, frame.abilities, on: &line)
      }
      y -= picture.rows + 1
    }
    let index = y + top
    guard y >= 0 else { return }
    guard index < content.lines.count else {
      if index == content.lines.count, content.isCut { line.text("(goes on)", x: 0, y: 0, style: line[.dim]) }
      return
    }
    if let rendered = content.lines[index].rendered {
      let matches = { (range: Range<Int>) in content.places.filter { $0.overlaps(range) } }
      return rendered.draw(
        on: &line, x: 0, y: 0, width: line.size.width, matches: content.places.isEmpty ? nil : matches)
    }
    var x = 0
    for run in content.lines[index].runs where x < line.size.width {
      x += line.text(run.text[...], x: x, y: 0, style: line[run.role], tabWidth: 4)
    }
  }
}
