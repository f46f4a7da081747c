internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

extension PhotosState {
  private static let leastForPreview = 160

  /// The photos in view, and the covers of albums.
  var visiblePaths: [StorePath] {
    guard let table = files.table else { return [] }
    if let grid { return grid.visible.compactMap { path(of: grid.cell(at: $0), table) } }
    let shown = shown
    return files.rows.visible.compactMap { row in
      switch shown[row] {
      case .album(let album, _)?: path(of: .album(album), table)
      case .photo(let row)?: path(of: .photo(row: row), table)
      case nil: nil
      }
    }
  }

  /// Of the picture that stands for a cell.
  func path(of cell: GridCell, _ table: EntryTable) -> StorePath? {
    switch cell {
    case .photo(let row): row < table.count ? table.path(at: row) : nil
    case .album(let album): table.folder.descending(album.cover[...])
    }
  }

  /// The columns of the grid beside a preview; nil if it has all.
  func gridWidth(_ frame: Frame) -> Int? {
    let usual = frame.preview == .on || frame.preview == .auto && frame.size.width >= Self.leastForPreview
    return frame.size.width >= Frame.leastForTwo && gridChoice.hasPreview ?? usual ? frame.gridWidth : nil
  }

  /// nil if there is no room.
  mutating func togglePreview(_ frame: inout Frame) -> GridChoice? {
    guard frame.size.width >= Frame.leastForTwo else {
      frame.say("The preview needs \(Frame.leastForTwo) columns.")
      return nil
    }
    gridChoice.hasPreview = gridWidth(frame) == nil
    return gridChoice
  }

  mutating func learn(_ shape: Float, of path: StorePath) {
    // A late look at the header may have found less than the thumbnail.
    guard shape.isFinite || shapes[path] == nil, shapes.updateValue(shape, forKey: path) != shape else { return }
    newShapes.append(path)
  }

  /// Lays the grid out if something has changed, and keeps the selected cell in view. Shapes that come with pictures wait
  /// until all in view are there: rows that change again and again would be no sight.
  mutating func arrange(_ frame: Frame) {
    guard var grid else { return }
    let waits = !readsShapes && visiblePaths.contains { thumbnails[$0] == nil }
    let lines = frame.isRoomy ? 2 : files.headLines
    let basis = PhotoGrid.Basis(
      table: files.table?.version ?? -1,
      room: Size(gridWidth(frame) ?? frame.size.width, max(1, frame.bodyHeight - lines)), choice: gridChoice,
      albums: files.albums, aspect: Double(resolution.cell.height) / Double(max(1, resolution.cell.width)),
      offset: utcOffset)
    if grid.arrange(basis, files.table, shapes: shapes, new: waits ? [] : newShapes) { files.hasMoved = true }
    if !waits { newShapes = [] }
    grid.show(files.rows.selection)
    self.grid = grid
  }

  /// Selects a cell.
  mutating func selectInGrid(_ cell: Int) {
    files.select(cell)
    files.find.keepChoice()
    files.hasMoved = true
    grid?.show(cell)
  }

  /// The reason why a command can do nothing: an inner nil if the grid carries it out, an outer nil if it is not the
  /// grid's.
  func gridReason(against command: CommandID) -> String?? {
    guard let grid, files.renaming == nil, !files.find.isTyping, grid.layout.count > 0 else { return nil }
    switch command {
    case .gridLarger, .gridSmaller:
      let word = command == .gridLarger ? "larger" : "smaller"
      let next = grid.step(from: gridChoice.size, larger: command == .gridLarger)
      return .some(next == nil ? "The pictures cannot be \(word)." : nil)
    default:
      var moved = grid
      return moved.move(command, from: files.rows.selection) == nil
        ? nil : .some(grid.end(of: command, from: files.rows.selection))
    }
  }
}

extension PhotosScreen {
  /// nil for the list's commands.
  static func runInGrid(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands? {
    guard state.grid != nil else { return nil }
    let selected = state.files.rows.selection
    if let next = state.grid?.move(command, from: selected) {
      state.selectInGrid(next)
      return []
    }
    switch command {
    case .gridLarger, .gridSmaller:
      guard let size = state.grid?.step(from: state.gridChoice.size, larger: command == .gridLarger) else { return [] }
      state.gridChoice.size = size
    case .gridHeads:
      state.gridChoice.hasHeads.toggle()
      if state.files.table?.isByDate == false {
        let key = frame.keys.name(of: .listSort)
        frame.say("Heads of days are \(state.gridChoice.hasHeads ? "on" : "off"). \(key) sorts by date.")
      }
    default: return nil
    }
    return [.run(.keepGrid(state.gridChoice))]
  }

  /// Keys that move while words are typed into find; false for others.
  static func typeInGrid(_ key: Key, _ state: inout PhotosState) -> Bool {
    guard state.files.find.isTyping, state.files.renaming == nil, state.giver == nil, !state.hasView,
      key.modifiers.isEmpty, !state.files.recalls(key)
    else { return false }
    let command: CommandID
    switch key.code {
    case .up: command = .listUp
    case .down: command = .listDown
    case .pageUp: command = .listPageUp
    case .pageDown: command = .listPageDown
    default: return false
    }
    let selected = state.files.rows.selection
    guard let next = state.grid?.move(command, from: selected) else { return false }
    state.files.find.field.take()
    state.selectInGrid(next)
    return true
  }

  /// True if the selected cell should open.
  static func pointInGrid(_ mouse: InputEvent.Mouse, _ state: inout PhotosState) -> Bool {
    guard state.files.renaming == nil, state.grid != nil else { return false }
    let selected = state.files.rows.selection
    switch mouse.kind {
    case .wheelUp, .wheelDown:
      if let cell = state.grid?.scroll(by: mouse.kind == .wheelUp ? -1 : 1, from: selected) {
        if cell != selected { state.selectInGrid(cell) }
        state.files.hasMoved = true
      }
    case .press:
      let point = Point(mouse.point.x, mouse.point.y - state.files.headLines)
      guard let cell = state.grid?.cell(at: point) else { return false }
      if cell == selected { return true }
      state.selectInGrid(cell)
    default: break
    }
    return false
  }
}

/// Pictures for the cells.
extension PhotosScreen {
  private static let mostThumbnails = 2000
  private static let mostInGrid = 300

