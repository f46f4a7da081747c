internal import TextUI

/// A labelled field on the last line of a view, what is said of what is typed into it, and above it what is wrong with
/// that.
enum FieldLine {
  static func draw(
    _ label: String, _ field: TextField, note: String = "", problem: String? = nil, on canvas: inout Canvas
  ) {
    let y = canvas.size.height - 1
    canvas.fill(Rect(0, y, canvas.size.width, 1), style: .plain)
    let used = 1 + canvas.text(label, x: 1, y: y, style: .bold)
    let width = note.isEmpty ? 0 : GlyphReader.columns(of: note) + 2
    canvas.text(note, x: canvas.size.width - width + 1, y: y, style: .dim)
    canvas.inside(Rect(used, y, canvas.size.width - used - 1 - width, 1)) { field.draw(on: &$0) }
    guard let problem else { return }
    let line = NoticeLine(problem, .error)
    let height = min(y, line.height(for: canvas.size.width))
    canvas.fill(Rect(0, y - height, canvas.size.width, height), style: .plain)
    canvas.inside(Rect(0, y - height, canvas.size.width, height)) { line.draw(on: &$0) }
  }
}
