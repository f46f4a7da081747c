internal import ClubServices
internal import FileStores
public import TextUI

extension NotesScreen {
  /// Draws the body: the topmost view, or the list. The lines around it are the root's.
  public static func draw(_ state: NotesState, on canvas: inout Canvas) {
    switch state.views.last {
    case nil: drawList(state, on: &canvas)
    case .opening(let opening):
      canvas.text("\(opening.path)", x: 1, y: 0, style: .bold, width: max(0, canvas.size.width - 2))
      if let problem = opening.problem {
        problem.draw("byteclub could not open \"\(opening.path)\".", state.frame, on: &canvas, y: 2)
      } else {
        canvas.text(" Loading.", x: 0, y: 2, style: .dim)
      }
    case .reader(let reader):
      draw(reader, now: state.frame.now, word: state.word(of: reader.note.entry.path), on: &canvas)
    case .editor(let editor): draw(editor, on: &canvas)
    case .form(let form): draw(form, on: &canvas)
    case .conflict(let view): draw(view, on: &canvas)
    case .draft(let offer): draw(offer, state.frame, on: &canvas)
    case .waiting(let list): draw(list, now: state.frame.now, on: &canvas)
    case .history(let history): draw(history, state.frame, on: &canvas)
    case .version(let version): draw(version.reader, now: state.frame.now, isOld: true, on: &canvas)
    }
  }

  private static func drawList(_ state: NotesState, on canvas: inout Canvas) {
    let now = state.frame.now
    state.files.draw(state.frame, on: &canvas) { table, canvas in
      if let found = state.files.find.found { return draw(found, table, state, on: &canvas) }
      state.files.rows.draw(
        on: &canvas,
        content: { $0 < table.count ? entry($0, of: table, state).content(now: now) : nil },
        row: { line, row, _ in
          if row < table.count { entry(row, of: table, state).draw(now: now, on: &line) }
        })
    }
  }

  /// Each note with its first line that was found.
  private static func draw(
    _ found: FindField.Found, _ table: EntryTable, _ state: NotesState, on canvas: inout Canvas
  ) {
    let width = canvas.size.width
    let query = NameQuery(found.words.utf8)
    for (place, row) in state.files.rowsInView(of: canvas.size.height).enumerated() where row < table.count {
      canvas.inside(Rect(0, place * 2, width, 1)) { line in
        let entry = entry(row, of: table, state)
        line.line(
          of: entry.content(now: state.frame.now), selected: row == state.files.rows.selected ? width : 0
        ) { entry.draw(now: state.frame.now, on: &$0) }
      }
      guard let file = found.files[table.path(at: row)], let number = file.line else { continue }
      canvas.inside(Rect(0, place * 2 + 1, width, 1)) { line in
        let more = file.more > 0 ? "+\(file.more)" : ""
        let x = 5 + line.text("\(number): ", x: 5, y: 0, style: .dim)
        let text = Array(file.text.utf8)
        line.text(
          text[...], x: x, y: 0, style: .dim, width: max(0, width - x - 2 - more.utf8.count),
          places: query.places(in: text[...]), with: [.underline, .bold])
        line.text(more, x: width - 1 - more.utf8.count, y: 0, style: .dim)
      }
    }
  }

  private static func entry(_ row: Int, of table: EntryTable, _ state: NotesState) -> EntryRow {
    let isPlain = state.files.marks.isEmpty && state.unsent.isEmpty && state.texts.isEmpty
    let path = isPlain ? nil : table.path(at: row)
    return EntryRow(
      name: table.name(at: row), size: table.size(at: row), modified: table.modified(at: row),
      isMarked: path.map(state.files.marks.contains) ?? false, flag: path.map(state.word) ?? "",
      places: table.places(at: row))
  }

