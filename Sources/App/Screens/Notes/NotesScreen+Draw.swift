internal import ClubServices
internal import FileStores
internal import Markdown
internal import TextUI

extension NotesScreen {
  /// Draws the body: the topmost view, or the list. The lines around it are the root's.
  static func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    switch state.views.last {
    case nil: drawList(state, frame, on: &canvas)
    case .opening(let opening):
      canvas.text("\(opening.path)", x: 1, y: 0, style: canvas[.title], width: max(0, canvas.size.width - 2))
      if let problem = opening.problem {
        problem.draw("byteclub could not open \"\(opening.path)\".", frame, on: &canvas, y: 2)
      } else {
        let table = state.files.table
        let size = table?.row(of: opening.path).flatMap { table?.size(at: $0) }
        LoadingSteps.draw(frame, read: opening.read, of: size, on: &canvas)
      }
      if let ahead = opening.ahead { FieldLine.draw(ahead.label, ahead.field, on: &canvas) }
    case .reader(let reader):
      draw(
        reader, now: frame.now, word: state.word(of: reader.note.entry.path), isMissing: state.lacksNote, on: &canvas)
    case .outline(let outline): outline.draw(state.readerBelow, frame, on: &canvas)
    case .backlinks(let backlinks): backlinks.draw(frame, on: &canvas)
    case .editor(let editor): draw(editor, word: editor.path.map(state.word) ?? "", frame, on: &canvas)
    case .form(let form): draw(form, proposed: state.name(for: form), on: &canvas)
    case .conflict(let view): view.draw(frame, on: &canvas)
    case .draft(let offer): draw(offer, frame, on: &canvas)
    case .waiting(let waiting): waiting.draw(frame, on: &canvas)
    case .history(let history): history.draw(frame, on: &canvas)
    case .version(let version): draw(version.reader, now: frame.now, isOld: true, on: &canvas)
    case .difference(let view): view.draw(frame, on: &canvas)
    case .blame(let view): view.draw(frame, on: &canvas)
    case .trash(let view): view.draw(frame, on: &canvas)
    }
  }

  private static func drawList(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let now = frame.now
    let unsent = state.unsentWords
    let saved: (words: String, role: Role) =
      if !state.held.isEmpty {
        ("\(state.held.count) gone at the server", .warning)
      } else if !unsent.isEmpty {
        (unsent, .waiting)
      } else {
        ("all saved", .dim)
      }
    state.files.draw(frame, on: &canvas, saved: saved) { table, canvas in
      if let found = state.files.find.found { return draw(found, table, state, frame, on: &canvas) }
      state.files.rows.draw(
        on: &canvas,
        content: { row in
          guard row < table.count else { return nil }
          return textMatch(row, of: table, state)?.content(now: now) ?? entry(row, of: table, state).content(now: now)
        },
        row: { line, row, _ in
          guard row < table.count else { return }
          if let match = textMatch(row, of: table, state) { return match.draw(now: now, on: &line) }
          entry(row, of: table, state).draw(now: now, on: &line)
        })
    }
  }

  /// Draws each note with its first matching line.
  private static func draw(
    _ found: FindField.Found, _ table: EntryTable, _ state: NotesState, _ frame: Frame, on canvas: inout Canvas
  ) {
    let width = canvas.size.width
    let query = NameQuery(found.words.utf8)
    for (place, row) in state.files.rowsInView(of: canvas.size.height).enumerated() where row < table.count {
      canvas.inside(Rect(0, place * 2, width, 1)) { line in
        let entry = entry(row, of: table, state, sought: query)
        line.line(
          of: entry.content(now: frame.now), selected: row == state.files.rows.selected ? width : 0
        ) { entry.draw(now: frame.now, on: &$0) }
      }
      guard let file = found.files[table.path(at: row)] else { continue }
      canvas.inside(Rect(0, place * 2 + 1, width, 1)) { line in
        guard let number = file.line else {
          line.text("found by its name", x: 5, y: 0, style: line[.dim])
          return
        }
        let more = file.more > 0 ? "+\(file.more)" : ""
        let x = 5 + line.text("\(number): ", x: 5, y: 0, style: line[.dim])
        let text = Array(file.text.utf8)
        line.text(
          text[...], x: x, y: 0, style: line[.dim], width: max(0, width - x - 2 - more.utf8.count),
          places: query.places(in: text[...]))
        line.text(more, x: width - 1 - more.utf8.count, y: 0, style: line[.dim])
      }
    }
  }

  /// The row of a note that the typed words find in its text; nil for other rows.
  private static func textMatch(_ row: Int, of table: EntryTable, _ state: NotesState) -> TextMatchRow? {
    guard let texts = state.files.find.texts, let file = texts.files[table.path(at: row)] else { return nil }
    return TextMatchRow(row: entry(row, of: table, state), file: file, query: NameQuery(texts.words.utf8))
  }

  private static func entry(
    _ row: Int, of table: EntryTable, _ state: NotesState, sought: NameQuery? = nil
  ) -> EntryRow {
    let places = table.places(at: row)
    let isPlain =
      state.files.marks.isEmpty && state.files.news.isEmpty && state.departed.isEmpty
      && state.texts.isEmpty && state.held.isEmpty && state.files.remarks.isEmpty
    let path = isPlain ? nil : table.path(at: row)
    return EntryRow(
      name: table.name(at: row), size: table.size(at: row), modified: table.modified(at: row),
      author: table.hasAuthors ? table.author(at: row) : nil, hasAuthors: table.hasAuthors,
      isMarked: path.map(state.files.marks.contains) ?? false,
      isNew: path.map { state.files.news[$0] != nil && state.word(of: $0).isEmpty } ?? false,
      remarks: path.flatMap { state.files.remarks[$0] },
      flag: path.map(state.flag) ?? "",
      places: places.isEmpty ? sought?.places(in: table.name(at: row)) ?? [] : places)
  }

  private static func draw(
    _ reader: NoteReader, now: Int64, isOld: Bool = false, word: String = "",
    isMissing: (MarkdownLink) -> Bool = { _ in false }, on canvas: inout Canvas
  ) {
    let width = canvas.size.width
    let entry = reader.note.entry
    var facts = reader.findWords
    // The state of find replaces size and age.
    if facts.isEmpty {
      facts = entry.size.map { ByteCount.text($0) } ?? ""
      if let modified = entry.modified { facts += "  " + Age.text(of: Int(modified.seconds), now: Int(now)) }
      let remarks = reader.note.remarks.count
      if remarks > 0 { facts = "\(remarks) \(remarks == 1 ? "remark" : "remarks")  \(facts)" }
    }
    if let member = entry.member, reader.findWords.isEmpty,
      GlyphReader.columns(of: member) + facts.utf8.count < width / 2
    {
      facts = "\(member)  \(facts)"
    }
    if !word.isEmpty { facts += "  \(word)" }
    if isOld || reader.note.content != .text { facts += "  read-only" }
    if reader.isMarkdown, reader.page == nil { facts += "  raw" }
    if !reader.fits { facts += "  \(reader.percent) %" }
    let left = max(0, width - GlyphReader.columns(of: facts) - 2)
    canvas.text(entry.path.bytes[...], x: 1, y: 0, style: canvas[.title], width: max(0, left - 1))
    canvas.text(facts, x: left + 1, y: 0, style: canvas[.dim])
    let height = canvas.size.height - 1
    canvas.inside(Rect(0, 1, width, height - (reader.takesKeys ? 1 : 0))) { part in
      reader.draw(on: &part, isMissing: isMissing)
      reader.drawChanges(on: &part)
    }
    if reader.isFinding { FieldLine.draw("Find: ", reader.find, note: reader.findWords, on: &canvas) }
    if reader.quote != nil { drawQuote(reader, on: &canvas) }
  }

  private static func draw(_ editor: NoteEditor, word: String, _ frame: Frame, on canvas: inout Canvas) {
    let width = canvas.size.width
    let position = editor.text.position
    let changed = editor.isChanged ? "changed" : "unchanged"
    var facts = "\(changed)  line \(position.line)  column \(position.column)"
    if let vi = editor.text.vi {
      facts = frame.isNarrow ? "\(changed)  \(position.line):\(position.column)" : facts
      facts = "\(vi.stateWords)  \(facts)"
    }
    if !frame.isNarrow, let words = editor.text.wordCount {
      facts += "  \(words.grouped) \(words == 1 ? "word" : "words")"
    }
    if !word.isEmpty { facts = "\(word)  \(facts)" }
    let left = max(0, width - facts.utf8.count - 2)
    canvas.text("\(editor.title)", x: 1, y: 0, style: canvas[.title], width: max(0, left - 1))
    canvas.text(facts, x: left + 1, y: 0, style: canvas[.dim])
    let line = editor.text.vi?.openLine
    let height = canvas.size.height - 1 - (editor.bar.field == nil && line == nil ? 0 : 1)
    canvas.inside(Rect(1, 1, width - 1, height)) { draw(editor.text, isMarkdown: editor.isMarkdown, on: &$0) }
    if let line, editor.bar.field == nil { FieldLine.draw(line.label, line.field, on: &canvas) }
    if let bar = editor.bar.shown { FieldLine.draw(bar.label, bar.field, note: editor.findWords, on: &canvas) }
  }

  private static func draw(_ text: TextEditor, isMarkdown: Bool, on canvas: inout Canvas) {
    let roles = isMarkdown ? MarkdownTint(text.text.buffer, text.visibleRange(for: canvas.size)).roles : []
    text.draw(on: &canvas, roles: roles)
  }

  /// `proposed` is the name if the member types none.
  private static func draw(_ form: NewNoteForm, proposed: String?, on canvas: inout Canvas) {
    let width = canvas.size.width
    var name = form.name
    if let proposed { name.placeholder = proposed }
    let title = canvas.text("New note", x: 1, y: 0, style: canvas[.title])
    let vi = form.isInText ? form.text.vi : nil
    if let vi { canvas.text(vi.stateWords, x: title + 3, y: 0, style: canvas[.dim]) }
    canvas.text("Name ", x: 1, y: 1, style: canvas[.label])
    canvas.inside(Rect(6, 1, width - 7, 1)) { name.draw(on: &$0, isFocused: !form.isInText) }
    canvas.inside(Rect(1, 2, width - 1, canvas.size.height - 2 - (vi?.openLine == nil ? 0 : 1))) { part in
      let cursor = part.grid.cursor
      draw(form.text, isMarkdown: true, on: &part)
      if !form.isInText { part.restoreCursor(cursor) }
    }
    if let line = vi?.openLine { FieldLine.draw(line.label, line.field, on: &canvas) }
  }

  private static func draw(_ offer: DraftOffer, _ frame: Frame, on canvas: inout Canvas) {
    guard let draft = offer.drafts.first else { return }
    let size = canvas.size
    canvas.text(" Draft of \(draft.shownName): typed, not saved", x: 0, y: 1, style: canvas[.title], width: size.width)
    let age = Age.text(of: Int(draft.changed.seconds), now: Int(frame.now))
    let more = offer.drafts.count - 1
    let facts = " \(ByteCount.text(draft.bytes)), last change: \(age)." + (more > 0 ? " \(more) more after this." : "")
    canvas.text(facts, x: 0, y: 2, width: size.width)
    let later = frame.keys.name(of: .draftLater)
    let isLow = size.height < 12
    var y = isLow ? 3 : 4
    let lines = draft.beginning.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.prefix(max(0, size.height - y - (isLow ? 1 : 2))) {
      canvas.text(line, x: 3, y: y, style: canvas[.dim], width: max(0, size.width - 4))
      y += 1
    }
    canvas.text(" \(later) keeps it. :waiting shows all that waits.", x: 0, y: size.height - 1, style: canvas[.dim])
  }
}
