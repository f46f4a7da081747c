internal import FileStores
internal import Imaging
internal import TextUI

extension PhotosScreen {
  static func run(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard !frame.refuses(command) else {
      state.film?.isRunning = false
      return []
    }
    if state.isViewing, state.walkTitle != nil { return runInTitle(command, &state) }
    if state.files.renaming != nil, state.isViewing || !state.hasView { return list(state.files.run(command, &frame)) }
    if state.film?.isRunning == true, state.hasView {
      state.film?.isRunning = false
      if command == .filmGoOn {
        frame.say("The walk stops here. \(frame.keys.name(of: .filmGoOn)) goes on.")
        return []
      }
    }
    if let commands = state.runInView(command, &frame) { return commands }
    return state.giver == nil ? runInList(command, &state, &frame) : runForGiver(command, &state, &frame)
  }

  static func window(_ frame: Frame) -> PixelSize {
    let cell = PictureResolution(frame.abilities).cell
    return PixelSize(width: max(1, frame.viewSize.width) * cell.width, height: frame.viewSize.height * cell.height)
  }

  /// Asks for the part in view of a large photo, at the scale that the window needs.
  static func detail(_ state: inout PhotosState, _ frame: Frame) -> Commands {
    guard let viewer = state.viewer, let wanted = viewer.wantedDetail(window(frame)) else { return [] }
    state.viewer?.askedDetail = wanted
    return [.run(.detail(viewer.path, wanted), key: "photos.detail")]
  }

  fileprivate static func switchKind(_ viewer: PhotoViewer, _ state: inout PhotosState, _ frame: inout Frame)
    -> Commands
  {
    var viewer = viewer
    guard let kind = viewer.switchKind(window(frame)) else {
      frame.say("The photo is still loading.")
      return []
    }
    state.kinds[viewer.path] = kind
    state.viewer = viewer
    if let geometry = viewer.geometry { frame.say(geometry.reason) }
    return [.run(.keepKind(kind, of: viewer.path))]
  }

  fileprivate static func turn(_ viewer: PhotoViewer, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard viewer.motion.turning == nil else {
      state.viewer?.motion.rest()
      return [.cancel(key: "photos.turn")]
    }
    if viewer.isAround(&frame) { state.viewer?.motion.startTurning() }
    return []
  }
}

extension PhotoViewer: PhotosView {
  var places: [KeyCommand.Place] { hasMarks ? [.marks, .viewer] : [.viewer] }

  var footer: [CommandID] {
    guard problem == nil else { return [.refresh, .viewerNext, .viewerPrevious, .help, .quit] }
    return (hasMarks ? [.marksNext] + (chosenMark == nil ? [] : [.marksFollow]) : [])
      + (chosenDoor == nil ? [] : [.marksWithdraw])
      + (trail.isEmpty ? [] : [.viewerBack])
      + (geometry.map { $0.kind != .flat || $0.next != .flat } == true ? [.viewerSwitch] : []) + [
        .talk, .viewerIn, .viewerReset, .viewerNext, .viewerFill, .viewerPrevious, .viewerCaption, .help,
        .viewerDownload, .viewerTrash, .viewerRename, .quit,
      ]
  }

  mutating func move(_ command: CommandID) -> Bool {
    switch command {
    case .viewerLeft: step(right: -1, up: 0)
    case .viewerRight: step(right: 1, up: 0)
    case .viewerUp: step(right: 0, up: 1)
    case .viewerDown: step(right: 0, up: -1)
    case .viewerIn: zoom(by: FlatView.zoomStep)
    case .viewerOut: zoom(by: 1 / FlatView.zoomStep)
    case .viewerReset: reset()
    case .viewerFill: fill()
    case .marksNext: chooseMark(by: 1)
    case .marksPrevious: chooseMark(by: -1)
    default: return false
    }
    return true
  }

  mutating func scroll(by rows: Int) { zoom(by: rows < 0 ? FlatView.zoomStep : 1 / FlatView.zoomStep) }

