internal import FileStores
internal import TextUI

/// What the list of photos has of its own: thumbnails, and what its keys open.
extension PhotosScreen {
  static func update(_ state: inout PhotosState, _ action: FileListAction) -> Commands {
    switch action {
    case .sought: (state.view, state.facts) = (nil, nil)
    case .changed(let set):
      for case .present(let entry) in set.changes {
        state.thumbnails[entry.path] = nil
        state.kept.remove(entry.path)
      }
    case .renamed(let old, let entry): state.thumbnails[entry.path] = state.thumbnails[old]
    default: break
    }
    return list(state.files.update(action, &state.frame))
  }

  /// Asks for the thumbnails on the screen that are not there; what was asked for before and is out of view is dropped.
  /// Those that failed for a while come after a pause.
  static func visibleThumbnails(_ state: PhotosState) -> Commands {
    guard let table = state.files.table else { return [] }
    let paths = state.files.rows.visible.map { table.path(at: $0) }
    let missing = paths.filter { state.thumbnails[$0] == nil }
    let failed = paths.filter {
      if case .broken(let error) = state.thumbnails[$0] { error.isTemporary } else { false }
    }
    guard !missing.isEmpty || !failed.isEmpty else { return [.cancel(key: "photos.thumbnails")] }
    let box = state.thumbnailBox
    return [
      .run(.thumbnails(missing, failed: failed, columns: box.width, rows: box.height), key: "photos.thumbnails")
    ]
  }

  /// Asks whether the copies of the photos on the screen are there, as far as that is not known.
  static func visibleCopies(_ state: PhotosState) -> Commands {
    guard !state.copies.isEmpty, let table = state.files.table else { return [] }
    let unknown = state.files.rows.visible.compactMap { row -> DiskCopy? in
      guard let copy = state.copies[table.path(at: row)], copy.isThere == nil, copy.isOf(table, row) else { return nil }
      return copy
    }
    return unknown.isEmpty ? [] : [.run(.lookOnDisk(unknown), key: "photos.disk")]
  }

  static func runInList(_ command: CommandID, _ state: inout PhotosState) -> Commands {
    switch command {
    case .listOpen: return state.files.selected.map { view($0, &state) } ?? []
    case .photosInfo: return state.files.selected.map { [.run(.info($0), key: "photos.info")] } ?? []
    case .photosUpload: return prompt(prompt(for: .upload, [], state), &state)
    case .photosDownload:
      guard !state.files.targets.isEmpty else { return [] }
      return prompt(prompt(for: .download, state.files.targets, state), &state)
    case .photosTrash: state.question = state.files.trashQuestion()?.map(PhotosAction.files)
    case .listOpenOutside:
      if let copy = state.files.selected.flatMap(state.copy) { return [.run(.openOnDisk(copy.file))] }
      if let path = state.files.selected, state.kept.contains(path) { return [.run(.openKept(path))] }
      return list(state.files.run(command, &state.frame))
    case .refresh:
      state.thumbnails.removeAll()
      for path in state.copies.keys { state.copies[path]?.isThere = nil }
      return list(state.files.run(.refresh, &state.frame))
    default: return list(state.files.run(command, &state.frame))
    }
    return []
  }

  static func view(_ path: StorePath, ahead: StorePath? = nil, _ state: inout PhotosState) -> Commands {
    state.files.find.before = nil
    let table = state.files.table
    let next = ahead ?? table.flatMap { table in table.row(of: path).flatMap { table.path(after: $0, by: 1) } }
    state.view = .viewer(PhotoViewer(path: path, ahead: next))
    return [show(path, state)]
  }

  /// Reads a photo for the viewer.
  static func show(_ path: StorePath, _ state: PhotosState) -> Commands.Element {
    .run(.view(path, onDisk: state.copy(of: path)?.file), key: "photos.view")
  }

  static func point(_ mouse: InputEvent.Mouse, _ state: inout PhotosState) -> Commands {
    let isUp = mouse.kind == .wheelUp
    switch (mouse.kind, state.view) {
    case (.wheelUp, _) where state.facts != nil, (.wheelDown, _) where state.facts != nil:
      state.facts?.scroll(by: isUp ? -3 : 3)
    case _ where state.facts != nil: break
    case (.wheelUp, .viewer), (.wheelDown, .viewer): return run(isUp ? .viewerIn : .viewerOut, &state)
    case (_, nil): return state.files.point(mouse) ? runInList(.listOpen, &state) : []
    default: break
    }
    return []
  }
}

extension EntryTable {
  /// The file some rows on; nil past either end.
  func path(after row: Int, by step: Int) -> StorePath? {
    (0..<count).contains(row + step) ? path(at: row + step) : nil
  }
}
