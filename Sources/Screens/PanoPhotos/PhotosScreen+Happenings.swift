internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI
internal import Transfers

/// What the photos' service and the transfers told.
extension PhotosScreen {
  static func happen(_ state: inout PhotosState, _ action: PhotosAction) -> Commands {
    switch action {
    case .viewed(let path, let pyramid, let full, let isWhole):
      guard case .viewer(var viewer) = state.view, viewer.path == path else { return [] }
      var view = FlatView(picture: full, window: window(state.frame))
      if let old = viewer.view, !old.isFit { view.look(as: old) }
      viewer.pyramid = pyramid
      viewer.view = view
      viewer.isWhole = isWhole
      state.view = .viewer(viewer)
    case .viewFailed(let path, let error):
      guard case .viewer(var viewer) = state.view, viewer.path == path, error.kind != .cancelled else { return [] }
      viewer.problem = error.message
      state.view = .viewer(viewer)
      state.frame.complain("\(error)")
    case .informed(let info):
      // A path or a name that is being typed meanwhile stays.
      guard !takesText(state) else { return [] }
      state.view = .info(PhotoFacts.lines(info))
    case .completed(let typed, let completion):
      guard case .path(var prompt) = state.view, prompt.field.string == typed else { return [] }
      prompt.completion = completion
      prompt.completedText = typed
      prompt.list.setCount(completion.choices.count)
      state.view = .path(prompt)
      if prompt.completesWhenThere { return takeCompletion(prompt, &state) }
    case .renamed(let old, let entry):
      state.wanted = entry.path
      state.thumbnails[entry.path] = state.thumbnails[old]
      state.table?.apply([.absent(old), .present(entry)])
      choose(entry.path, &state)
      state.frame.undo = .rename(entry.path, to: String(decoding: old.name, as: UTF8.self))
      state.frame.say("Renamed \"\(old)\" to \"\(entry.path)\". \(state.frame.keys.name(of: .undo)) undoes.")
    case .trashed(let files):
      state.marks.removeAll()
      state.table?.apply(files.map { .absent($0.origin) })
      choose(nil, &state)
      state.frame.undo = files.last.map(UndoStep.restore)
      let what = files.count == 1 ? "\"\(files[0].origin)\"" : "\(files.count) photos"
      state.frame.say(
        "Moved \(what) to the trash. \(state.frame.keys.name(of: .undo)) undoes\(files.count == 1 ? "" : " the last one")."
      )
      return visibleThumbnails(state)
    case .undone(let entry):
      state.table?.apply([.present(entry)])
      choose(entry.path, &state)
      state.frame.say("\"\(entry.path)\" is back.")
      return visibleThumbnails(state)
    case .failed(let sentence): state.frame.complain(sentence)
    case .told(let sentence): state.frame.say(sentence)
    case .confirmedTrash(let paths): return [.run(.trash(paths))]
    default: break
    }
    return []
  }

  /// The transfer that the bar shows: the first that runs, else the first.
  public static func shownTransfer(_ state: PhotosState) -> TransferLine? {
    state.transfers.first { $0.state != .queued } ?? state.transfers.first
  }

  static func cancelShown(_ state: inout PhotosState) -> Commands {
    guard let line = shownTransfer(state) else {
      state.frame.say("No transfer is under way.")
      return []
    }
    return [.run(.cancel(transfer: line.id))]
  }

  static func transfer(_ state: inout PhotosState, _ action: PhotosAction) -> Commands {
    switch action {
    case .began(let line):
      state.transfers.append(line)
      if let old = line.renamedFrom {
        state.frame.say("\"\(old)\" is taken: uploading as \"\(line.name)\".")
      }
    case .progressed(let id, let sent, let total, let rate, let left):
      change(id, &state) { line in
        line.sent = sent
        line.total = total ?? line.total
        line.rate = rate
        line.secondsLeft = left
      }
    case .entered(let id, let new): change(id, &state) { $0.state = new }
    case .finished(let id, let result):
      guard let index = state.transfers.firstIndex(where: { $0.id == id }) else { return [] }
      let line = state.transfers.remove(at: index)
      return tell(line, result, &state)
    default: break
    }
    return []
  }

  private static func change(_ id: String, _ state: inout PhotosState, _ body: (inout TransferLine) -> Void) {
    if let index = state.transfers.firstIndex(where: { $0.id == id }) { body(&state.transfers[index]) }
  }

  private static func tell(
    _ line: TransferLine, _ result: Result<FileEntry, StoreError>, _ state: inout PhotosState
  ) -> Commands {
    switch (result, line.direction) {
    case (.success(let entry), .upload):
      state.table?.apply([.present(entry)])
      choose(state.selected ?? entry.path, &state)
      let given = line.renamedFrom.map { "\"\($0)\" as " } ?? ""
      state.frame.say("Uploaded \(given)\"\(line.name)\".")
      return visibleThumbnails(state)
    case (.success, .download):
      state.frame.say("Downloaded \"\(line.name)\"\(line.place.map { " to \($0)" } ?? "").")
    case (.failure(let error), _):
      if error.kind == .cancelled {
        state.frame.say("Cancelled \"\(line.name)\". Nothing of it was left behind.")
      } else {
        let what = line.direction == .upload ? "uploaded" : "downloaded"
        state.frame.complain("\"\(line.name)\" was not \(what). \(error)")
      }
    }
    return []
  }
}

extension FlatView {
  /// Takes over where another view of the same picture, perhaps of another size, looks.
  mutating func look(as old: FlatView) {
    zoom(by: old.magnification / magnification)
    let x = (old.crop.x + old.crop.width / 2) / Double(old.picture.width)
    let y = (old.crop.y + old.crop.height / 2) / Double(old.picture.height)
    _ = pan(
      x: (x * Double(picture.width) - crop.x - crop.width / 2) / crop.width,
      y: (y * Double(picture.height) - crop.y - crop.height / 2) / crop.height)
  }
}