  func handle(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    switch command {
    case .viewerMap:
      guard geometry?.canLookAround == true else {
        frame.say("A flat photo has no compass and no strip.")
        return []
      }
      state.viewer?.showsMap.toggle()
    case .viewerSwitch: return PhotosScreen.switchKind(self, &state, &frame)
    case .viewerTurn: return PhotosScreen.turn(self, &state, &frame)
    case .viewerCaption: state.wantedCaption = path
    case .viewerInfo: return [.run(.info(path), key: "photos.info")]
    case .viewerNext, .viewerPrevious:
      guard let table = state.files.table, let row = table.row(of: path) else { return [] }
      let next = row + (command == .viewerNext ? 1 : -1)
      guard next >= 0, next < table.count else {
        frame.say(command == .viewerNext ? "This is the last photo." : "This is the first photo.")
        return []
      }
      return PhotosScreen.show(table.path(at: next), from: path, isBackwards: next < row, &state)
    case .marksFollow: return PhotosScreen.followMark(&state, &frame)
    case .marksWithdraw: PhotosScreen.askToWithdraw(self, &state, &frame)
    case .viewerBack: return PhotosScreen.goBack(&state)
    case .filmGoOn: return PhotosScreen.goOn(&state, &frame)
    case .viewerWalk: return PhotosScreen.walk(self, &state, &frame)
    case .viewerFollow: PhotosScreen.follow(self, &state, &frame)
    case .viewerPoint: PhotosScreen.point(self, &state, &frame)
    case .viewerDoor: return PhotosScreen.beginDoor(self, &state, &frame)
    case .viewerDownload: return PhotosScreen.prompt(PhotosScreen.prompt(for: .download, [path], state), &state, frame)
    case .viewerTrash: state.question = state.files.trashQuestion([path])?.map(PhotosAction.files)
    case .viewerLink: state.question = state.files.linkQuestion(path)?.map(PhotosAction.files)
    case .viewerRename: state.files.renaming = RenameField(path)
    case .refresh:
      state.viewer?.problem?.tryNow()
      return [PhotosScreen.show(path, state)]
    case .close where state.recorder?.isEmpty == false, .quit where state.recorder?.isEmpty == false:
      state.walkTitle = TextField()
    case .close, .quit:
      return PhotosScreen.closeViewer(&state)
    default: break
    }
    return []
  }

  func point(_ mouse: InputEvent.Mouse, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    // A drag may begin on a hot spot.
    let mark = mouse.kind == .release && pressed == mouse.point ? PhotosScreen.mark(under: mouse, self, frame) : nil
    state.viewer?.drag(mouse, frame.viewSize)
    guard let mark else { return [] }
    state.viewer?.chosenMark = mark
    return PhotosScreen.followMark(&state, &frame)
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    let isShown = flat != nil || look != nil
    var moved = self
    guard command != .marksNext, command != .marksPrevious, moved.move(command) else { return nil }
    guard isShown else { return problem == nil ? "The photo is still loading." : "The photo cannot be shown." }
    guard moved.camera == camera else { return nil }
    return switch command {
    case .viewerIn: "The photo cannot be larger."
    case .viewerOut: "The photo cannot be smaller."
    case .viewerReset, .viewerFill: "The photo is shown so already."
    default: "The photo ends here."
    }
  }

  func draw(_ state: PhotosState, _ frame: Frame, on canvas: inout Canvas) {
    let place = state.files.table.flatMap { table in
      table.row(of: path).map { "\(($0 + 1).grouped) of \(table.count.grouped)" }
    }
    draw(place: place ?? "", isRecording: state.recorder != nil, frame, on: &canvas)
    if let title = state.walkTitle { FieldLine.draw("Title of the walk: ", title, on: &canvas) }
    if let renaming = state.files.renaming {
      FieldLine.draw("New name: ", renaming.name, problem: renaming.problem, on: &canvas)
    }
  }
}
