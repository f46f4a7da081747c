internal import ClubServices
internal import FileStores
internal import Markdown
internal import TextUI

extension NotesScreen {
  /// Draws the body: the topmost view, or the list. The lines around it are the root's.
  static func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    guard let view = state.views.last else { return drawList(state, frame, on: &canvas) }
    view.draw(state, frame, on: &canvas)
  }

  private static func drawList(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    if let top = state.files.atTop {
      var shown = state
      shown.files = top
      return drawList(shown, frame, on: &canvas)
    }
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
      // Once for all rows: it looks at all new notes.
      let (width, news) = (canvas.size.width, state.files.albumNews)
      state.files.rows.draw(
        on: &canvas,
        content: { row in
          if let folder = folder(row, state, news, width: width) { return folder.content(now: now) }
          guard let row = state.files.fileRow(row) else { return nil }
          return textMatch(row, of: table, state)?.content(now: now) ?? entry(row, of: table, state).content(now: now)
        },
        row: { line, row, _ in
          if let folder = folder(row, state, news, width: width) { return folder.draw(now: now, on: &line) }
          guard let row = state.files.fileRow(row) else { return }
          if let match = textMatch(row, of: table, state) { return match.draw(now: now, on: &line) }
          entry(row, of: table, state).draw(now: now, on: &line)
        })
    }
  }

  /// The row of a folder: the numbers of its notes and of the new ones, and the date of the newest. Nil for a note.
  private static func folder(_ row: Int, _ state: NotesState, _ news: [Int], width: Int) -> EntryRow? {
    guard let table = state.files.table, row < state.files.albums.count else { return nil }
    let folder = state.files.albums[row]
    let new = news.isEmpty || news[row] == 0 ? "" : "\(news[row].grouped) new"
    let all =
      state.files.isTop
      ? ""
      : folder.count == 0
        ? table.otherWords(below: folder.path) ?? "empty"
        : folder.count == 1 ? "1 note" : "\(folder.count.grouped) notes"
    let count = width < 60 && folder.count > 0 ? folder.count.grouped : all
    return EntryRow(
      name: (Array(folder.name) + [UInt8(ascii: "/")])[...], size: nil, modified: folder.newest,
      hasAuthors: table.hasAuthors, isMarked: false, isNew: !new.isEmpty,
      folder: [new, count].filter { !$0.isEmpty }.joined(separator: "  "), flag: "", places: [])
  }

  /// Draws each note with its first matching line.
  private static func draw(
    _ found: FindField.Found, _ table: EntryTable, _ state: NotesState, _ frame: Frame, on canvas: inout Canvas
  ) {
    let width = canvas.size.width
    let query = NameQuery(words: found.marked)
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
          line.text(found.reason, x: 5, y: 0, style: line[.dim])
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
    var entry = entry(row, of: table, state)
    entry.places = []
    return TextMatchRow(row: entry, file: file, query: NameQuery(words: texts.marked))
  }

  private static func entry(
    _ row: Int, of table: EntryTable, _ state: NotesState, sought: NameQuery? = nil
  ) -> EntryRow {
    let places = table.places(at: row)
    let isPlain =
      state.files.marks.isEmpty && state.files.news.isEmpty && state.departed.isEmpty
      && state.texts.isEmpty && state.held.isEmpty && state.files.remarks.isEmpty && state.files.pins.isEmpty
      && state.files.here.isEmpty
    let path = isPlain ? nil : table.path(at: row)
    return EntryRow(
      name: table.shownName(at: row), size: table.size(at: row), modified: table.modified(at: row),
      author: table.hasAuthors ? table.author(at: row) : nil, hasAuthors: table.hasAuthors,
      isMarked: path.map(state.files.marks.contains) ?? false,
      isPinned: path.map(state.files.pins.contains) ?? false,
      isNew: path.map { state.files.news[$0] != nil && state.word(of: $0).isEmpty } ?? false,
      remarks: path.flatMap { state.files.remarks[$0] }, lead: state.files.albumBytes(of: table.name(at: row)) ?? 0,
      here: path.flatMap { state.files.here[$0] } ?? "",
      flag: path.map(state.flag) ?? "",
      places: places.isEmpty ? sought?.places(in: table.name(at: row)) ?? [] : places)
  }
}

