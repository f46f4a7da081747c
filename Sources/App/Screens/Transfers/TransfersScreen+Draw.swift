internal import TextUI
internal import Transfers

extension TransfersScreen {
  static func draw(_ state: TransfersState, _ frame: Frame, on canvas: inout Canvas) {
    if let details = state.details, let line = state.line(details.id) {
      let reader = TransferFacts.reader(line, details, frame, limit: state.limit)
      canvas.text("Transfer", x: 1, y: 0, style: canvas[.title])
      canvas.inside(Rect(1, 1, canvas.size.width - 2, canvas.size.height - 1)) { reader.draw(on: &$0) }
      return
    }
    let width = canvas.size.width - 2
    canvas.text(heading(state, width: width), x: 1, y: 0, style: canvas[.title], width: width)
    canvas.inside(Rect(0, 1, canvas.size.width, canvas.size.height - 1)) { part in
      if state.lines.isEmpty { drawNothing(state, frame, on: &part) } else { drawRows(state, frame, on: &part) }
    }
  }

  private static func drawRows(_ state: TransfersState, _ frame: Frame, on canvas: inout Canvas) {
    let height = TransferRow.height(width: canvas.size.width)
    // If a long notice takes lines from the list, the selected transfer stays in view.
    let least = state.rows.selection - max(1, canvas.size.height / height) + 1
    let visible = state.rows.visible
    let first = max(visible.lowerBound, min(least, visible.upperBound))
    for (place, index) in (first..<visible.upperBound).enumerated() where index < state.lines.count {
      let line = state.lines[index]
      let club = line.transfer.club
      let row = TransferRow(
        line: line, isMarked: state.marks.contains(line.id), isChosen: index == state.rows.selected,
        otherClub: club.isEmpty || club == state.club ? nil : club, now: frame.now)
      canvas.inside(Rect(0, place * height, canvas.size.width, height)) { row.draw(on: &$0) }
    }
  }

  private static func drawNothing(_ state: TransfersState, _ frame: Frame, on canvas: inout Canvas) {
    let keys = "\(frame.keys.name(of: .photosUpload)) uploads, \(frame.keys.name(of: .photosDownload)) downloads"
    let (fact, hint, width) = ("No transfers.", "In the photos, \(keys).", canvas.size.width - 2)
    // Key names are ASCII, so bytes equal columns.
    var lines = fact.utf8.count + 1 + hint.utf8.count <= width ? ["\(fact) \(hint)"] : [fact, hint]
    // A sentence a line.
    let others = WaitingWords.others(state.others) ?? ""
    lines += others.replacing(". ", with: ".\n").split(separator: "\n").map(String.init)
    for (y, line) in lines.enumerated() { canvas.text(line, x: 1, y: y, style: canvas[.dim], width: width) }
  }

  /// The number of transfers in each state, and the limit. On a narrow screen the title goes first.
  private static func heading(_ state: TransfersState, width: Int) -> String {
    let summary = state.summary
    let waiting = summary.active - summary.running - summary.queued
    let counts = [
      (state.marks.count, "marked"), (summary.running, "running"), (waiting, "waiting"), (summary.queued, "queued"),
      (summary.paused, "paused"), (summary.failed, "failed"), (summary.done, "done"), (summary.cancelled, "cancelled"),
      (state.others, "of another account"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let limit = state.limit.map { ["at most \(ByteCount.rate(Int(clamping: $0)))"] } ?? []
    let facts = (counts + limit).joined(separator: ", ")
    let whole = facts.isEmpty ? "Transfers" : "Transfers  \(facts)"
    return whole.utf8.count <= width || facts.isEmpty ? whole : facts
  }
}
