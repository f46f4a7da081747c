internal import TextUI

/// A labelled field on the last line of a view.
enum FieldLine {
  static func draw(_ label: String, _ field: TextField, on canvas: inout Canvas) {
    let y = canvas.size.height - 1
    canvas.fill(Rect(0, y, canvas.size.width, 1), style: .plain)
    let used = 1 + canvas.text(label, x: 1, y: y, style: .bold)
    canvas.inside(Rect(used, y, canvas.size.width - used - 1, 1)) { field.draw(on: &$0) }
  }
}
