internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

extension PhotosScreen {
  static func update(_ state: inout PhotosState, _ action: FileListAction, _ frame: inout Frame) -> Commands {
    switch action {
    case .sought: state.views.removeAll { $0.closesForSearch }
    case .listed:
      let commands = list(state.files.update(action, &frame))
      return commands + captures(state)
    case .changed(let set):
      for case .present(let entry) in set.changes {
        (state.thumbnails[entry.path], state.shapes[entry.path]) = (nil, nil)
        state.kept.remove(entry.path)
        // The kind of a photo that was replaced is guessed anew.
        (state.kinds[entry.path], state.guesses[entry.path]) = (nil, nil)
      }
      // Photos that came since have their place by their captures, too.
      let commands = list(state.files.update(action, &frame)) + (set.changes.isEmpty ? [] : captures(state))
      // A tour may have come after its photo.
      guard let viewer = state.viewer, viewer.marks.isEmpty else { return commands }
      return commands + [.run(.tour(viewer.path), key: "photos.tour")]
    case .remarks(let remarks, _):
      // Others have said something in the panorama that is open, or made a door in it.
      guard let viewer = state.viewer, remarks[viewer.path] != state.files.remarks[viewer.path] else { break }
      return list(state.files.update(action, &frame)) + [.run(.tour(viewer.path), key: "photos.tour")]
    case .linksFound(let plan):
      FileList.question(plan).map(PhotosAction.files)
        .queue(behind: &state.questions, now: &state.question, isAsked: plan.linkCount > 0)
    case .renamed(let old, let entry): follow(old, to: entry, &state)
    case .moved(let files, _): for file in files { follow(file.origin, to: file.entry, &state) }
    case .undone(let outcome):
      guard case .move(let files) = outcome.step else { break }
      let back = Dictionary(outcome.back.map { ($0.path, $0) }) { first, _ in first }
      for file in files {
        if let entry = back[file.origin] { follow(file.entry.path, to: entry, &state) }
      }
    case .trashed(let files, _):
      let gone = Set(files.map(\.origin))
      guard let viewer = state.viewer, gone.contains(viewer.path) else { break }
      let next = neighbours(of: viewer.path, state).first { !gone.contains($0) }
      let commands = list(state.files.update(action, &frame))
      return commands + (next.map { show($0, from: viewer.path, &state) } ?? closeViewer(&state))
    default: break
    }
    return list(state.files.update(action, &frame))
  }

  /// The times of captures cost a question only where the order needs them.
  private static func captures(_ state: PhotosState) -> Commands {
    state.files.order.by == .taken && state.files.table?.total ?? 0 > 0 ? [.run(.captures, key: "photos.captures")] : []
  }

  /// Moves the thumbnail, the shape, the kind and the copy of a photo to its new path.
  private static func follow(_ old: StorePath, to entry: FileEntry, _ state: inout PhotosState) {
    (state.thumbnails[entry.path], state.shapes[entry.path]) = (state.thumbnails[old], state.shapes[old])
    (state.kinds[entry.path], state.guesses[entry.path]) = (state.kinds[old], state.guesses[old])
    state.copies[entry.path] = state.copies.removeValue(forKey: old).map { $0.of(entry) }
    if state.viewer?.path == old { state.viewer?.path = entry.path }
  }

  /// Selects a photo, in its album.
  static func choose(_ path: StorePath, _ state: inout PhotosState, _ frame: Frame) -> Commands {
    state.files.openAlbum(of: path)
    state.files.choose(path)
    state.arrange(frame)
    guard state.wasShown, state.files.takeMoved() else { return [] }
    return visibleThumbnails(state) + visibleCopies(state) + visibleKinds(state)
  }

  /// Drops earlier requests out of view. Thumbnails with a temporary error come after a pause.
  static func visibleThumbnails(_ state: PhotosState) -> Commands {
    guard state.files.table != nil else { return [] }
    if state.grid != nil { return visibleInGrid(state) }
    let paths = state.visiblePaths
    let missing = paths.filter { state.thumbnails[$0] == nil }
    let failed = paths.filter {
      if case .broken(let error) = state.thumbnails[$0] { error.isTemporary } else { false }
    }
    guard !missing.isEmpty || !failed.isEmpty else { return [.cancel(key: "photos.thumbnails")] }
    let box = state.thumbnailBox
    return [
      .run(
        .thumbnails(
          missing, failed: failed, columns: box.width, rows: box.height, in: state.resolution),
        key: "photos.thumbnails")
    ]
  }

  /// In a grid, once its pictures are there: asks for the unknown kinds of wide photos, which may be panoramas.
  static func visibleKinds(_ state: PhotosState) -> Commands {
    guard state.grid != nil else { return [] }
    let paths = state.visiblePaths
    guard paths.allSatisfy({ state.thumbnails[$0] != nil }) else { return [] }
    let unknown = paths.filter { path in
      guard state.guesses[path] == nil, case .picture(let picture) = state.thumbnails[path] else { return false }
      // A cell is two pixels high; a sphere is twice as wide as high, and small pictures are rounded.
      return Double(picture.columns) >= 1.6 * Double(2 * picture.rows)
    }
    return unknown.isEmpty ? [] : [.run(.kinds(unknown), key: "photos.kinds")]
  }

