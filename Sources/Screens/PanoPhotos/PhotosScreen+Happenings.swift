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
      guard let viewer = state.viewer, viewer.path == path else { return [] }
      var view = FlatView(picture: full, window: window(state.frame))
      if let old = viewer.view, !old.isFit { view.look(as: old) }
      state.viewer = PhotoViewer(path: path, pyramid: pyramid, view: view, isWhole: isWhole)
    case .viewFailed(let path, let error):
      guard state.viewer?.path == path, error.kind != .cancelled else { return [] }
      state.viewer?.problem = error.message
      state.frame.complain("\(error)")
    case .informed(let info):
      // A path or a name that is being typed meanwhile stays.
      guard !state.takesText else { return [] }
      state.question = nil
      state.facts = PhotoFacts.reader(info)
      state.facts?.resize(factsSize(state.frame))
    case .completed(let typed, let completion):
      guard var prompt = state.prompt, prompt.field.string == typed else { return [] }
      prompt.completion = completion
      prompt.completedText = typed
      prompt.list.setCount(completion.choices.count)
      state.prompt = prompt
      if prompt.completesWhenThere { return takeCompletion(prompt, &state) }
    case .thumbnail(let path, let picture):
      if state.thumbnails.count > 2000 { state.thumbnails.removeAll() }
      state.thumbnails[path] = .picture(picture)
    case .thumbnailFailed(let path, let error): state.thumbnails[path] = .broken(error.message)
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
      state.frame.say(
        state.preparing == 0
          ? "No transfer is under way." : "The file is still being looked at: a moment, then it can be cancelled.")
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
    case .prepared: state.preparing = max(0, state.preparing - 1)
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
      tell(state.transfers.remove(at: index), result, &state)
    default: break
    }
    return []
  }

  private static func change(_ id: String, _ state: inout PhotosState, _ body: (inout TransferLine) -> Void) {
    if let index = state.transfers.firstIndex(where: { $0.id == id }) { body(&state.transfers[index]) }
  }

  private static func tell(
    _ line: TransferLine, _ result: Result<FileEntry, StoreError>, _ state: inout PhotosState
  ) {
    switch (result, line.direction) {
    case (.success(let entry), .upload):
      state.files.add(entry, isChosen: false)
      let given = line.renamedFrom.map { "\"\($0)\" as " } ?? ""
      state.frame.say("Uploaded \(given)\"\(line.name)\".")
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
