internal import TextUI

/// Pictures beside each other in rows that fill the width, each as wide as its shape makes it. The pictures of a row are
/// equally high. In cells of the terminal, from the top left of the first row.
struct GridLayout: Sendable, Equatable {
  struct Row: Sendable, Equatable {
    let cells: Range<Int>
    /// The line above the pictures, where the frame of a cell begins.
    let top: Int
    /// Of its pictures; the line with the names follows.
    let lines: Int
    let section: Int

    /// The line below the names, where frames end and the next row begins.
    var end: Int { top + lines + 2 }
  }

  /// Heights and widths that a layout keeps.
  struct Limits: Sendable, Hashable {
    /// The columns of a row.
    var width: Int
    /// The wanted lines of a picture, and the most.
    var lines: Int
    var mostLines: Int
    /// The height of a terminal's cell divided by its width.
    var aspect = 2.0
    /// The last row has the whole width, too.
    var fillsLast = false
  }

  private(set) var rows: [Row] = []
  private(set) var count = 0
  /// A line above the first row of each section has its head.
  private(set) var hasHeads = false
  private var lefts: [Int32] = []
  private var widths: [Int32] = []

  /// Columns between two cells.
  static let gap = 2
  /// A narrower cell has no room for a name.
  private static let leastWidth = 8
  private static let leastLines = 2
  /// A last row with less stays as wide as its pictures.
  private static let nearlyFull = 0.8
  /// Of width to height; other shapes are shown as these.
  private static let shapes: ClosedRange<Double> = 0.05...40
  /// Of a picture that is not known yet.
  static let usualShape: Float = 1.5
  /// Of a picture whose header cannot be read. It is laid out as the usual one until its thumbnail is there.
  static let unreadShape = Float.nan

  init() {}

  /// The shapes are widths divided by heights. Each of `sections` is the first cell of a section, from 0 on; the
  /// sections begin on rows of their own.
  init(_ shapes: [Float], sections: [Int] = [0], hasHeads: Bool = false, _ limits: Limits) {
    (count, self.hasHeads) = (shapes.count, hasHeads)
    lefts.reserveCapacity(count)
    widths.reserveCapacity(count)
    for (section, first) in sections.enumerated() {
      let end = section + 1 < sections.count ? sections[section + 1] : count
      add(shapes, from: max(lefts.count, first), to: min(count, end), section, limits)
    }
  }

  /// Of all rows, with the last frame.
  var height: Int { rows.last.map { $0.end + 1 } ?? 0 }

  // MARK: Making rows

  private mutating func add(_ shapes: [Float], from first: Int, to end: Int, _ section: Int, _ limits: Limits) {
    let width = max(1, limits.width)
    let least = Double(min(Self.leastWidth, width))
    let columnsOfShape = limits.aspect * Double(max(Self.leastLines, limits.lines))
    var start = first
    var sum = 0.0
    for index in first..<max(first, end) {
      let natural = min(Double(width), max(least, columnsOfShape * Self.shape(shapes[index])))
      let gaps = Double(Self.gap * (index - start))
      if index > start, sum + natural + gaps > Double(width) {
        let without = Double(width - Self.gap * (index - start - 1)) / sum
        let with = (Double(width) - gaps) / (sum + natural)
        // Less scaling is better.
        guard with >= 0.5, without * with > 1 else {
          addRow(shapes, start..<index, section, scale: without, limits)
          (start, sum) = (index, natural)
          continue
        }
      }
      sum += natural
    }
    guard start < end else { return }
    let full = Double(width - Self.gap * (end - start - 1)) / sum
    let isFilled = full * Self.nearlyFull <= 1 || limits.fillsLast && end == shapes.count
    addRow(shapes, start..<end, section, scale: isFilled ? full : 1, limits)
  }

  private static func shape(_ shape: Float) -> Double {
    let shape = Double(shape)
    return shape.isFinite && shape > 0 ? min(max(shape, shapes.lowerBound), shapes.upperBound) : Double(usualShape)
  }

  private mutating func addRow(
    _ shapes: [Float], _ cells: Range<Int>, _ section: Int, scale: Double, _ limits: Limits
  ) {
    let width = Double(max(1, limits.width))
    let least = min(Double(Self.leastWidth), width)
    let columnsOfShape = limits.aspect * Double(max(Self.leastLines, limits.lines))
    var (end, height) = (0.0, 0.0)
    for index in cells {
      let shape = Self.shape(shapes[index])
      let columns = min(width, max(least, columnsOfShape * shape)) * scale
      let left = Int(end.rounded())
      end += columns
      lefts.append(Int32(left + Self.gap * (index - cells.lowerBound)))
      widths.append(Int32(max(1, Int(end.rounded()) - left)))
      height = max(height, min(columns / (limits.aspect * shape), Double(limits.lines) * scale))
    }
    let isFirst = rows.last?.section != section
    let above = rows.last.map { isFirst && hasHeads ? $0.end + 2 : $0.end } ?? (hasHeads ? 1 : 0)
    // Mostly rounded up: pictures then fill their columns, and miss less than a line of the height.
    let lines = max(Self.leastLines, min(limits.mostLines, Int((height - 0.3).rounded(.up))))
    rows.append(Row(cells: cells, top: above, lines: lines, section: section))
  }

