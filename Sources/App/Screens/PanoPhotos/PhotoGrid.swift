internal import ClubServices
internal import FileStores
internal import TextUI

/// The way in which the photos' tab shows its photos, as the member chose it.
public enum PhotosLayout: String, Sendable, Hashable {
  /// A grid where it has room.
  case auto
  case grid
  case list

  private static let leastColumns = 60

  func isGrid(_ frame: Frame) -> Bool {
    switch self {
    case .auto: frame.size.width >= Self.leastColumns && frame.isRoomy
    case .grid: true
    case .list: false
    }
  }
}

/// The grid's layout and the part of it in view. Albums come before the photos of the list. It is laid out anew only
/// when something that decides the places has changed.
struct PhotoGrid: Sendable {
  private(set) var layout = GridLayout()
  private(set) var sections = GridSections(nil, albums: 0, hasHeads: false, offset: 0)
  private(set) var albums: [Album] = []
  /// For cells, with the columns for frames and for the mark of the position.
  private(set) var room = Size(1, 1)
  /// The first row in view.
  private(set) var top = 0
  /// The column that moves up and down keep, as long as nothing else moves the selection.
  private var goal: (cell: Int, column: Int)?
  private var shapes: [Float] = []
  private var basis: Basis?

  /// All that decides the places.
  struct Basis: Sendable, Hashable {
    let table: Int
    let room: Size
    let choice: GridChoice
    let albums: [Album]
    /// The height of a terminal's cell divided by its width.
    let aspect: Double
    /// Seconds of local time from UTC.
    let offset: Int
  }

  static let albumShape: Float = 1.5
  /// The frame's lines at both sides, and the mark of the position.
  private static let sideColumns = 3

  func cell(at index: Int) -> GridCell {
    index < albums.count ? .album(albums[index]) : .photo(row: index - albums.count)
  }

  /// Lays out what has changed; `new` are photos whose shapes were not known before. Returns false if nothing changed.
  mutating func arrange(
    _ basis: Basis, _ table: EntryTable?, shapes known: [StorePath: Float], new: [StorePath]
  ) -> Bool {
    guard basis != self.basis || !new.isEmpty else { return false }
    if basis.table != self.basis?.table || basis.albums != self.basis?.albums {
      shapes = basis.albums.map { _ in Self.albumShape }
      let count = table?.count ?? 0
      shapes += (0..<count).map { row in
        known.isEmpty ? GridLayout.usualShape : table.flatMap { known[$0.path(at: row)] } ?? GridLayout.usualShape
      }
    } else if let table {
      for path in new {
        if let row = table.row(of: path), let shape = known[path] { shapes[basis.albums.count + row] = shape }
      }
    }
    let topCell = layout.rows.indices.contains(top) ? layout.rows[top].cells.lowerBound : 0
    (self.basis, albums, room) = (basis, basis.albums, basis.room)
    sections = GridSections(
      table, albums: albums.count, hasHeads: basis.choice.hasHeads, offset: basis.offset)
    layout = made(size: basis.choice.size)
    top = layout.row(of: min(topCell, max(0, layout.count - 1))) ?? 0
    return true
  }

  /// `size` is in steps from the usual one.
  private func made(size: Int) -> GridLayout {
    let (starts, hasHeads) = (sections.sections.map(\.first), sections.hasHeads)
    // Above are a frame and perhaps a head, below are a name and a frame.
    var limits = GridLayout.Limits(
      width: max(1, room.width - Self.sideColumns), lines: 2, mostLines: max(2, room.height - 3 - (hasHeads ? 1 : 0)),
      aspect: basis?.aspect ?? 2)
    limits = GridLayout.usual(shapes, sections: starts, hasHeads: hasHeads, limits, height: room.height)
    guard size != 0 else { return GridLayout(shapes, sections: starts, hasHeads: hasHeads, limits) }
    var factor = 1.0
    for _ in 0..<abs(size) { factor *= size > 0 ? GridChoice.sizeStep : 1 / GridChoice.sizeStep }
    limits.lines = min(limits.mostLines, max(2, Int((Double(limits.lines) * factor).rounded())))
    limits.fillsLast = false
    return GridLayout(shapes, sections: starts, hasHeads: hasHeads, limits)
  }

  /// The next step that makes larger or smaller pictures; nil if there is none.
  func step(from size: Int, larger: Bool) -> Int? {
    var next = size
    while GridChoice.sizes.contains(next + (larger ? 1 : -1)) {
      next += larger ? 1 : -1
      if made(size: next).rows != layout.rows { return next }
    }
    return nil
  }

  // MARK: The part in view

  /// The layout's line at the top of the view. A head or what stands for it has the first line.
  func offset(top: Int) -> Int {
    guard layout.rows.indices.contains(top) else { return 0 }
    return layout.rows[top].top - (layout.hasHeads ? 1 : 0)
  }

