internal import TextUI

/// A labelled field on the last line of a view, and what is said of what is typed into it.
enum FieldLine {
  static func draw(_ label: String, _ field: TextField, note: String = "", on canvas: inout Canvas) {
    let y = canvas.size.height - 1
    canvas.fill(Rect(0, y, canvas.size.width, 1), style: .plain)
    let used = 1 + canvas.text(label, x: 1, y: y, style: .bold)
    let width = note.isEmpty ? 0 : GlyphReader.columns(of: note) + 2
    canvas.text(note, x: canvas.size.width - width + 1, y: y, style: .dim)
    canvas.inside(Rect(used, y, canvas.size.width - used - 1 - width, 1)) { field.draw(on: &$0) }
  }
}
