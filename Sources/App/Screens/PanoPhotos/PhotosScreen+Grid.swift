internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// The photos as a grid of pictures.
extension PhotosScreen {
  /// The cost depends on the cells in view alone.
  static func drawGrid(
    _ table: EntryTable, _ grid: PhotoGrid, _ state: PhotosState, _ frame: Frame, on canvas: inout Canvas
  ) {
    let (size, selected) = (canvas.size, state.files.rows.selection)
    // A transfer, a notice or a field may take lines of the room.
    let top = grid.top(showing: selected, height: size.height)
    let offset = grid.offset(top: top)
    let news = state.files.albumNews
    for cell in grid.visible(top: top, height: size.height) {
      let inside = grid.layout.frame(of: cell)
      let place = CellPlace(
        frame: Rect(inside.x + 1, inside.y - offset, inside.width, inside.height),
        isSelected: cell == selected)
      switch grid.cell(at: cell) {
      case .photo(let row) where row < table.count: draw(row, place, table, state, frame, on: &canvas)
      case .photo: continue
      case .album(let album):
        let cover = table.folder.descending(album.cover[...])
        drawPicture(state.thumbnails[cover], cover, place.frame, frame.abilities, on: &canvas)
        draw(album, news: news.indices.contains(cell) ? news[cell] : 0, place, on: &canvas)
      }
    }
    drawHeads(grid, from: top, on: &canvas)
    for y in ListState.scrollMark(top: offset, of: grid.layout.height, height: size.height) {
      canvas.text(canvas.symbol(.scroll), x: size.width - 1, y: y, style: canvas[.border])
    }
  }

  private struct CellPlace {
    /// Of the picture; it may begin above the canvas.
    let frame: Rect
    let isSelected: Bool

    /// The line of the name.
    var below: Int { frame.y + frame.height }
  }

  /// The first line has the head of the first row's section, wherever that begins.
  private static func drawHeads(_ grid: PhotoGrid, from top: Int, on canvas: inout Canvas) {
    guard grid.layout.hasHeads, grid.layout.rows.indices.contains(top) else { return }
    let offset = grid.offset(top: top)
    for row in top..<grid.layout.rows.count {
      let (this, y) = (grid.layout.rows[row], grid.layout.rows[row].top - 1 - offset)
      guard y < canvas.size.height else { return }
      guard row == top || grid.layout.rows[row - 1].section != this.section else { continue }
      canvas.fill(Rect(0, y, canvas.size.width, 1), style: canvas[.text])
      let title = grid.sections.title(of: this.section, count: grid.layout.count, isASCII: canvas.isASCII)
      canvas.text(title, x: 1, y: y, style: canvas[.heading2], width: max(0, canvas.size.width - 2))
    }
  }

  private static func draw(
    _ row: Int, _ place: CellPlace, _ table: EntryTable, _ state: PhotosState, _ frame: Frame,
    on canvas: inout Canvas
  ) {
    let path = table.path(at: row)
    drawPicture(state.thumbnails[path], path, place.frame, frame.abilities, on: &canvas)
    begin(place, on: &canvas)
    func style(_ role: Role) -> Style { place.isSelected ? canvas.bar(role) : canvas[role] }
    let isMarked = state.files.marks.contains(path)
    let remarks = state.files.remarks[path]
    var (x, end) = (place.frame.x, place.frame.x + place.frame.width)
    if isMarked { x += canvas.text("+ ", x: x, y: place.below, style: style(.marked)) }
    let news = state.files.news[path] == nil ? nil : canvas.symbol(.new)
    for mark in [remarks?.newMark(isASCII: canvas.isASCII), news].compactMap({ $0 }) where x + 2 < end {
      x += canvas.text(mark + " ", x: x, y: place.below, style: style(.new))
    }
    let kind = [
      state.files.here[path] ?? "", remarks?.label(isASCII: canvas.isASCII) ?? "",
      state.kind(of: path).map(\.word) ?? "",
    ]
    .filter { !$0.isEmpty }.joined(separator: " ")
    let name = table.shownName(at: row)
    // The name of the photo matters more than its kind.
    let columns = GlyphReader.columns(of: kind)
    if !kind.isEmpty, end - x - columns - 1 >= min(leastNameColumns, GlyphReader.columns(of: name)) {
      canvas.text(kind, x: end - columns, y: place.below, style: style(.accent))
      end -= columns + 1
    }
    let places = table.places(at: row)
    let role = isMarked ? Role.marked : .text
    if places.isEmpty {
      canvas.text(
        ShortName.of(name, columns: max(0, end - x)), x: x, y: place.below, style: style(role), width: end - x)
    } else {
      canvas.text(
        name, x: x, y: place.below, style: style(role), width: max(0, end - x), places: places,
        lead: state.files.albumBytes(of: name).map { ($0, style(.dim)) })
    }
  }

  private static let leastNameColumns = 10

  /// Below the cover: the name with a slash, and the number of photos.
  private static func draw(_ album: Album, news: Int, _ place: CellPlace, on canvas: inout Canvas) {
    begin(place, on: &canvas)
    func style(_ role: Role) -> Style { place.isSelected ? canvas.bar(role) : canvas[role] }
    let count = album.count.grouped
    let end = place.frame.x + place.frame.width - count.utf8.count
    canvas.text(count, x: max(place.frame.x, end), y: place.below, style: style(.dim), width: place.frame.width)
    let new = news == 0 ? "" : canvas.symbol(.new) + " "
    let x = place.frame.x + canvas.text(new, x: place.frame.x, y: place.below, style: style(.new))
    let columns = max(0, end - 1 - x)
    canvas.text(
      ShortName.of((Array(album.name) + [UInt8(ascii: "/")])[...], columns: columns), x: x, y: place.below,
      style: style(.directory), width: columns)
  }