  /// The first row to show in so many lines, so that the selected cell is in view.
  func top(showing cell: Int, height: Int) -> Int {
    guard let row = layout.row(of: cell) else { return 0 }
    var top = min(top, lastTop(height), row)
    while top < row, layout.rows[row].end - offset(top: top) >= height { top += 1 }
    return top
  }

  /// The first row that leaves no room below the last one.
  private func lastTop(_ height: Int) -> Int {
    guard var top = layout.row(atLine: max(0, layout.height - height)) else { return 0 }
    while top < layout.rows.count - 1, layout.height - offset(top: top) > height { top += 1 }
    return top
  }

  mutating func show(_ cell: Int) { top = top(showing: cell, height: room.height) }

  /// Negative is up. Returns the cell to select, so that it stays in view.
  mutating func scroll(by rows: Int, from cell: Int) -> Int {
    top = min(max(0, top + rows), lastTop(room.height))
    guard let row = layout.row(of: cell) else { return cell }
    var last = max(top, layout.row(atLine: offset(top: top) + room.height - 1) ?? top)
    if last > top, layout.rows[last].end - offset(top: top) >= room.height { last -= 1 }
    return (top...last).contains(row) ? cell : layout.cell(in: row < top ? top : last, nearest: column(of: cell))
  }

  /// The cells of which at least a line is in view.
  func visible(top: Int, height: Int) -> Range<Int> {
    guard layout.rows.indices.contains(top), let last = layout.row(atLine: offset(top: top) + max(1, height) - 1)
    else { return 0..<0 }
    return layout.rows[top].cells.lowerBound..<layout.rows[max(top, last)].cells.upperBound
  }

  var visible: Range<Int> { visible(top: top, height: room.height) }

  /// The cells of a screen behind the view, then those of a screen before it.
  var near: [Range<Int>] {
    let (seen, line) = (visible, offset(top: top))
    guard let last = layout.row(atLine: line + 2 * room.height), let first = layout.row(atLine: line - room.height)
    else { return [] }
    return [
      seen.upperBound..<max(seen.upperBound, layout.rows[last].cells.upperBound),
      min(seen.lowerBound, layout.rows[first].cells.lowerBound)..<seen.lowerBound,
    ]
  }

  func cell(at point: Point) -> Int? {
    guard point.y >= (layout.hasHeads ? 1 : 0), point.y < room.height else { return nil }
    return layout.cell(at: Point(point.x - 1, point.y + offset(top: top)))
  }

  // MARK: Moving

  private func column(of cell: Int) -> Int {
    let frame = layout.frame(of: cell)
    return frame.x + frame.width / 2
  }

  /// The cell to which a command leads from `cell`; nil for other commands.
  mutating func move(_ command: CommandID, from cell: Int) -> Int? {
    guard let row = layout.row(of: cell) else { return nil }
    let column = goal.flatMap { $0.cell == cell ? $0.column : nil } ?? column(of: cell)
    func down(by rows: Int) -> Int {
      layout.cell(in: min(max(0, row + rows), layout.rows.count - 1), nearest: column)
    }
    func down(lines: Int) -> Int {
      let wanted = layout.row(atLine: layout.rows[row].top + lines) ?? row
      return lines < 0 ? down(by: min(-1, wanted - row)) : down(by: max(1, wanted - row))
    }
    let page = room.height
    let next: Int
    switch command {
    case .gridLeft: next = max(0, cell - 1)
    case .gridRight: next = min(layout.count - 1, cell + 1)
    case .listFirst: next = 0
    case .listLast: next = layout.count - 1
    case .listUp: next = row == 0 ? cell : down(by: -1)
    case .listDown: next = row == layout.rows.count - 1 ? cell : down(by: 1)
    case .listPageUp: next = down(lines: -page)
    case .listPageDown: next = down(lines: page)
    case .listHalfUp: next = down(lines: -page / 2)
    case .listHalfDown: next = down(lines: page / 2)
    default: return nil
    }
    switch command {
    case .gridLeft, .gridRight, .listFirst, .listLast: goal = nil
    default: goal = (next, column)
    }
    return next
  }

  /// A sentence for a move that leads nowhere; nil for one that moves, and for other commands.
  func end(of command: CommandID, from cell: Int) -> String? {
    var moved = self
    guard moved.move(command, from: cell) == cell else { return nil }
    switch command {
    case .gridLeft, .listUp, .listPageUp, .listHalfUp, .listFirst:
      return cell == 0 ? "This is the first photo." : "Nothing is above."
    default: return cell == layout.count - 1 ? "This is the last photo." : "Nothing is below."
    }
  }
}
