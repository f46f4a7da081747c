/// Visual mode: a selection of characters or lines.
extension ViKeys {
  mutating func select(isLines: Bool, _ editor: TextEditor) {
    let wanted: Mode = isLines ? .visualLines : .visual
    if mode == .normal {
      anchor = editor.text.cursor
      mode = wanted
    } else {
      // The same key again ends it.
      if mode == wanted { lastSelection = (anchor, editor.text.cursor, mode) }
      mode = mode == wanted ? .normal : wanted
    }
  }

  mutating func leaveVisual(_ editor: inout TextEditor) {
    guard isVisual else { return }
    lastSelection = (anchor, editor.text.cursor, mode)
    mode = .normal
  }

  mutating func reselect(_ editor: inout TextEditor) {
    guard let last = lastSelection else { return }
    (anchor, mode) = (last.anchor, last.mode)
    editor.text.move(to: last.cursor)
  }

  mutating func extend(_ object: ViObject, _ times: Int, _ editor: inout TextEditor) {
    var text = ViText(editor.text.buffer)
    guard let region = text.object(object, times, at: editor.text.cursor, .yank), !region.range.isEmpty else { return }
    mode = region.isLines ? .visualLines : .visual
    anchor = region.range.lowerBound
    editor.text.move(to: region.isLines ? region.range.upperBound : text.before(region.range.upperBound))
    column = nil
  }

  /// The part of the text to draw as selected.
  func selection(in text: EditableText) -> Range<Int>? {
    guard isVisual else { return nil }
    var reader = ViText(text.buffer)
    let region = reader.selection(anchor, text.cursor, isLines: mode == .visualLines)
    guard region.isLines else { return region.range }
    return region.range.lowerBound..<(reader.nextLine(region.range.upperBound) ?? region.range.upperBound)
  }
}