extension NoteReader {
  func draw(
    now: Int64, isOld: Bool = false, word: String = "", here: String = "",
    isMissing: (MarkdownLink) -> Bool = { _ in false }, on canvas: inout Canvas
  ) {
    let width = canvas.size.width
    let entry = note.entry
    var facts = findWords
    // The state of find replaces size and age.
    if facts.isEmpty {
      facts = entry.size.map { ByteCount.text($0) } ?? ""
      if let modified = entry.modified { facts += "  " + Age.text(of: Int(modified.seconds), now: Int(now)) }
      let remarks = note.remarks.count
      if remarks > 0 { facts = "\(remarks) \(remarks == 1 ? "remark" : "remarks")  \(facts)" }
    }
    if let member = entry.member, findWords.isEmpty,
      GlyphReader.columns(of: member) + facts.utf8.count < width / 2
    {
      facts = "\(member)  \(facts)"
    }
    if !word.isEmpty { facts += "  \(word)" }
    // On a narrow screen a member who is here matters more than size and age.
    if !here.isEmpty, findWords.isEmpty { facts = facts.isBeside(here, in: width) ? "\(here)  \(facts)" : here }
    if isOld || note.content != .text { facts += "  read-only" }
    if isMarkdown, page == nil { facts += "  raw" }
    if !fits { facts += "  \(percent) %" }
    let left = max(0, width - GlyphReader.columns(of: facts) - 2)
    canvas.title(entry.path.bytes, x: 1, width: max(0, left - 1))
    canvas.text(facts, x: left + 1, y: 0, style: canvas[.dim])
    let height = canvas.size.height - 1
    canvas.inside(Rect(0, 1, width, height - (takesKeys ? 1 : 0))) { part in
      draw(on: &part, isMissing: isMissing)
      drawChanges(on: &part)
    }
    if isFinding { FieldLine.draw("Find: ", find, note: findWords, on: &canvas) }
    if quote != nil { NotesScreen.drawQuote(self, on: &canvas) }
  }
}

extension NoteEditor {
  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let word = path.map(state.word) ?? ""
    let width = canvas.size.width
    let position = text.position
    let changed = isChanged ? "changed" : "unchanged"
    var facts = "\(changed)  line \(position.line)  column \(position.column)"
    if let vi = text.vi {
      facts = frame.isNarrow ? "\(changed)  \(position.line):\(position.column)" : facts
      facts = "\(vi.stateWords)  \(facts)"
    }
    if !frame.isNarrow, let words = text.wordCount {
      facts += "  \(words.grouped) \(words == 1 ? "word" : "words")"
    }
    if !word.isEmpty { facts = "\(word)  \(facts)" }
    if newer.apart > 0 { facts = "\(frame.isNarrow ? "same lines" : "both changed the same lines")  \(facts)" }
    if let path, case let here = frame.present.words(at: path, base), !here.isEmpty {
      facts = facts.isBeside(here, in: width) ? "\(here)  \(facts)" : "\(changed)  \(here)"
    }
    let left = max(0, width - GlyphReader.columns(of: facts) - 2)
    canvas.title(Array(title.utf8), x: 1, width: max(0, left - 1))
    canvas.text(facts, x: left + 1, y: 0, style: canvas[.dim])
    let line = text.vi?.openLine
    let height = canvas.size.height - 1 - (bar.field == nil && line == nil ? 0 : 1)
    canvas.inside(Rect(1, 1, width - 1, height)) { text.draw(asMarkdown: isMarkdown, on: &$0) }
    if let completion, let cursor = canvas.grid.cursor { completion.draw(at: cursor, on: &canvas) }
    if let line, bar.field == nil { FieldLine.draw(line.label, line.field, on: &canvas) }
    if let bar = bar.shown { FieldLine.draw(bar.label, bar.field, note: findWords, on: &canvas) }
  }
}

extension NewNoteForm {
  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let width = canvas.size.width
    var name = name
    // The name if the member types none.
    if let proposed = state.name(for: self) { name.placeholder = proposed }
    var title = canvas.text("New note", x: 1, y: 0, style: canvas[.title])
    if !folder.isRoot {
      let place = ShortName.of("in \(folder)/", columns: max(0, width - title - 3))
      title += 1 + canvas.text(place, x: title + 2, y: 0, style: canvas[.dim])
    }
    let vi = isInText ? text.vi : nil
    if let vi { canvas.text(vi.stateWords, x: title + 3, y: 0, style: canvas[.dim]) }
    canvas.text("Name ", x: 1, y: 1, style: canvas[.label])
    canvas.inside(Rect(6, 1, width - 7, 1)) { name.draw(on: &$0, isFocused: !isInText) }
    canvas.inside(Rect(1, 2, width - 1, canvas.size.height - 2 - (vi?.openLine == nil ? 0 : 1))) { part in
      let cursor = part.grid.cursor
      text.draw(asMarkdown: true, on: &part)
      if !isInText { part.restoreCursor(cursor) }
    }
    if let completion, let cursor = canvas.grid.cursor { completion.draw(at: cursor, on: &canvas) }
    if let line = vi?.openLine { FieldLine.draw(line.label, line.field, on: &canvas) }
  }
}

extension Canvas {
  /// A path as a title: the folder is dimmed, and goes where the name needs its room.
  fileprivate mutating func title(_ path: [UInt8], x: Int, width: Int) {
    let name = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    let isWhole = GlyphReader.columns(of: path[...]) <= width
    text(
      isWhole ? path[...] : path[name...], x: x, y: 0, style: self[.title], width: width, places: [],
      lead: isWhole && name > 0 ? (name, self[.dim]) : nil)
  }
}

extension TextEditor {
  fileprivate func draw(asMarkdown isMarkdown: Bool, on canvas: inout Canvas) {
    let roles = isMarkdown ? MarkdownTint(text.buffer, visibleRange(for: canvas.size)).roles : []
    draw(on: &canvas, roles: roles)
  }
}

extension String {
  /// True if words before these leave a third of a line to its title.
  fileprivate func isBeside(_ words: String, in width: Int) -> Bool {
    GlyphReader.columns(of: words) + GlyphReader.columns(of: self) + 4 <= width * 2 / 3
  }
}
