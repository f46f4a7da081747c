/// A place that a motion found.
struct ViMove: Sendable {
  var place: Int
  /// For operators: whole lines, or up to and with the character at the place.
  var isLines = false
  var isInclusive = false
  var column: ViKeys.Column?
  /// Vertical motions keep the column.
  var keepsColumn = false
  /// Operators do nothing.
  var isFailed = false
}

extension ViKeys {
  mutating func move(_ command: ViCommand, _ editor: inout TextEditor) {
    guard case .move(let motion) = command.action else { return }
    if seeks(motion, command, &editor) { return }
    guard let move = resolve(motion, command, nil, &editor) else { return }
    go(to: move, &editor)
  }

  mutating func go(to move: ViMove, _ editor: inout TextEditor) {
    editor.text.move(to: move.place)
    if !move.keepsColumn { column = move.column }
  }

  /// nil if there is no such place.
  mutating func resolve(
    _ motion: ViMotion, _ command: ViCommand, _ operation: ViOperator?, _ editor: inout TextEditor
  ) -> ViMove? {
    var text = ViText(editor.text.buffer)
    let cursor = editor.text.cursor
    let times = command.times
    switch motion {
    case .left, .right, .forward, .back:
      return characters(motion, times, cursor, &text, canPassEnd: operation != nil || isVisual)
    case .up, .down: return vertical(motion == .down ? times : -times, cursor, &text)
    case .rowUp, .rowDown: return rows(motion == .rowDown ? times : -times, &editor)
    case .lineStart: return ViMove(place: text.lineStart(cursor))
    case .text: return ViMove(place: text.firstText(cursor))
    case .column:
      let cells = max(0, (command.count ?? 1) - 1)
      return ViMove(place: text.place(atColumn: .cells(cells), inLineAt: cursor), column: .cells(cells))
    case .lineEnd, .lastText, .textHere:
      guard let line = text.line(times - 1, below: cursor) else { return nil }
      return ends(motion, line, cursor, operation, &text)
    case .textDown, .textUp:
      guard let line = text.line(motion == .textDown ? times : -times, below: cursor) else { return nil }
      return ViMove(place: text.firstText(line), isLines: true)
    case .word(let isBig): return word(times, cursor, isBig, operation, &text)
    case .wordEnd(let isBig):
      var place = cursor
      _ = text.wordEnd(&place, times, isBig: isBig)
      return ViMove(place: text.within(place, from: cursor, isVisual), isInclusive: true)
    case .wordBack(let isBig):
      var place = cursor
      let isFound = text.wordBack(&place, times, isBig: isBig)
      return ViMove(place: place, isFailed: !isFound)
    case .wordEndBack(let isBig):
      var place = cursor
      let isFound = text.wordEndBack(&place, times, isBig: isBig)
      return ViMove(place: place, isInclusive: true, isFailed: !isFound)
    case .firstLine, .lastLine:
      let line = command.count.map { text.line($0 - 1) } ?? (motion == .firstLine ? 0 : text.lastLine())
      return ViMove(place: text.firstText(line), isLines: true)
    case .paragraph(let isForward):
      return text.paragraph(cursor, times, isForward: isForward).map {
        ViMove(place: $0.place, isInclusive: $0.isInclusive)
      }
    case .sentence(let isForward):
      guard let place = text.sentence(cursor, times, isForward: isForward) else { return nil }
      let within = isVisual ? place : text.beforeEnd(place)
      return ViMove(place: within, isInclusive: within != place)
    case .bracket: return bracket(command.count, cursor, &text)
    case .find(let find):
      lastFind = find
      return self.find(find, times, cursor, isAgain: false, &text)
    case .findAgain(let isReversed):
      guard var find = lastFind else { return nil }
      if isReversed { find.isForward.toggle() }
      return self.find(find, times, cursor, isAgain: true, &text)
    case .top, .middle, .bottom: return inView(motion, times, editor, &text)
    case .pageDown, .pageUp, .halfDown, .halfUp:
      guard operation == nil else { return nil }
      let page = max(1, editor.size.height - 2)
      let half = max(1, editor.size.height / 2)
      let distance = motion == .pageDown || motion == .pageUp ? page : half
      let sign = motion == .pageDown || motion == .halfDown ? 1 : -1
      return rows(sign * distance * min(times, 10_000), &editor)
    case .search, .searchAgain, .wordUnderCursor: return nil
    }
  }

