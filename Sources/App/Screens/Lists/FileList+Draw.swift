internal import ClubServices
internal import FileStores
internal import TextUI

extension FileList {
  /// The rows to draw, for rows of more than one line. If a transfer, a notice or a field takes lines, the selected
  /// file stays in view.
  func rowsInView(of height: Int) -> Range<Int> {
    let least = rows.selection - max(1, height / rowLines) + 1
    return max(rows.visible.lowerBound, min(least, rows.visible.upperBound))..<rows.visible.upperBound
  }

  /// Draws the files with `drawRows`, or the reason why there are none. Above comes the head of the columns, below the
  /// active field, or the filter, or the position and the marks. `saved` reports what is not in the club yet; `facts`
  /// are about the selected file. A head without columns has room for `note` at the right.
  func draw(
    _ frame: Frame, on canvas: inout Canvas, saved: (words: String, role: Role)? = nil, facts: [String] = [],
    hasColumns: Bool = true, note: String? = nil, _ drawRows: (EntryTable, inout Canvas) -> Void
  ) {
    let size = canvas.size
    let above = table == nil ? 0 : headLines
    if let table, above > 0 {
      canvas.inside(Rect(0, 0, size.width, 1)) { drawHead(table, hasColumns: hasColumns, note, on: &$0) }
    }
    canvas.inside(Rect(0, above, size.width, size.height - above - (hasLine ? 1 : 0))) { part in
      if let table, rows.count > 0 { drawRows(table, &part) } else { drawNothing(frame, on: &part) }
      if let otherWords, !hasFullView(part.size.height) {
        let y = rows.count > 0 ? rows.count * rowLines : 4
        part.text(otherWords, x: 3, y: y, style: part[.dim], width: max(0, part.size.width - 4))
      }
    }
    if let renaming {
      FieldLine.draw("New name: ", renaming.name, problem: renaming.problem, on: &canvas)
    } else if find.isTyping {
      let offers = find.offers?.line(within: canvas.size.width / 2) ?? ""
      FieldLine.draw(
        "Find: ", find.field, note: find.field.isEmpty ? "" : offers.isEmpty ? counts : offers,
        problem: offers.isEmpty ? find.problem : nil, on: &canvas)
    } else if find.isActive || !marks.isEmpty && !isRoomy {
      drawFilter(frame, on: &canvas)
    } else if isRoomy, let table {
      canvas.inside(Rect(0, size.height - 1, size.width, 1)) { drawState(table, frame, saved: saved, facts, on: &$0) }
    }
  }

  private static let leastNoteColumns = 24

  /// True if no line is free below the rows.
  private func hasFullView(_ height: Int) -> Bool { rows.count * rowLines >= height }

  /// Draws the names of the columns, with a mark at the one that decides the order.
  private func drawHead(_ table: EntryTable, hasColumns: Bool, _ note: String?, on canvas: inout Canvas) {
    var hasher = Hasher()
    hasher.combine(table.order)
    hasher.combine(table.isReversed)
    hasher.combine(table.isBestFirst)
    hasher.combine(hasColumns)
    hasher.combine(note)
    hasher.combine(table.hasAuthors)
    hasher.combine(table.count > rows.height)
    hasher.combine(album)
    canvas.line(of: hasher.finalize() ^ 0x6865_6164) { canvas in
      let (plain, chosen) = (canvas[.columnHead], canvas[.accent])
      guard !table.isBestFirst else {
        canvas.text("Best match first", x: 3, y: 0, style: chosen)
        return
      }
      // From A to Z and from small to large goes up; dates and sizes begin with the newest and the largest.
      let isUp = (table.order == .name) != table.isReversed
      let mark = canvas.symbol(isUp ? .ascending : .descending)
      guard hasColumns else {
        var x = 3
        if let path = drawPath(table, room: canvas.size.width - x - 1, on: &canvas) { x += path }
        let sorted = "Sorted by \(table.order.words(isReversed: table.isReversed)) \(mark)"
        guard x + GlyphReader.columns(of: sorted) < canvas.size.width || x == 3 else { return }
        let used = x + 3 + canvas.text(sorted, x: x, y: 0, style: plain)
        let room = canvas.size.width - used - 1
        if let note, room >= FileList.leastNoteColumns {
          let columns = min(room, GlyphReader.columns(of: note))
          canvas.text(note, x: canvas.size.width - columns - 1, y: 0, style: chosen, width: columns)
        }
        return
      }
      let width = canvas.size.width - (table.count > rows.height && canvas.size.width > 2 ? 1 : 0)
      func head(_ title: String, _ order: EntryTable.Order, endingAt end: Int) {
        let isChosen = table.order == order
        let text = isChosen ? "\(mark) \(title)" : title
        canvas.text(text, x: end - GlyphReader.columns(of: text), y: 0, style: isChosen ? chosen : plain)
      }
      let isByName = table.order == .name
      let columns = EntryColumns(width: width, hasAuthors: table.hasAuthors)
      if drawPath(table, room: columns.nameEnd - 5, on: &canvas) == nil {
        canvas.text(isByName ? "Name \(mark)" : "Name", x: 3, y: 0, style: isByName ? chosen : plain)
      }
      if let start = columns.authorStart { canvas.text("Author", x: start + 1, y: 0, style: plain) }
      head("Age", .date, endingAt: columns.ageEnd)
      if let size = columns.sizeEnd {
        head("Size", .size, endingAt: size)
      } else if table.order == .size {
        // Without a column of sizes the order must still be visible.
        canvas.text("\(mark) Size", x: 10, y: 0, style: chosen)
      }
    }
  }

