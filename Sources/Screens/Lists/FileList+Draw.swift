internal import FileStores
internal import TextUI

extension FileList {
  /// The rows that are drawn, of more than one line each. A transfer, a long notice or a field takes lines from the list:
  /// the chosen file stays in view.
  func rowsInView(of height: Int) -> Range<Int> {
    let least = rows.selection - max(1, height / rowLines) + 1
    return max(rows.visible.lowerBound, min(least, rows.visible.upperBound))..<rows.visible.upperBound
  }

  /// Draws the files by `drawRows`, or why there are none, and below them the field that is typed into, or the filter
  /// and the marks.
  func draw(_ frame: Frame, on canvas: inout Canvas, _ drawRows: (EntryTable, inout Canvas) -> Void) {
    let size = canvas.size
    canvas.inside(Rect(0, 0, size.width, size.height - (hasLine ? 1 : 0))) { part in
      if let table, table.count > 0 { drawRows(table, &part) } else { drawNothing(frame, on: &part) }
    }
    if let renaming {
      FieldLine.draw("New name: ", renaming.name, problem: renaming.problem, on: &canvas)
    } else if find.isTyping {
      FieldLine.draw("Find: ", find.field, note: find.field.isEmpty ? "" : counts, on: &canvas)
    } else if hasLine {
      drawFilter(frame, on: &canvas)
    }
  }

  private var counts: String { table.map { "\($0.count) of \($0.total)" } ?? "" }

  /// Why not all files are seen, how many are marked, and how to leave both behind.
  private func drawFilter(_ frame: Frame, on canvas: inout Canvas) {
    let (width, y) = (canvas.size.width, canvas.size.height - 1)
    let marked = marks.isEmpty ? "" : "\(marks.count) marked"
    let close = frame.keys.name(of: .close)
    guard find.isActive else {
      canvas.text("\(marked)  \(close) unmarks", x: 1, y: y, width: max(0, width - 1))
      return
    }
    let label = find.found == nil ? "filter: " : "search: "
    let sought = [find.found?.words ?? "", find.field.string].filter { !$0.isEmpty }.joined(separator: ", ")
    let words = min(GlyphReader.columns(of: sought), 8)
    // What is sought and how much it lets through come first; then how to leave it; then the marks.
    let hint = "\(close) clears"
    let facts = [
      [counts, marked, hint], [counts, marks.isEmpty ? "" : "+\(marks.count)", hint], [counts, hint], [counts],
    ]
    .map { $0.filter { !$0.isEmpty }.joined(separator: "  ") }
    let fitting = facts.first { 4 + label.utf8.count + words + GlyphReader.columns(of: $0) <= width } ?? counts
    let room = max(4, width - 4 - label.utf8.count - GlyphReader.columns(of: fitting))
    var x = 1 + canvas.text(label, x: 1, y: y)
    x += canvas.text(ShortName.of(sought, columns: room), x: x, y: y, style: .bold) + 2
    canvas.text(fitting, x: x, y: y, width: max(0, width - x))
  }

  private func drawNothing(_ frame: Frame, on canvas: inout Canvas) {
    if let table {
      let (key, verb) = (frame.keys.name(of: words.making.key), words.making.verb)
      let sentence =
        table.total == 0
        ? "No \(words.many) yet. Press \(key) to \(verb) the first."
        : "No \(words.one) has \(find.found == nil ? "these words in its name" : "these words"). Esc shows all."
      canvas.paragraph(sentence, x: 1, y: 1, style: .dim)
    } else if let problem {
      problem.draw(problem.error.message, frame, on: &canvas, y: 1)
    } else if let away = frame.awayText {
      away.draw(on: &canvas, y: 1)
    } else {
      canvas.text(" \(words.reading)", x: 0, y: 1, style: .dim)
    }
  }
}