  private func characters(
    _ motion: ViMotion, _ times: Int, _ cursor: Int, _ text: inout ViText, canPassEnd: Bool
  ) -> ViMove? {
    var place = cursor
    for _ in 0..<times {
      let before = place
      switch motion {
      case .left: place = text.before(place)
      case .back: _ = text.skip(backward: &place)
      case .right:
        let next = text.after(place)
        if canPassEnd || !text.isLineEnd(next) { place = next }
      default:
        let step = text.step(forward: &place)
        if step == .toLineEnd, !canPassEnd, text.step(forward: &place) == .none { place = before }
      }
      if place == before { break }
    }
    return place == cursor && !canPassEnd ? nil : ViMove(place: place)
  }

  private mutating func vertical(_ distance: Int, _ cursor: Int, _ text: inout ViText) -> ViMove? {
    guard let line = text.line(distance, below: cursor), line != text.lineStart(cursor) else { return nil }
    let column = column ?? .cells(text.column(of: cursor))
    self.column = column
    var place = text.place(atColumn: column, inLineAt: line)
    if isVisual, column == .end || text.isShorter(line, than: column) { place = text.lineEnd(line) }
    return ViMove(place: place, isLines: true, keepsColumn: true)
  }

  private mutating func rows(_ distance: Int, _ editor: inout TextEditor) -> ViMove? {
    let cursor = editor.text.cursor
    _ = editor.vertical(distance)
    let place = editor.text.cursor
    editor.text.move(to: cursor)
    keepRowColumn()
    return place == cursor ? nil : ViMove(place: place)
  }

  private func ends(
    _ motion: ViMotion, _ line: Int, _ cursor: Int, _ operation: ViOperator?, _ text: inout ViText
  ) -> ViMove {
    switch motion {
    case .textHere:
      let place = operation == .yank && line <= cursor ? cursor : text.firstText(line)
      return ViMove(place: place, isLines: true)
    case .lineEnd:
      let place = isVisual ? text.lineEnd(line) : text.lastCharacter(line)
      return ViMove(place: place, isInclusive: true, column: .end)
    default:
      let start = text.lineStart(line)
      var place = text.lastCharacter(line)
      while place > start, text.isBlank(text.byte(place)) { place = text.before(place) }
      return ViMove(place: place, isInclusive: true)
    }
  }

  private func word(
    _ times: Int, _ cursor: Int, _ isBig: Bool, _ operation: ViOperator?, _ text: inout ViText
  ) -> ViMove {
    var place = cursor
    // `cw` on a word changes up to its end only.
    if operation == .change, text.kind(cursor, isBig: isBig) != 0 {
      _ = text.wordEnd(&place, times, isBig: isBig, staysInWord: true)
      return ViMove(place: text.within(place, from: cursor, isVisual), isInclusive: true)
    }
    _ = text.wordForward(&place, times, isBig: isBig, staysInLine: operation != nil)
    let within = text.within(place, from: cursor, isVisual)
    return ViMove(place: within, isInclusive: within != place)
  }

  private func bracket(_ count: Int?, _ cursor: Int, _ text: inout ViText) -> ViMove? {
    guard let count else {
      return text.matchingBracket(cursor).map { ViMove(place: $0, isInclusive: true) }
    }
    guard count <= 100 else { return nil }
    let lines = text.buffer.line(at: text.lastLine()) + 1
    return ViMove(place: text.firstText(text.line((count * lines + 99) / 100 - 1)), isLines: true)
  }

