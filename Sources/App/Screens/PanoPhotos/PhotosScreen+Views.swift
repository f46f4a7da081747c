internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

extension PhotosScreen {
  static func run(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard !frame.refuses(command) else { return [] }
    if state.facts != nil { return runInFacts(command, &state, &frame) }
    if state.dropPage == nil, state.giver != nil { return runForGiver(command, &state, &frame) }
    if state.dropPage == nil, state.walkTitle != nil { return runInTitle(command, &state) }
    if state.files.renaming != nil { return list(state.files.run(command, &frame)) }
    if state.film?.isRunning == true, state.view != nil {
      state.film?.isRunning = false
      if command == .filmGoOn { return [] }
    }
    return switch state.view {
    case nil: runInList(command, &state, &frame)
    case .viewer(let viewer): run(command, viewer, &state, &frame)
    case .path(let prompt): run(command, prompt, &state)
    case .dropPage(let made): run(command, made, &state, &frame)
    }
  }

  /// All but the borders.
  static func factsSize(_ frame: Frame) -> Size { Size(max(1, frame.size.width - 2), max(1, frame.bodyHeight - 1)) }

  private static func runInFacts(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    switch command {
    case .close, .quit: state.facts = nil
    case .readerFindNext, .readerFindPrevious: frame.say("Find works in lists and notes.")
    default: state.facts?.move(command)
    }
    return []
  }

  static func window(_ frame: Frame) -> PixelSize {
    let cell = PictureResolution(frame.abilities).cell
    return PixelSize(width: max(1, frame.viewSize.width) * cell.width, height: frame.viewSize.height * cell.height)
  }

  private static func run(_ command: CommandID, _ viewer: PhotoViewer, _ state: inout PhotosState, _ frame: inout Frame)
    -> Commands
  {
    switch command {
    case .viewerLeft: state.viewer?.step(right: -1, up: 0)
    case .viewerRight: state.viewer?.step(right: 1, up: 0)
    case .viewerUp: state.viewer?.step(right: 0, up: 1)
    case .viewerDown: state.viewer?.step(right: 0, up: -1)
    case .viewerIn: state.viewer?.zoom(by: FlatView.zoomStep)
    case .viewerOut: state.viewer?.zoom(by: 1 / FlatView.zoomStep)
    case .viewerReset: state.viewer?.reset()
    case .viewerFill: state.viewer?.fill()
    case .viewerMap:
      guard viewer.geometry?.canLookAround == true else {
        frame.say("A flat photo has no compass and no strip.")
        return []
      }
      state.viewer?.showsMap.toggle()
    case .viewerSwitch: return switchKind(viewer, &state, &frame)
    case .viewerTurn: return turn(viewer, &state, &frame)
    case .viewerCaption: state.wantedCaption = viewer.path
    case .viewerInfo: return [.run(.info(viewer.path), key: "photos.info")]
    case .viewerNext, .viewerPrevious:
      guard let table = state.files.table, let row = table.row(of: viewer.path) else { return [] }
      let next = row + (command == .viewerNext ? 1 : -1)
      guard next >= 0, next < table.count else {
        frame.say(command == .viewerNext ? "This is the last photo." : "This is the first photo.")
        return []
      }
      return show(table.path(at: next), from: viewer.path, isBackwards: next < row, &state)
    case .marksNext: state.viewer?.chooseMark(by: 1)
    case .marksPrevious: state.viewer?.chooseMark(by: -1)
    case .marksFollow: return followMark(&state, &frame)
    case .marksWithdraw: askToWithdraw(viewer, &state, &frame)
    case .viewerBack: return goBack(&state)
    case .filmGoOn: return goOn(&state, &frame)
    case .viewerWalk: return walk(viewer, &state, &frame)
    case .viewerDoor: return beginDoor(viewer, &state, &frame)
    case .viewerDownload: return prompt(prompt(for: .download, [viewer.path], state), &state, frame)
    case .viewerTrash: state.question = state.files.trashQuestion([viewer.path])?.map(PhotosAction.files)
    case .viewerLink: state.question = state.files.linkQuestion(viewer.path)?.map(PhotosAction.files)
    case .viewerRename: state.files.renaming = RenameField(viewer.path)
    case .refresh:
      state.viewer?.problem?.tryNow()
      return [show(viewer.path, state)]
    case .close where state.recorder?.isEmpty == false, .quit where state.recorder?.isEmpty == false:
      state.walkTitle = TextField()
    case .close, .quit:
      return closeViewer(&state)
    default: break
    }
    return []
  }

  /// Asks for the part in view of a large photo, at the scale that the window needs.
  static func detail(_ state: inout PhotosState, _ frame: Frame) -> Commands {
    guard let viewer = state.viewer, let wanted = viewer.wantedDetail(window(frame)) else { return [] }
    state.viewer?.askedDetail = wanted
    return [.run(.detail(viewer.path, wanted), key: "photos.detail")]
  }

  private static func switchKind(_ viewer: PhotoViewer, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
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

  private static func turn(_ viewer: PhotoViewer, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard viewer.motion.turning == nil else {
      state.viewer?.motion.rest()
      return [.cancel(key: "photos.turn")]
    }
    if viewer.isAround(&frame) { state.viewer?.motion.startTurning() }
    return []
  }
}
