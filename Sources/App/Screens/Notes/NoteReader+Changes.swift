internal import ClubServices
internal import FileStores
internal import Markdown
internal import TextUI

/// The lines of a note that others changed since the member last looked.
extension NoteReader {
  /// Scrolls to the next changed line below the first row in view, or to the previous one above it.
  mutating func goToChange(backwards: Bool, _ frame: inout Frame) {
    guard let changes, !changes.isEmpty else {
      return frame.say("No line of \"\(note.entry.path)\" is new to you.")
    }
    // At the end of a note, and within a paragraph, the change itself is not in the first row.
    // The first step down from the top may go to the first line.
    let here =
      change.flatMap { $0.top == topOffset ? $0.line : nil }
      ?? (topOffset == 0 && !backwards ? -1 : text.text.line(at: topOffset))
    guard let line = changes.next(after: here, backwards: backwards) else {
      return frame.say(backwards ? "No changed line above." : "No changed line below.")
    }
    before = nil
    let top = topOffset
    scroll(to: text.text.start(ofLine: min(line, text.text.newlineCount)))
    if topOffset == top { frame.say("The next changed line is in view.") }
    change = (line, topOffset)
  }

  /// Marks the rows of changed lines in the last column.
  func drawChanges(on canvas: inout Canvas) {
    guard let changes, !changes.isEmpty else { return }
    let rows = page?.rowRanges ?? text.rowOffsets.map { $0..<$0 }
    for (y, row) in rows.enumerated() {
      guard let row, y < canvas.size.height else { continue }
      let last = text.text.line(at: max(row.lowerBound, row.upperBound - 1))
      guard changes.contains(text.text.line(at: row.lowerBound)...last) else { continue }
      canvas.text("+", x: 0, y: y, style: canvas[.added])
    }
  }
}
