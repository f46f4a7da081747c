internal import ClubServices
internal import FileStores
internal import Merge
internal import TextUI

extension ConflictView {
  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    drawHead(frame, on: &canvas)
    if let editing { return draw(editing, frame, on: &canvas) }
    let height = canvas.size.height - Self.headLines
    canvas.inside(Rect(0, Self.headLines, canvas.size.width, height)) { canvas in
      for (y, row) in rows.dropFirst(top).prefix(max(0, height)).enumerated() {
        canvas.inside(Rect(0, y, canvas.size.width, 1)) { draw(row, on: &$0) }
      }
    }
  }

  private func drawHead(_ frame: Frame, on canvas: inout Canvas) {
    let width = canvas.size.width
    var facts = ""
    if hasParts, let editing {
      facts = "part \(editing.part + 1) of \(resolution.parts.count)"
      if let vi = editing.text.vi { facts = "\(vi.stateWords)  \(facts)" }
    } else if hasParts {
      let open = resolution.openCount
      facts = open == 0 ? "all chosen" : "\(open) of \(resolution.parts.count) to choose"
    }
    let left = max(0, width - facts.utf8.count - 2)
    canvas.text("\(conflict.path): \(kindWords)", x: 1, y: 0, style: canvas[.title], width: max(0, left - 1))
    canvas.text(facts, x: left + 1, y: 0, style: canvas[resolution.openCount == 0 ? .dim : .waiting])
    guard conflict.theirs != nil else {
      canvas.text(goneSentence(frame), x: 1, y: 1, style: canvas[.text], width: max(0, width - 2))
      return
    }
    let mine = editing == nil ? "yours, not in the club" : "your edit"
    if isWide {
      canvas.text("< \(mine)", x: 0, y: 1, style: canvas[.heading2], width: half)
      canvas.text(canvas.symbol(.rule), x: half, y: 1, style: canvas[.border])
      canvas.text("> \(theirWords(frame))", x: half + 1, y: 1, style: canvas[.heading2], width: width - half - 1)
    } else {
      let used = editing == nil ? canvas.text("< yours   ", x: 0, y: 1, style: canvas[.heading2]) : 0
      canvas.text("> \(theirWords(frame))", x: used, y: 1, style: canvas[.heading2], width: max(0, width - used))
    }
  }

  private var kindWords: String {
    switch conflict.kind {
    case .changed: "two versions"
    case .created: "two notes of one name"
    case .deleted: "deleted meanwhile"
    case .renamed: "renamed meanwhile"
    }
  }

  private func goneSentence(_ frame: Frame) -> String {
    if case .renamed(let entry) = conflict.kind {
      let (mine, theirs) = (frame.keys.name(of: .conflictMine), frame.keys.name(of: .conflictTheirs))
      return "Your text: \(theirs) saves it as \"\(entry.path)\", \(mine) as \"\(conflict.path)\"."
    }
    return "Deleted while you edited. Your text:"
  }

  /// The writer of the other text and its age.
  private func theirWords(_ frame: Frame) -> String {
    let writer = conflict.theirWriter
    let whose = writer.place.isEmpty ? writer.whose("theirs") : "yours\(writer.place)"
    guard let modified = conflict.theirEntry?.modified else { return whose }
    let age = Age.text(of: Int(modified.seconds), now: Int(frame.now))
    return "\(whose), " + (age == "now" ? "just now" : age.contains(" ") ? "\(age) ago" : "of \(age)")
  }

  private func draw(_ row: Row, on canvas: inout Canvas) {
    switch row {
    case .part(let number): drawHeading(number, on: &canvas)
    case .pair(let number, let mine, let theirs):
      draw(mine, .mine, number, Rect(0, 0, half, 1), on: &canvas)
      canvas.text(canvas.symbol(.rule), x: half, y: 0, style: canvas[.border])
      draw(theirs, .theirs, number, Rect(half + 1, 0, canvas.size.width - half - 1, 1), on: &canvas)
    case .line(let side, let part, let text):
      draw(text, side, part, Rect(0, 0, canvas.size.width, 1), on: &canvas)
    case .skipped(let lines):
      let dot = canvas.symbol(.dot)
      canvas.text("\(dot) \(lines) equal lines \(dot)", x: 2, y: 0, style: canvas[.dim])
    case .nothing(let side, let part):
      canvas.text(Self.sign(side), x: 0, y: 0, style: canvas[counts(side, in: part) ? .accent : .dim])
      canvas.text("(no text)", x: 2, y: 0, style: canvas[.dim])
    }
  }

  private func draw(_ text: MarkedRow?, _ side: Side, _ part: Int?, _ place: Rect, on canvas: inout Canvas) {
    guard let text else { return }
    let isTaken = part.map { counts(side, in: $0) } ?? (side == .mine)
    canvas.text(Self.sign(side), x: place.x, y: 0, style: canvas[isTaken ? .accent : .dim])
    let style = canvas[isTaken ? .text : .dim]
    canvas.inside(Rect(place.x + 2, 0, place.width - 2, 1)) { text.draw(style, on: &$0) }
  }

  private func drawHeading(_ number: Int, on canvas: inout Canvas) {
    let isChosen = number == part
    var x = canvas.text(isChosen ? "> " : "  ", x: 0, y: 0, style: canvas[.accent])
    x += canvas.text(
      "\(number + 1) of \(resolution.parts.count): ", x: x, y: 0, style: canvas[isChosen ? .accent : .dim])
    let choice = resolution.parts[number].choice
    x += canvas.text(Self.word(choice), x: x, y: 0, style: canvas[choice == nil ? .waiting : .success])
    guard x + 1 < canvas.size.width else { return }
    canvas.fill(
      Rect(x + 1, 0, canvas.size.width - x - 1, 1), with: Symbol.line.scalar(isASCII: canvas.isASCII),
      style: canvas[.rule])
  }

  private static func word(_ choice: Resolution.Choice?) -> String {
    switch choice {
    case nil: "choose"
    case .mine: "mine"
    case .theirs: "theirs"
    case .both: "both, mine first"
    case .merged: "both changes, merged"
    case .edited: "edited"
    }
  }

  private static func sign(_ side: Side) -> String {
    switch side {
    case .same: " "
    case .mine: "<"
    case .theirs: ">"
    case .edited: "="
    }
  }

  /// True if the text goes into the result, or may.
  private func counts(_ side: Side, in part: Int) -> Bool {
    switch (side, resolution.parts[part].choice) {
    case (.same, _): false
    case (.edited, _), (_, nil), (_, .both): true
    case (.mine, let choice): choice == .mine
    case (.theirs, let choice): choice == .theirs
    }
  }

  /// The editor of a part, with their text beside it or above it.
  private func draw(_ editor: PartEditor, _ frame: Frame, on canvas: inout Canvas) {
    let (width, height) = (canvas.size.width, canvas.size.height)
    let area =
      isWide
      ? Rect(half + 3, Self.headLines, width - half - 3, height - Self.headLines)
      : Rect(2, Self.headLines, width - 2, theirLines - 1)
    let part = resolution.parts[editor.part]
    let theirs = MarkedRow.rows(
      part.theirs[...], marking: marks(of: editor.part), width: area.width, most: max(0, area.height))
    for (y, row) in theirs.enumerated() {
      canvas.text(">", x: area.x - 2, y: area.y + y, style: canvas[.accent])
      let style = canvas[.text]
      canvas.inside(Rect(area.x, area.y + y, area.width, 1)) { row.draw(style, on: &$0) }
    }
    if theirs.isEmpty { canvas.text("(no text)", x: area.x, y: area.y, style: canvas[.dim]) }
    if isWide {
      let rule = canvas.symbol(.rule)
      for y in Self.headLines..<max(Self.headLines, height) {
        canvas.text(rule, x: half, y: y, style: canvas[.border])
      }
    } else {
      canvas.text("< your edit", x: 0, y: 1 + theirLines, style: canvas[.heading2])
    }
    let top = isWide ? Self.headLines : 2 + theirLines
    let line = editor.text.vi?.openLine
    canvas.inside(Rect(2, top, editorSize.width, height - top - (line == nil ? 0 : 1))) { editor.text.draw(on: &$0) }
    if let line { FieldLine.draw(line.label, line.field, on: &canvas) }
  }
}