  /// Draws the path of the album that is shown, in place of the first column's name. Returns the columns up to what
  /// follows; nil at the top.
  private func drawPath(_ table: EntryTable, room: Int, on canvas: inout Canvas) -> Int? {
    guard let album, isInAlbum, !find.isActive else { return nil }
    let word = table.albums.isDeepest ? "the deepest \(words.folder)" : ""
    let left = room - (word.isEmpty ? 0 : word.utf8.count + 3)
    let path = ShortName.of((album + [UInt8(ascii: "/")])[...], columns: max(1, left))
    var used = 3 + canvas.text(path, x: 3, y: 0, style: canvas[.directory])
    if !word.isEmpty { used += 3 + canvas.text(word, x: 3 + used, y: 0, style: canvas[.columnHead]) }
    return used
  }

  /// Draws the position and the marks, and at the right what is not in the club yet, or the facts that fit.
  private func drawState(
    _ table: EntryTable, _ frame: Frame, saved: (words: String, role: Role)?, _ facts: [String],
    on canvas: inout Canvas
  ) {
    var hasher = Hasher()
    hasher.combine(rows.selected)
    hasher.combine(rows.count)
    hasher.combine(marks.count)
    hasher.combine(saved?.words)
    hasher.combine(facts)
    hasher.combine(otherWords)
    canvas.line(of: hasher.finalize() ^ 0x7374_6174) { canvas in
      let width = canvas.size.width
      let position = rows.selected.map { "\(($0 + 1).grouped) of \(rows.count.grouped)" } ?? ""
      var x = 1 + canvas.text(position, x: 1, y: 0, style: canvas[.dim])
      if let otherWords, rows.count > rows.height {
        x += 1 + canvas.text(otherWords, x: x + 1, y: 0, style: canvas[.dim])
      }
      if !marks.isEmpty {
        x += 2
        x += canvas.text("\(marks.count) marked", x: x, y: 0, style: canvas[.marked])
        x += canvas.text("  \(frame.keys.name(of: .close)) unmarks", x: x, y: 0, style: canvas[.dim])
      }
      if let saved, x + 2 + saved.words.utf8.count < width {
        canvas.text(saved.words, x: width - 1 - saved.words.utf8.count, y: 0, style: canvas[saved.role])
      }
      guard var name = facts.first else { return }
      let room = width - x - 4
      name = ShortName.of(name, columns: max(0, room))
      let texts = facts.indices.reversed().lazy.map { ([name] + facts[1...].prefix($0)).joined(separator: "  ") }
      let text = texts.first { GlyphReader.columns(of: $0) <= room } ?? name
      canvas.text(text, x: width - 1 - GlyphReader.columns(of: text), y: 0, style: canvas[.dim])
    }
  }

  private var counts: String {
    let unread = find.unread > 0 ? ", \(find.unread.grouped) to search" : ""
    return table.map { "\($0.count) of \($0.total)\(unread)" } ?? ""
  }

  /// Draws the filter, the number of marks, and the key that clears them.
  private func drawFilter(_ frame: Frame, on canvas: inout Canvas) {
    let (width, y) = (canvas.size.width, canvas.size.height - 1)
    let marked = marks.isEmpty ? "" : "\(marks.count) marked"
    let close = frame.keys.name(of: .close)
    guard find.isActive else {
      canvas.text("\(marked)  \(close) unmarks", x: 1, y: y, width: max(0, width - 1))
      return
    }
    let label = find.found == nil ? "filter: " : "search: "
    let sought = [find.found?.words ?? "", find.field.string].filter { !$0.isEmpty }.joined(separator: ", ")
    let words = min(GlyphReader.columns(of: sought), 8)
    // In order of importance: the words and counts, then the key, then the marks.
    let hint = "\(close) clears"
    let facts = [
      [counts, marked, hint], [counts, marks.isEmpty ? "" : "+\(marks.count)", hint], [counts, hint], [counts],
    ]
    .map { $0.filter { !$0.isEmpty }.joined(separator: "  ") }
    let fitting = facts.first { 4 + label.utf8.count + words + GlyphReader.columns(of: $0) <= width } ?? counts
    let room = max(4, width - 4 - label.utf8.count - GlyphReader.columns(of: fitting))
    var x = 1 + canvas.text(label, x: 1, y: y)
    x += canvas.text(ShortName.of(sought, columns: room), x: x, y: y, style: canvas[.match]) + 2
    canvas.text(fitting, x: x, y: y, width: max(0, width - x))
  }

  /// True for a search without a word that names or texts could have.
  private var isByFilters: Bool {
    let query = find.field.isEmpty ? find.found.map { NoteQuery($0.words, clock) } ?? find.query : find.query
    return query.words.isEmpty
  }

  private func drawNothing(_ frame: Frame, on canvas: inout Canvas) {
    if let table {
      let (key, verb) = (frame.keys.name(of: words.making.key), words.making.verb)
      let sentence =
        isInAlbum && !find.isActive
        ? "This \(words.folder) is empty. \(key) \(verb)s \(words.aOne) in it, \(frame.keys.name(of: .albumsLeave)) leaves it."
        : table.total == 0
          ? "No \(words.many) yet. Press \(key) to \(verb) the first."
          : isByFilters
            ? "No \(words.one) matches. Esc shows all."
            : "No match in names\(find.found == nil && find.texts == nil ? "" : " or \(words.text)s"). Esc shows all."
      canvas.paragraph(sentence, x: 1, y: 1, style: canvas[.dim])
    } else if let problem {
      problem.draw(problem.error.message, frame, on: &canvas, y: 1)
    } else if let away = frame.awayText {
      away.draw(on: &canvas, y: 1)
    } else {
      canvas.text(" \(words.reading)", x: 0, y: 1, style: canvas[.dim])
    }
  }
}
