internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// The photos as a grid of pictures.
extension PhotosScreen {
  static func drawGrid(
    _ table: EntryTable, _ grid: PhotoGrid, _ state: PhotosState, _ frame: Frame, on canvas: inout Canvas
  ) {
    let rows = state.files.rowsInView(of: canvas.size.height)
    for (index, row) in rows.enumerated() where row < table.count {
      let place = grid.place(index)
      canvas.inside(Rect(place.x, place.y, grid.cell.width + 1, grid.cell.height + 1)) {
        drawCell(row, table, grid, state, frame, on: &$0)
      }
    }
    let x = canvas.size.width - 1
    let lines = max(1, canvas.size.height / grid.cell.height)
    for y in state.files.rows.scrollMark(lines: lines, height: canvas.size.height) {
      canvas.text(canvas.symbol(.scroll), x: x, y: y, style: canvas[.border])
    }
  }

  private static func drawCell(
    _ row: Int, _ table: EntryTable, _ grid: PhotoGrid, _ state: PhotosState, _ frame: Frame, on canvas: inout Canvas
  ) {
    let (path, box) = (table.path(at: row), grid.picture)
    let isChosen = row == state.files.rows.selected
    let below = box.height + 1
    canvas.inside(Rect(2, 1, box.width, box.height)) {
      drawPicture(state.thumbnails[path], path, frame.abilities, on: &$0)
    }
    func style(_ role: Role) -> Style { isChosen ? canvas.bar(role) : canvas[role] }
    if isChosen {
      canvas.border(Rect(0, 0, grid.cell.width + 1, grid.cell.height + 1), style: canvas[.accent])
      canvas.fill(Rect(1, below, grid.cell.width - 1, 1), style: style(.text))
    }
    let isMarked = state.files.marks.contains(path)
    var x = 2
    if isMarked { x += canvas.text("+ ", x: x, y: below, style: style(.marked)) }
    let remarks = state.files.remarks[path]
    if let mark = remarks?.newMark(isASCII: canvas.isASCII) {
      x += canvas.text(mark + " ", x: x, y: below, style: style(.new))
    }
    if state.files.news[path] != nil { x += canvas.text(canvas.symbol(.new) + " ", x: x, y: below, style: style(.new)) }
    canvas.text(
      table.name(at: row), x: x, y: below, style: style(isMarked ? .marked : .text), width: box.width + 2 - x,
      places: table.places(at: row))
    let kind = [remarks?.label(isASCII: canvas.isASCII) ?? "", state.kind(of: path).map(\.word) ?? ""]
      .filter { !$0.isEmpty }.joined(separator: " ")
    let kindColumns = GlyphReader.columns(of: kind)
    canvas.text(kind, x: 2 + box.width - kindColumns, y: below + 1, style: canvas[.accent])
    guard let modified = table.modified(at: row) else { return }
    canvas.text(
      Age.text(of: Int(modified.seconds), now: Int(frame.now)), x: 2, y: below + 1, style: canvas[.dim],
      width: max(0, box.width - (kind.isEmpty ? 0 : kindColumns + 1)))
  }

  private static func drawPicture(
    _ thumbnail: PhotosState.Thumbnail?, _ path: StorePath, _ abilities: TerminalAbilities, on canvas: inout Canvas
  ) {
    let size = canvas.size
    func middle(_ text: String, _ y: Int, _ role: Role) {
      let style = role == .dim ? canvas[.dim] : canvas[role]
      canvas.text(text, x: max(0, (size.width - GlyphReader.columns(of: text)) / 2), y: y, style: style)
    }
    switch thumbnail {
    case .picture(let picture):
      PictureCells.draw(
        picture, x: max(0, (size.width - picture.columns) / 2), y: max(0, (size.height - picture.rows) / 2), abilities,
        on: &canvas)
    // The top line and the selected photo's facts say the reason, once.
    case .broken(let error) where error.kind == .offline: middle("offline", size.height / 2, .dim)
    case .broken(let error):
      middle("no picture", 0, .warning)
      canvas.paragraph(error.message, x: 0, y: 1, style: canvas[.dim])
    case nil:
      // The format is known before the picture has come.
      let format = path.name.lastIndex(of: UInt8(ascii: ".")).map { path.name[($0 + 1)...] } ?? []
      middle(String(decoding: format, as: UTF8.self).uppercased(), max(0, size.height / 2 - 1), .dim)
      middle("loading", size.height / 2, .dim)
    }
  }

  /// About the selected photo, the most important first.
  static func gridFacts(_ state: PhotosState, _ frame: Frame) -> [String] {
    guard let table = state.files.table, let row = state.files.rows.selected, row < table.count else { return [] }
    let path = table.path(at: row)
    var facts = [String(decoding: table.name(at: row), as: UTF8.self)]
    if case .broken(let error) = state.thumbnails[path] { return facts + [error.message] }
    if let found = (state.files.find.texts ?? state.files.find.found)?.files[path], !found.text.isEmpty {
      facts.append(found.text)
    }
    if let size = table.size(at: row) { facts.append(ByteCount.text(size)) }
    if state.copy(of: path) != nil {
      facts.append("on disk")
    } else if state.kept.contains(path) {
      facts.append("cached")
    }
    if table.hasAuthors, let author = table.author(at: row) { facts.append(author) }
    return facts
  }
}
