internal import TextUI

/// A list that a view shows: a title, heads of columns, and a row for each item. On a wide screen a preview of the
/// selected item is beside it.
struct SideList<Item: Sendable>: Sendable {
  /// Nil until they are there.
  private(set) var items: [Item]?
  var rows = ListState()

  init(_ items: [Item]? = nil, height: Int) {
    self.items = items
    rows.setCount(items?.count ?? 0)
    resize(height: height)
  }

  var chosen: Item? { rows.selected.flatMap { row in items.flatMap { row < $0.count ? $0[row] : nil } } }

  /// The selection stays on its item.
  mutating func take(_ items: [Item], isSame: (Item, Item) -> Bool) {
    let before = chosen
    self.items = items
    rows.setCount(items.count)
    if let before, let row = items.firstIndex(where: { isSame($0, before) }) { rows.select(row) }
  }

  mutating func resize(height: Int) { rows.resize(height: max(1, height - SideFace.headLines)) }

  /// `row` returns the texts of the columns. `preview` gets the part of the screen beside the list.
  func draw(
    _ face: SideFace, _ frame: Frame, on canvas: inout Canvas,
    preview: ((_ item: Item, _ canvas: inout Canvas) -> Void)? = nil, row: (_ row: Int, _ item: Item) -> SideRow
  ) {
    let size = canvas.size
    guard let chosen, let preview, let width = SideFace.listWidth(size.width) else {
      return drawList(face, frame, on: &canvas, row)
    }
    canvas.inside(Rect(0, 0, width, size.height)) { drawList(face, frame, on: &$0, row) }
    for y in 0..<size.height { canvas.text(canvas.symbol(.rule), x: width, y: y, style: canvas[.border]) }
    canvas.inside(Rect(width + 2, 0, size.width - width - 3, size.height)) { preview(chosen, &$0) }
  }

  private func drawList(
    _ face: SideFace, _ frame: Frame, on canvas: inout Canvas, _ row: (_ row: Int, _ item: Item) -> SideRow
  ) {
    let size = canvas.size
    let facts = GlyphReader.columns(of: face.facts)
    canvas.text(
      face.title, x: 1, y: 0, style: canvas[.title], width: max(0, size.width - 2 - (facts == 0 ? 0 : facts + 2)))
    canvas.text(face.facts, x: max(1, size.width - 1 - facts), y: 0, style: canvas[face.role])
    if let remark = face.remark {
      canvas.text(remark, x: 1, y: 1, style: canvas[.warning], width: max(0, size.width - 2))
    }
    guard let items, !items.isEmpty else { return face.drawNothing(isRead: items != nil, frame, on: &canvas) }
    let places = face.places(size.width - (items.count > size.height - SideFace.headLines ? 1 : 0))
    if face.remark == nil {
      for place in places { place.draw(SideCell(place.column.head, .columnHead), on: &canvas, y: 1) }
    }
    canvas.inside(Rect(0, SideFace.headLines, size.width, size.height - SideFace.headLines)) { part in
      rows.draw(
        on: &part, content: { $0 < items.count ? row($0, items[$0]).hashValue : nil },
        row: { line, number, _ in
          guard number < items.count else { return }
          let row = row(number, items[number])
          if row.isMarked { line.text("+", x: 2, y: 0, style: line[.marked]) }
          for place in places where place.index < row.cells.count {
            var cell = row.cells[place.index]
            if row.isMarked, place.index == 0 { cell.role = .marked }
            place.draw(cell, on: &line, y: 0)
          }
        })
    }
  }
}

/// The words around the rows of a list, and its columns.
struct SideFace {
  /// The title and the heads of the columns.
  static let headLines = 2
  /// A preview is beside the list from these columns on.
  static let leastForPreview = 100

  let title: String
  /// At the right of the title.
  var facts = ""
  var role = Role.dim
  /// A warning in place of the heads.
  var remark: String?
  let columns: [SideColumn]
  /// A sentence for a list without rows.
  let empty: String
  /// The reason why nothing was read, and a sentence about the failed action.
  var problem: (Problem, String)?

  /// Of the list beside a preview; nil on a narrower screen.
  static func listWidth(_ width: Int) -> Int? { width < leastForPreview ? nil : max(50, min(76, width / 2)) }

  /// A title and the beginning of a text.
  static func drawPreview(_ title: String, _ text: [UInt8], on canvas: inout Canvas) {
    canvas.text(title, x: 0, y: 0, style: canvas[.title])
    let size = Size(canvas.size.width, max(0, canvas.size.height - 2))
    var reader = TextReader(text)
    reader.resize(Size(size.width, max(1, size.height)))
    canvas.inside(Rect(0, 2, size.width, size.height)) { reader.draw(on: &$0) }
  }

  /// The columns that a list of this width has, each with its first cell.
  fileprivate func places(_ width: Int) -> [Place] {
    let shown = columns.indices.filter { columns[$0].least <= width }
    let fixed = shown.reduce(0) { $0 + (columns[$1].width ?? 0) }
    let rest = max(0, width - 1 - Place.indent - fixed - Place.gap * max(0, shown.count - 1))
    var x = Place.indent
    return shown.map { index in
      let place = Place(index: index, column: columns[index], x: x, width: columns[index].width ?? rest)
      x += place.width + Place.gap
      return place
    }
  }

  fileprivate func drawNothing(isRead: Bool, _ frame: Frame, on canvas: inout Canvas) {
    if isRead {
      canvas.paragraph(empty, x: 1, y: 2, style: canvas[.dim])
    } else if let problem {
      problem.0.draw(problem.1, frame, on: &canvas, y: 2)
    } else {
      LoadingSteps.draw(frame, on: &canvas)
    }
  }

  fileprivate struct Place {
    static let indent = 3
    static let gap = 2

    let index: Int
    let column: SideColumn
    let x: Int
    let width: Int

    func draw(_ cell: SideCell, on canvas: inout Canvas, y: Int) {
      let left = column.isRight ? max(0, width - GlyphReader.columns(of: cell.text[...])) : 0
      let text = cell.isName ? ShortName.of(cell.text[...], columns: width) : cell.text[...]
      canvas.text(text, x: x + left, y: y, style: canvas[cell.role], width: width - left)
    }
  }
}

struct SideColumn {
  let head: String
  /// Nil for the column that takes the room that is left.
  let width: Int?
  /// Texts and head end at the right.
  var isRight = false
  /// A narrower list leaves the column out.
  var least = 0

  init(_ head: String, _ width: Int? = nil, isRight: Bool = false, least: Int = 0) {
    (self.head, self.width, self.isRight, self.least) = (head, width, isRight, least)
  }
}

struct SideRow: Hashable {
  let cells: [SideCell]
  var isMarked = false
}

struct SideCell: Hashable {
  /// Filtered when it is drawn.
  let text: [UInt8]
  var role: Role
  /// A long name loses its middle, other texts their end.
  var isName = false

  init(_ text: some Sequence<UInt8>, _ role: Role = .text) { (self.text, self.role) = (Array(text), role) }

  init(name: some Sequence<UInt8>, _ role: Role = .text) { (text, self.role, isName) = (Array(name), role, true) }

  init(_ text: String, _ role: Role = .text) { self.init(text.utf8, role) }
}