  private static func draw(
    _ reader: NoteReader, now: Int64, isOld: Bool = false, word: String = "", on canvas: inout Canvas
  ) {
    let width = canvas.size.width
    let entry = reader.note.entry
    var facts = reader.findWords
    // Where find stands takes the place of size and age.
    if facts.isEmpty {
      facts = entry.size.map { ByteCount.text($0) } ?? ""
      if let modified = entry.modified { facts += "  " + Age.text(of: Int(modified.seconds), now: Int(now)) }
    }
    if !word.isEmpty { facts += "  \(word)" }
    if isOld || reader.note.content != .text { facts += "  read-only" }
    if !reader.text.fits { facts += "  \(reader.text.percent) %" }
    let left = max(0, width - facts.utf8.count - 2)
    canvas.text(entry.path.bytes[...], x: 1, y: 0, style: .bold, width: max(0, left - 1))
    canvas.text(facts, x: left + 1, y: 0, style: .dim)
    let height = canvas.size.height - 1
    canvas.inside(Rect(0, 1, width, height - (reader.isFinding ? 1 : 0))) { reader.text.draw(on: &$0) }
    if reader.isFinding { FieldLine.draw("Find: ", reader.find, note: reader.findWords, on: &canvas) }
  }

  private static func draw(_ editor: NoteEditor, on canvas: inout Canvas) {
    let width = canvas.size.width
    let position = editor.text.position
    let facts = "\(editor.isChanged ? "changed" : "unchanged")  line \(position.line)  column \(position.column)"
    let left = max(0, width - facts.utf8.count - 2)
    canvas.text("\(editor.title)", x: 1, y: 0, style: .bold, width: max(0, left - 1))
    canvas.text(facts, x: left + 1, y: 0, style: .dim)
    canvas.inside(Rect(0, 1, width, canvas.size.height - 1)) { editor.text.draw(on: &$0) }
  }

  private static func draw(_ form: NewNoteForm, on canvas: inout Canvas) {
    let width = canvas.size.width
    canvas.text("Name ", x: 1, y: 0, style: .bold)
    canvas.inside(Rect(6, 0, width - 7, 1)) { form.name.draw(on: &$0, isFocused: !form.isInText) }
    canvas.text("Text", x: 1, y: 1, style: .bold)
    canvas.inside(Rect(0, 2, width, canvas.size.height - 2)) { part in
      let cursor = part.grid.cursor
      form.text.draw(on: &part)
      if !form.isInText { part.restoreCursor(cursor) }
    }
  }

  private static func draw(_ view: ConflictView, on canvas: inout Canvas) {
    let width = canvas.size.width
    let half = width / 2
    canvas.text("\(view.conflict.path): two versions", x: 1, y: 0, style: .bold)
    canvas.text("mine", x: 1, y: 1, style: Style(.underline))
    let heading = view.conflict.theirs == nil ? "theirs: deleted" : "theirs" + writer(view)
    canvas.text(heading, x: half + 1, y: 1, style: Style(.underline), width: width - half - 1)
    let height = canvas.size.height - 2
    canvas.inside(Rect(0, 2, max(1, half - 1), height)) { view.mine.draw(on: &$0) }
    canvas.inside(Rect(half + 1, 2, width - half - 1, height)) { view.theirs.draw(on: &$0) }
    for y in 1..<max(1, canvas.size.height) { canvas.text("|", x: half - 1, y: y, style: .dim) }
  }

  private static func writer(_ view: ConflictView) -> String {
    view.conflict.theirEntry?.member.map { " (\($0))" } ?? ""
  }

  private static func draw(_ offer: DraftOffer, _ frame: Frame, on canvas: inout Canvas) {
    guard let draft = offer.drafts.first else { return }
    let size = canvas.size
    canvas.text(" Draft of \(draft.shownName): typed, not saved", x: 0, y: 1, style: .bold, width: size.width)
    let age = Age.text(of: Int(draft.changed.seconds), now: Int(frame.now))
    let more = offer.drafts.count - 1
    let facts = " \(ByteCount.text(draft.bytes)), last change: \(age)." + (more > 0 ? " \(more) more after this." : "")
    canvas.text(facts, x: 0, y: 2, width: size.width)
    let later = frame.keys.name(of: .draftLater)
    let isLow = size.height < 12
    var y = isLow ? 3 : 4
    let lines = draft.beginning.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.prefix(max(0, size.height - y - (isLow ? 1 : 2))) {
      canvas.text(line, x: 3, y: y, style: .dim, width: max(0, size.width - 4))
      y += 1
    }
    canvas.text(" \(later) keeps it. :waiting shows all that waits.", x: 0, y: size.height - 1, style: .dim)
  }
}