  static func visibleCopies(_ state: PhotosState) -> Commands {
    guard !state.copies.isEmpty, let table = state.files.table else { return [] }
    let unknown = state.visiblePaths.compactMap { path -> DiskCopy? in
      guard let copy = state.copies[path], copy.isThere == nil, let row = table.row(of: path), copy.isOf(table, row)
      else { return nil }
      return copy
    }
    return unknown.isEmpty ? [] : [.run(.lookOnDisk(unknown), key: "photos.disk")]
  }

  static func runInList(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    if let commands = runInGrid(command, &state, &frame) { return commands }
    switch command {
    case .listOpen where state.files.selectedAlbum != nil: state.files.open(state.files.selectedAlbum?.path)
    case .photosFlat: return list(state.files.switchFlat(&frame))
    case .photosMove: state.views.append(MovePrompt<PhotosState>(state.files, frame))
    case .listOpen where state.door != nil: return makeDoor(&state, &frame)
    case .close where state.door != nil && !state.isFiltered, .quit where state.door != nil:
      return leaveDoor(&state)
    case .listOpen: return state.files.selected.map { view($0, &state) } ?? []
    case .photosInfo: return state.files.selected.map { [.run(.info($0), key: "photos.info")] } ?? []
    case .photosCaption: state.wantedCaption = state.files.selected
    case .photosLayout:
      state.layout = state.grid == nil ? .grid : .list
      fit(&state, frame)
      return [.run(.keepLayout(state.layout))]
    case .photosUpload: return prompt(prompt(for: .upload, [], state), &state, frame)
    case .photosAsk: state.giver = TextField(placeholder: "a name; empty for anyone")
    case .photosDownload:
      guard !state.files.targets.isEmpty else { return [] }
      return prompt(prompt(for: .download, state.files.targets, state), &state, frame)
    case .photosTrash: state.question = state.files.trashQuestion()?.map(PhotosAction.files)
    case .listLink: state.question = state.files.linkQuestion()?.map(PhotosAction.files)
    case .listOpenOutside:
      if let copy = state.files.selected.flatMap(state.copy) { return [.run(.openOnDisk(copy.file))] }
      if let path = state.files.selected, state.kept.contains(path) { return [.run(.openKept(path))] }
      return list(state.files.run(command, &frame))
    case .listSort:
      let commands = list(state.files.run(command, &frame))
      return commands + captures(state)
    case .refresh:
      state.thumbnails.removeAll()
      for path in state.copies.keys { state.copies[path]?.isThere = nil }
      return list(state.files.run(.refresh, &frame))
    default: return list(state.files.run(command, &frame))
    }
    return []
  }

  /// `isBackwards` is for a member who goes towards the beginning of the list.
  static func view(
    _ path: StorePath, isBackwards: Bool = false, arrival: Tour.View? = nil, trail: [TrailStep] = [],
    _ state: inout PhotosState
  ) -> Commands {
    state.files.find.keepChoice()
    state.files.openAlbum(of: path)
    let neighbours = neighbours(of: path, state)
    var viewer = PhotoViewer(path: path, neighbours: isBackwards ? neighbours.reversed() : neighbours, arrival: arrival)
    viewer.trail = trail
    viewer.motion.isReduced = state.motionIsReduced
    if let ready = state.ready[path] { viewer.take(ready, kind: state.kinds[path], window: state.window) }
    let keeps = neighbours + [path]
    state.ready = state.ready.filter { keeps.contains($0.key) }
    state.viewer = viewer
    return [show(path, state)] + list(state.files.look(at: path))
  }

  /// The next photo of the list, then the previous one.
  private static func neighbours(of path: StorePath, _ state: PhotosState) -> [StorePath] {
    guard let table = state.files.table, let row = table.row(of: path) else { return [] }
    return [1, -1].compactMap { table.path(after: row, by: $0) }
  }

  /// Shows another photo of the list instead of `old`.
  static func show(_ path: StorePath, from old: StorePath, isBackwards: Bool = false, _ state: inout PhotosState)
    -> Commands
  {
    // A prefetch of the wanted photo continues.
    let isAhead = state.ready[path] == nil && state.viewer?.neighbours.contains(path) == true
    if let row = state.files.table?.row(of: path) { state.files.select(file: row) }
    return (isAhead ? [] : [.cancel(key: "photos.ahead")]) + view(path, isBackwards: isBackwards, &state)
  }

  static func closeViewer(_ state: inout PhotosState) -> Commands {
    let hasAsked = state.viewer?.askedDetail != nil
    (state.viewer, state.ready, state.film) = (nil, [:], nil)
    return [.cancel(key: "photos.turn"), .cancel(key: "photos.ahead"), .cancel(key: "photos.view")]
      + (hasAsked ? [.cancel(key: "photos.detail")] : [])
  }

  static func show(_ path: StorePath, _ state: PhotosState) -> Commands.Element {
    .run(.view(path, onDisk: state.copy(of: path)?.file), key: "photos.view")
  }

  static func point(_ mouse: InputEvent.Mouse, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    if mouse.kind == .wheelUp || mouse.kind == .wheelDown { state.film?.isRunning = false }
    if let commands = state.pointInView(mouse, &frame) { return commands }
    guard state.giver == nil else { return [] }
    let opens = state.grid == nil ? state.files.point(mouse) : pointInGrid(mouse, &state)
    return opens ? runInList(.listOpen, &state, &frame) : []
  }
}

extension EntryTable {
  /// nil past either end.
  func path(after row: Int, by step: Int) -> StorePath? {
    (0..<count).contains(row + step) ? path(at: row + step) : nil
  }
}
