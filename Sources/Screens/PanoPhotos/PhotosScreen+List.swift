internal import FileStores
internal import TextUI

/// The list of photos: filling it, moving in it, and what its keys do.
extension PhotosScreen {
  static func fill(_ state: inout PhotosState, _ action: PhotosAction) -> Commands {
    switch action {
    case .listed(var table):
      let chosen = state.wanted ?? state.selected
      table.sort(state.table?.order ?? .name)
      table.find(state.find.field.string)
      state.table = table
      state.listError = nil
      choose(chosen, &state)
      if !state.isWatching {
        state.isWatching = true
        return visibleThumbnails(state) + [.run(.watch, key: "photos.watch")]
      }
    case .listFailed(let error):
      if state.table == nil { state.listError = error }
      state.frame.complain("The photos could not be listed. \(error)")
    case .changed(let set):
      guard !set.mustRelist else { return [.run(.list, key: "photos.list")] }
      let chosen = state.wanted ?? state.selected
      for case .present(let entry) in set.changes { state.thumbnails[entry.path] = nil }
      for case .absent(let path) in set.changes { state.marks.remove(path) }
      state.table?.apply(set.changes)
      choose(chosen, &state)
    case .watchEnded(let error):
      if error.kind != .unsupported, error.kind != .cancelled {
        state.frame.complain(
          "Changes by others are not seen any more: \(error) Press \(state.frame.keys.name(of: .refresh)) to refresh.")
      }
      return []
    case .thumbnail(let path, let picture):
      if state.thumbnails.count > 2000 { state.thumbnails.removeAll() }
      state.thumbnails[path] = .picture(picture)
      return []
    case .thumbnailFailed(let path, let error):
      state.thumbnails[path] = .broken(error.message)
      return []
    default: return []
    }
    return visibleThumbnails(state)
  }

  /// Keeps the choice on a photo when rows move.
  static func choose(_ path: StorePath?, _ state: inout PhotosState) {
    guard let table = state.table else { return }
    state.list.setCount(table.count)
    guard let path, let row = table.row(of: path) else { return }
    state.list.select(row)
    if path == state.wanted { state.wanted = nil }
  }

  /// Asks for the thumbnails on the screen that are not there; what was asked for before and is out of view is dropped.
  static func visibleThumbnails(_ state: PhotosState) -> Commands {
    guard let table = state.table else { return [] }
    let missing = state.list.visible.map { table.path(at: $0) }.filter { state.thumbnails[$0] == nil }
    guard !missing.isEmpty else { return [.cancel(key: "photos.thumbnails")] }
    let box = state.thumbnailBox
    return [.run(.thumbnails(missing, columns: box.width, rows: box.height), key: "photos.thumbnails")]
  }

  static func runInList(_ command: CommandID, _ state: inout PhotosState) -> Commands {
    if state.list.move(command) { return visibleThumbnails(state) }
    switch command {
    case .listOpen: return state.selected.map { view($0, &state) } ?? []
    case .photosInfo: return state.selected.map { [.run(.info($0), key: "photos.info")] } ?? []
    case .photosUpload: return prompt(PathPrompt(purpose: .upload, field: TextField()), &state)
    case .photosDownload:
      guard !state.targets.isEmpty else { return [] }
      var prompt = PathPrompt(purpose: .download, field: TextField(state.downloadDirectory))
      prompt.photos = state.targets
      return self.prompt(prompt, &state)
    case .photosRename:
      guard let path = state.selected else { return [] }
      state.view = .rename(path, TextField(bytes: Array(path.name)))
    case .photosTrash:
      let targets = state.targets
      guard let first = targets.first else { return [] }
      let what = targets.count == 1 ? "\"\(first)\"" : "\(targets.count) photos"
      state.question = Question(
        text: "Move \(what) to the trash?",
        answers: [.init("y", "yes", .confirmedTrash(targets)), .init("n", "no", nil)])
    case .listMark:
      guard let path = state.selected else { return [] }
      if state.marks.remove(path) == nil { state.marks.insert(path) }
      state.list.move(.down)
      return visibleThumbnails(state)
    case .listSort:
      let chosen = state.selected
      let order = state.table?.order.next ?? .name
      state.table?.sort(order)
      choose(chosen, &state)
      state.frame.say("Sorted by \(order.word).")
      return visibleThumbnails(state)
    case .listOpenOutside: return state.selected.map { [.run(.openOutside($0))] } ?? []
    case .listCopyName:
      guard let path = state.selected else { return [] }
      state.frame.say("Copied \"\(path)\".")
      return [.copy("\(path)")]
    case .find: state.find.isTyping = true
    case .refresh:
      state.thumbnails.removeAll()
      state.frame.say("Refreshing.")
      return [.run(.list, key: "photos.list"), .run(.watch, key: "photos.watch")]
    case .undo:
      guard let step = state.frame.undo else {
        state.frame.say("There is nothing to undo.")
        return []
      }
      state.frame.undo = nil
      return [.run(.undo(step))]
    case .close:
      if state.find.isActive { return find(FindField(), &state) }
      state.marks.removeAll()
    default: break
    }
    return []
  }

  static func view(_ path: StorePath, _ state: inout PhotosState) -> Commands {
    state.view = .viewer(PhotoViewer(path: path))
    return [.run(.view(path), key: "photos.view")]
  }

  static func find(_ field: FindField, _ state: inout PhotosState) -> Commands {
    let chosen = state.selected
    state.find = field
    state.table?.find(field.field.string)
    choose(chosen, &state)
    return visibleThumbnails(state)
  }

  static func typeFind(_ key: Key, _ state: inout PhotosState) -> Commands {
    var field = state.find
    switch key.code {
    case .escape: field.clear()
    case .enter: field.isTyping = false
    default:
      if state.list.handle(key) { return visibleThumbnails(state) }
      guard field.field.handle(key) != .ignored else { return [] }
    }
    return find(field, &state)
  }

  static func point(_ mouse: InputEvent.Mouse, _ state: inout PhotosState) -> Commands {
    switch (mouse.kind, state.view) {
    case (.wheelUp, nil): state.list.scroll(by: -1)
    case (.wheelDown, nil): state.list.scroll(by: 1)
    case (.wheelUp, .viewer): return run(.viewerIn, &state)
    case (.wheelDown, .viewer): return run(.viewerOut, &state)
    case (.press, nil):
      guard let row = state.list.row(atLine: mouse.point.y / state.itemHeight) else { return [] }
      if state.list.selected == row { return runInList(.listOpen, &state) }
      state.list.select(row)
    default: return []
    }
    return visibleThumbnails(state)
  }
}