  // MARK: Finding cells

  /// The place of a cell's picture.
  func frame(of cell: Int) -> Rect {
    guard let row = row(of: cell) else { return Rect(0, 0, 0, 0) }
    return Rect(Int(lefts[cell]), rows[row].top + 1, Int(widths[cell]), rows[row].lines)
  }

  func row(of cell: Int) -> Int? {
    (0..<count).contains(cell) ? lastRow { $0.cells.lowerBound <= cell } : nil
  }

  /// The row with a line or its section's head; the last one below all. nil without rows.
  func row(atLine line: Int) -> Int? {
    rows.isEmpty ? nil : lastRow { $0.top - (hasHeads ? 1 : 0) <= max(0, line) } ?? 0
  }

  private func lastRow(where isBefore: (Row) -> Bool) -> Int? {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(rows[middle]) { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// The cell of a row that is nearest to a column.
  func cell(in row: Int, nearest column: Int) -> Int {
    let cells = rows[row].cells
    return cells.min { distance($0, column) < distance($1, column) } ?? cells.lowerBound
  }

  private func distance(_ cell: Int, _ column: Int) -> Int {
    let (left, width) = (Int(lefts[cell]), Int(widths[cell]))
    return column < left ? left - column : max(0, column - (left + width - 1))
  }

  /// The cell whose picture, name or frame is at a place.
  func cell(at point: Point) -> Int? {
    guard let row = row(atLine: point.y), rows[row].top...rows[row].end ~= point.y else { return nil }
    let cell = cell(in: row, nearest: point.x)
    return distance(cell, point.x) <= 1 ? cell : nil
  }

  /// The area that pictures of these shapes cover in the rows that are whole in so many lines.
  private func covered(_ shapes: [Float], aspect: Double, height: Int) -> Double {
    rows.prefix { $0.end < height }.reduce(0) { sum, row in
      row.cells.reduce(sum) { sum, cell in
        let (width, shape) = (Double(widths[cell]), aspect * Self.shape(shapes[cell]))
        return sum + min(width, shape * Double(row.lines)) * min(Double(row.lines), width / shape)
      }
    }
  }

  // MARK: Fitting

  /// Where so few photos have room, their pictures grow.
  private static let mostFitted = 60
  /// More do not decide the first screen.
  private static let mostTried = 150

  /// The limits whose pictures fill so many lines of the screen best: with all photos if they have room there, else with
  /// whole rows near the usual size.
  static func usual(
    _ shapes: [Float], sections: [Int], hasHeads: Bool, _ limits: Limits, height: Int
  ) -> Limits {
    // About one row comes to twelve lines.
    let rows = max(1, (2 * height + 12) / 24)
    let usual = max(leastLines, min(limits.mostLines, (height - 1) / rows - 2))
    let tried = Array(shapes.prefix(mostTried))
    let isFew = shapes.count <= mostFitted
    var best = (limits: limits, isAll: false, covered: 0.0)
    best.limits.lines = usual
    for lines in max(leastLines, usual * 2 / 3)...max(usual, limits.mostLines) where isFew || lines <= usual * 5 / 4 {
      for fillsLast in isFew ? [false, true] : [false] {
        var limits = limits
        (limits.lines, limits.fillsLast) = (lines, fillsLast)
        let layout = GridLayout(tried, sections: sections, hasHeads: hasHeads, limits)
        let isAll = isFew && layout.height <= height
        let lines = layout.rows.map(\.lines)
        // Rows of unlike heights look worse than some room.
        let likeness = isAll ? (Double(lines.min() ?? 1) / Double(max(1, lines.max() ?? 1))).squareRoot() : 1
        let covered = layout.covered(tried, aspect: limits.aspect, height: height) * likeness
        // Without all photos, pictures stay near the usual size.
        guard isAll || !fillsLast && !best.isAll && limits.lines <= usual * 5 / 4 else { continue }
        if isAll && !best.isAll || covered >= best.covered { best = (limits, isAll, covered) }
      }
    }
    return best.limits
  }
}
