internal import FileStores
internal import TextUI

extension FileList {
  /// Draws the files by `drawRows`, or why there are none, and below them the field that is typed into.
  func draw(_ frame: Frame, on canvas: inout Canvas, _ drawRows: (EntryTable, inout Canvas) -> Void) {
    let size = canvas.size
    canvas.inside(Rect(0, 0, size.width, size.height - (takesText ? 1 : 0))) { part in
      if let table, table.count > 0 { drawRows(table, &part) } else { drawNothing(frame, on: &part) }
    }
    if let renaming {
      FieldLine.draw("New name: ", renaming.name, on: &canvas)
    } else if find.isTyping {
      FieldLine.draw("Find: ", find.field, on: &canvas)
    }
  }

  private func drawNothing(_ frame: Frame, on canvas: inout Canvas) {
    if let table {
      let (key, verb) = (frame.keys.name(of: words.making.key), words.making.verb)
      let sentence =
        table.total == 0
        ? "No \(words.many) yet. Press \(key) to \(verb) the first."
        : "No \(words.one) has \(find.found == nil ? "these words in its name" : "these words"). Esc shows all."
      canvas.paragraph(sentence, x: 1, y: 1, style: .dim)
    } else if let away = frame.awayText {
      away.draw(on: &canvas, y: 1)
    } else if let error {
      let below = canvas.paragraph(error.message, x: 1, y: 1, style: .bold)
      let more = error.isTemporary ? "Trying again. Press \(frame.keys.name(of: .refresh)) to try now." : error.remedy
      canvas.paragraph(more, x: 1, y: below)
    } else {
      canvas.text(" \(words.reading)", x: 0, y: 1, style: .dim)
    }
  }
}
