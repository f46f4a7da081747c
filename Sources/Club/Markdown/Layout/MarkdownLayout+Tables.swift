internal import TextUI

/// Tables: columns as wide as their text, narrower where the width does not suffice, and records where even that fails.
extension MarkdownLayout {
  /// No column is made narrower.
  private static let narrowest = 6

  mutating func table(_ table: Int, _ columns: [MarkdownAlignment]) {
    let rows = document.children(of: table)
    let gaps = (columns.count - 1) * 3
    guard columns.count * 2 + gaps <= room else { return records(rows) }
    var natural = Array(repeating: 1, count: columns.count)
    for row in rows {
      for (column, cell) in document.children(of: row).enumerated() where column < natural.count {
        natural[column] = max(natural[column], naturalWidth(of: cell))
      }
    }
    guard let widths = Self.widths(natural, in: room - gaps) else { return records(rows) }
    var texts: [[[[StyledRun]]]] = []
    for (index, row) in rows.enumerated() {
      let cells = document.children(of: row)
      var filled: [[[StyledRun]]] = []
      for (column, width) in widths.enumerated() {
        let role: Role = index == 0 ? .strong : .text
        filled.append(column < cells.count ? self.filled(cells[column], role: role, width: width) : [])
      }
      texts.append(filled)
    }
    // Rows of several lines need a rule to be distinguished.
    let isRuled = texts.dropFirst().contains { $0.contains { $0.count > 1 } }
    for (index, row) in rows.enumerated() {
      if index > 1, isRuled { emitRule(widths, start: base) }
      emit(texts[index], widths, columns, start: base + document.blocks[row].range.lowerBound)
      if index == 0 { emitRule(widths, start: base + document.blocks[row].range.upperBound) }
    }
  }

  /// The columns of each column of a table: the widest ones give up space first. Nil if one would be too narrow.
  static func widths(_ natural: [Int], in room: Int) -> [Int]? {
    guard natural.reduce(0, +) > room else { return natural }
    var left = room
    var widths = natural
    // From the narrowest on, each takes its width or an equal share of the rest.
    for (place, column) in natural.indices.sorted(by: { natural[$0] < natural[$1] }).enumerated() {
      widths[column] = min(natural[column], left / (natural.count - place))
      left -= widths[column]
    }
    let isTooNarrow = zip(widths, natural).contains { $0 < $1 && $0 < narrowest }
    return isTooNarrow ? nil : widths
  }

  /// Columns of a cell in one line.
  private mutating func naturalWidth(of cell: Int) -> Int {
    let known = links.count
    defer { links.removeSubrange(known...) }
    return filled(cell, role: .text, width: .max).reduce(0) { max($0, $1.reduce(0) { $0 + $1.width }) }
  }

  /// Emits the lines of a row; `texts` has the lines of each column.
  private mutating func emit(
    _ texts: [[[StyledRun]]], _ widths: [Int], _ columns: [MarkdownAlignment], start: Int
  ) {
    for line in 0..<max(1, texts.map(\.count).max() ?? 1) {
      var runs: [StyledRun] = []
      for (column, width) in widths.enumerated() {
        if column > 0 { runs.append(StyledRun(" \(options.marks.bar) ", .rule)) }
        let text = line < texts[column].count ? texts[column][line] : []
        let spaces = max(0, width - text.reduce(0) { $0 + $1.width })
        let left = columns[column] == .right ? spaces : columns[column] == .center ? spaces / 2 : 0
        if left > 0 { runs.append(StyledRun(repeating(" ", left), .text)) }
        runs += text
        let isLast = column == widths.count - 1
        if spaces > left, !isLast { runs.append(StyledRun(repeating(" ", spaces - left), .text)) }
      }
      emit(runs, start: start)
    }
  }

  private mutating func emitRule(_ widths: [Int], start: Int) {
    let marks = options.marks
    let parts = widths.map { repeating(marks.rule, $0) }
    emit([StyledRun(parts.joined(separator: marks.rule + marks.cross + marks.rule), .rule)], start: start)
  }

  /// Each row as lines of a heading and a text.
  private mutating func records(_ rows: [Int]) {
    guard let head = rows.first else { return }
    let names = document.children(of: head)
    if rows.count == 1 { emit(record: head, names: []) }
    for (index, row) in rows.dropFirst().enumerated() {
      if index > 0 { emit([StyledRun(repeating(options.marks.rule, min(room, 12)), .rule)], start: base) }
      emit(record: row, names: names)
    }
  }

  private mutating func emit(record row: Int, names: [Int]) {
    let start = base + document.blocks[row].range.lowerBound
    for (column, cell) in document.children(of: row).enumerated() {
      var runs: [StyledRun] = []
      if column < names.count {
        let known = links.count
        runs = Array(filled(names[column], role: .strong, width: .max).joined(separator: [StyledRun(" ", .strong)]))
        links.removeSubrange(known...)
        for index in runs.indices { (runs[index].link, runs[index].range) = (nil, 0..<0) }
        runs.append(StyledRun(": ", .strong))
      }
      let used = runs.reduce(0) { $0 + $1.width }
      guard used <= room / 2 else {
        for line in filled(cell, role: .text, width: room) { emit(line, start: line.start ?? start) }
        continue
      }
      let lines = filled(cell, role: .text, width: max(1, room - used))
      let indent = StyledRun(repeating(" ", used), .text)
      for (index, line) in (lines.isEmpty ? [[]] : lines).enumerated() {
        emit((index == 0 ? runs : [indent]) + line, start: line.start ?? start)
      }
    }
  }
}