  /// Draws the frame of the selected cell, and the bar under its name.
  private static func begin(_ place: CellPlace, on canvas: inout Canvas) {
    guard place.isSelected else { return }
    let frame = place.frame
    canvas.corners(
      Rect(frame.x - 1, frame.y - 1, frame.width + 2, frame.height + 3), style: canvas[.accent])
    canvas.fill(Rect(frame.x, place.below, frame.width, 1), style: canvas.bar(.text))
  }

  /// In the middle of a cell, whose columns the canvas has.
  private static func middle(_ text: String, _ y: Int, _ role: Role, on canvas: inout Canvas) {
    canvas.text(
      text, x: max(0, (canvas.size.width - GlyphReader.columns(of: text)) / 2), y: y, style: canvas[role])
  }

  private static func drawPicture(
    _ thumbnail: PhotosState.Thumbnail?, _ path: StorePath, _ frame: Rect, _ abilities: TerminalAbilities,
    on canvas: inout Canvas
  ) {
    canvas.inside(Rect(frame.x, 0, frame.width, canvas.size.height)) { canvas in
      let centre = frame.y + frame.height / 2
      switch thumbnail {
      case .picture(let picture):
        // A picture may have the size of an earlier layout.
        let rows = min(picture.rows, frame.height)
        let y = frame.y + (frame.height - rows) / 2
        let x = max(0, (frame.width - picture.columns) / 2)
        for row in 0..<rows where (0..<canvas.size.height).contains(y + row) {
          PictureCells.draw(picture, row: row, x: x, y: y + row, abilities, on: &canvas)
        }
      // The top line and the selected photo's facts say the reason, once.
      case .broken(let error) where error.kind == .offline: middle("offline", centre, .dim, on: &canvas)
      case .broken(let error):
        middle("no picture", frame.y, .warning, on: &canvas)
        guard frame.y >= -1, frame.height > 1 else { return }
        canvas.inside(Rect(0, frame.y + 1, frame.width, frame.height - 1)) {
          $0.paragraph(error.message, x: 0, y: 0, style: $0[.dim])
        }
      case nil:
        // The format is known before the picture has come.
        let format = path.name.lastIndex(of: UInt8(ascii: ".")).map { path.name[($0 + 1)...] } ?? []
        middle(String(decoding: format, as: UTF8.self).uppercased(), max(frame.y, centre - 1), .dim, on: &canvas)
        if frame.height > 1 { middle("loading", centre, .dim, on: &canvas) }
      }
    }
  }

  /// About the selected photo, the most important first.
  static func gridFacts(_ state: PhotosState, _ frame: Frame) -> [String] {
    guard let table = state.files.table else { return [] }
    if let album = state.files.selectedAlbum {
      let news = state.files.albumNews
      return [String(decoding: album.name, as: UTF8.self) + "/"]
        + albumFacts(album, news.isEmpty ? 0 : news[state.files.rows.selection], frame)
    }
    guard let row = state.files.selectedRow else { return [] }
    let path = table.path(at: row)
    var facts = [String(decoding: table.name(at: row), as: UTF8.self)]
    if case .broken(let error) = state.thumbnails[path] { return facts + [error.message] }
    if let found = (state.files.find.texts ?? state.files.find.found)?.files[path], !found.text.isEmpty {
      facts.append(found.text)
    }
    if let size = table.size(at: row) { facts.append(ByteCount.text(size)) }
    if let modified = table.modified(at: row) {
      facts.append(Age.text(of: Int(modified.seconds), now: Int(frame.now)))
    }
    if state.copy(of: path) != nil {
      facts.append("on disk")
    } else if state.kept.contains(path) {
      facts.append("cached")
    }
    if table.hasAuthors, let author = table.author(at: row) { facts.append(author) }
    return facts
  }
}

extension Canvas {
  /// A frame whose long sides have only their ends: a step from picture to picture then sends few bytes.
  fileprivate mutating func corners(_ part: Rect, style: Style) {
    let (right, bottom) = (part.x + part.width - 1, part.y + part.height - 1)
    let line = Symbol.line.scalar(isASCII: isASCII)
    let across = part.width <= 32 ? part.width : 10
    let down = part.height <= 6 ? part.height : 3
    for y in [part.y, bottom] {
      fill(Rect(part.x, y, across, 1), with: line, style: style)
      fill(Rect(right - across + 1, y, across, 1), with: line, style: style)
    }
    for x in [part.x, right] {
      for y in [part.y..<(part.y + down), (bottom - down + 1)..<(bottom + 1)].joined() {
        text(symbol(.rule), x: x, y: y, style: style)
      }
    }
    let corners: [(Symbol, Int, Int)] = [
      (.topLeft, part.x, part.y), (.topRight, right, part.y), (.bottomLeft, part.x, bottom),
      (.bottomRight, right, bottom),
    ]
    for (corner, x, y) in corners { text(symbol(corner), x: x, y: y, style: style) }
  }
}