  /// The cells in view first. Requests for cells out of view are dropped; so are thumbnails with a temporary error, which
  /// come after a pause.
  static func visibleInGrid(_ state: PhotosState) -> Commands {
    guard let grid = state.grid, let table = state.files.table else { return [] }
    let paths = state.visiblePaths
    if state.readsShapes {
      let unknown = paths.filter { state.shapes[$0] == nil }
      if !unknown.isEmpty { return [.run(.shapes(unknown), key: "photos.thumbnails")] }
    }
    let wanted = wanted(grid.visible, grid, table, state)
    let failed = paths.filter {
      if case .broken(let error) = state.thumbnails[$0] { error.isTemporary } else { false }
    }
    guard wanted.paths.isEmpty, failed.isEmpty else {
      return [run(wanted, failed: failed, state)]
    }
    let ahead = aheadOfView(state)
    return ahead.isEmpty ? [.cancel(key: "photos.thumbnails")] : ahead
  }

  /// Once all in view are there: those of the screens behind and before it.
  static func aheadOfView(_ state: PhotosState) -> Commands {
    guard let grid = state.grid, let table = state.files.table, !state.hasView,
      wanted(grid.visible, grid, table, state).paths.isEmpty
    else { return [] }
    let near = grid.near
    if state.readsShapes {
      let unknown = near.flatMap { cells in cells.compactMap { state.path(of: grid.cell(at: $0), table) } }
        .filter { state.shapes[$0] == nil }
      if !unknown.isEmpty { return [.run(.shapes(unknown), key: "photos.thumbnails")] }
    }
    let parts = near.map { wanted($0, grid, table, state) }
    let all = (
      paths: parts.flatMap(\.paths), boxes: parts.reduce(into: [:]) { $0.merge($1.boxes) { first, _ in first } }
    )
    return all.paths.isEmpty ? [] : [run(all, failed: [], state)]
  }

  private typealias Wanted = (paths: [StorePath], boxes: [StorePath: Size])

  private static func run(_ wanted: Wanted, failed: [StorePath], _ state: PhotosState) -> Commands.Element {
    var boxes = wanted.boxes
    if let grid = state.grid, let table = state.files.table, !failed.isEmpty {
      for cell in grid.visible {
        if let path = state.path(of: grid.cell(at: cell), table) { boxes[path] = box(of: cell, grid) }
      }
    }
    let usual = state.thumbnailBox
    return .run(
      .thumbnails(
        wanted.paths, failed: failed, columns: usual.width, rows: usual.height, boxes: boxes, in: state.resolution),
      key: "photos.thumbnails")
  }

  private static func box(of cell: Int, _ grid: PhotoGrid) -> Size {
    let frame = grid.layout.frame(of: cell)
    return Size(frame.width, frame.height)
  }

  /// For the thumbnail of a photo, which may be an album's cover.
  static func box(of path: StorePath, _ state: PhotosState) -> Size {
    guard let grid = state.grid, let table = state.files.table else { return state.thumbnailBox }
    let album = grid.albums.indices.first { state.path(of: grid.cell(at: $0), table) == path }
    return (album ?? table.row(of: path).map { grid.albums.count + $0 }).map { box(of: $0, grid) } ?? state.thumbnailBox
  }

  /// Pictures that are missing, or do not have the size of their cells.
  private static func wanted(
    _ cells: Range<Int>, _ grid: PhotoGrid, _ table: EntryTable, _ state: PhotosState
  ) -> Wanted {
    var wanted: Wanted = ([], [:])
    for cell in cells {
      guard let path = state.path(of: grid.cell(at: cell), table), wanted.boxes[path] == nil else { continue }
      let box = box(of: cell, grid)
      switch state.thumbnails[path] {
      case .broken: continue
      case .picture(let picture) where picture.isFitted(into: box): continue
      case .picture, nil: break
      }
      wanted.paths.append(path)
      wanted.boxes[path] = box
    }
    return wanted
  }

  /// Keeps the pictures around the view when there are too many.
  static func forgetThumbnails(_ state: inout PhotosState) {
    guard let grid = state.grid, let table = state.files.table else {
      if state.thumbnails.count > mostThumbnails { state.thumbnails.removeAll() }
      return
    }
    guard state.thumbnails.count > mostInGrid else { return }
    let kept = ([grid.visible] + grid.near).flatMap { cells in
      cells.compactMap { state.path(of: grid.cell(at: $0), table) }
    }
    state.thumbnails = Dictionary(
      kept.compactMap { path in state.thumbnails[path].map { (path, $0) } }, uniquingKeysWith: { first, _ in first })
  }
}