  private func find(_ find: ViFind, _ times: Int, _ cursor: Int, isAgain: Bool, _ text: inout ViText) -> ViMove? {
    let limit = find.isForward ? cursor + ViText.reach : cursor - ViText.reach
    var place = cursor
    // Repeated, `t` goes on although the next character is the sought one.
    var canStay = !(isAgain && find.isTill && times == 1)
    for _ in 0..<times {
      while true {
        let next = find.isForward ? text.after(place) : text.before(place)
        guard next != place, !text.isLineEnd(next), find.isForward ? next < limit : next > limit else { return nil }
        place = next
        if text.scalar(place) == find.scalar.value, canStay { break }
        canStay = true
      }
    }
    if find.isTill { place = find.isForward ? text.before(place) : text.after(place) }
    return ViMove(place: place, isInclusive: find.isForward)
  }

  private func inView(_ motion: ViMotion, _ times: Int, _ editor: TextEditor, _ text: inout ViText) -> ViMove {
    let rows = editor.wrap.rows(from: editor.topOffset, count: max(1, editor.size.height), in: editor.text.buffer)
    let row: Int
    switch motion {
    case .top: row = min(rows.count, times) - 1
    case .middle: row = (rows.count - 1) / 2
    default: row = max(0, rows.count - times)
    }
    let line = text.lineStart(text.onCharacter(rows[max(0, row)].start))
    return ViMove(place: text.firstText(line), isLines: true)
  }
}

extension ViText {
  /// The start of the line so many lines below; the last or first one if there are fewer. nil without any.
  mutating func line(_ distance: Int, below place: Int) -> Int? {
    if distance == 0 { return lineStart(place) }
    if abs(distance) > 64 {
      let present = buffer.line(at: place)
      let line = line(max(0, present + distance))
      return line == lineStart(place) ? nil : line
    }
    var line = lineStart(place)
    for _ in 0..<abs(distance) {
      guard let next = distance > 0 ? nextLine(line) : previousLine(line) else { break }
      line = next
    }
    return line == lineStart(place) ? nil : line
  }

  /// Not behind the last character of a line, except if the motion began there or a selection may end there.
  mutating func within(_ place: Int, from cursor: Int, _ isVisual: Bool) -> Int {
    place > cursor && !isVisual ? beforeEnd(place) : place
  }

  mutating func beforeEnd(_ place: Int) -> Int {
    isLineEnd(place) && !isLineStart(place) ? before(place) : place
  }

  /// Cells from the start of the line, of which at most 64 KiB are looked at.
  mutating func column(of place: Int) -> Int {
    let start = max(lineStart(place), place - 0x10000)
    var cells = 0
    for glyph in GlyphReader(buffer.bytes(in: start..<after(place))[...], tabWidth: 4) {
      let isLast = start + glyph.range.upperBound > place
      if isLast, byte(place) != 0x09 { break }
      cells += glyph.width - (isLast ? 1 : 0)
    }
    return cells
  }

  /// True if a line ends before a column.
  fileprivate mutating func isShorter(_ line: Int, than column: ViKeys.Column) -> Bool {
    guard case .cells(let cells) = column, lineEnd(line) - line <= 0x10000 else { return false }
    return lineEnd(line) > line && self.column(of: lastCharacter(line)) < cells
  }

  /// The character at a column, or the last one of the line.
  mutating func place(atColumn column: ViKeys.Column, inLineAt place: Int) -> Int {
    guard case .cells(let wanted) = column else { return lastCharacter(place) }
    let start = lineStart(place)
    let end = lineEnd(place)
    var at = start
    var cells = 0
    for glyph in GlyphReader(buffer.bytes(in: start..<min(end, start + 0x10000))[...], tabWidth: 4) {
      at = start + glyph.range.lowerBound
      cells += glyph.width
      if cells > wanted { break }
    }
    return min(buffer.glyphBorder(at: at), lastCharacter(start))
  }
}
