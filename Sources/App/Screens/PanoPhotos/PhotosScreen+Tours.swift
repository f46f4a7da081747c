internal import ClubServices
internal import FileStores
internal import Imaging
internal import Markdown
internal import TextUI

/// Going from panorama to panorama by hot spots, and back.
extension PhotosScreen {
  private static let longestTrail = 100

  /// The hot spot under the mouse.
  static func mark(under mouse: InputEvent.Mouse, _ viewer: PhotoViewer, _ frame: Frame) -> Int? {
    guard viewer.hasMarks else { return nil }
    let part = viewer.picturePart(Size(frame.size.width, frame.bodyHeight))
    return viewer.mark(
      atX: mouse.point.x - part.x, y: mouse.point.y - part.y, Size(part.width, part.height),
      isASCII: frame.abilities.asciiOnly)
  }

  /// Follows the chosen hot spot.
  static func followMark(_ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard let viewer = state.viewer, let look = viewer.look else { return [] }
    guard let chosen = viewer.chosenMark, viewer.marks.indices.contains(chosen) else {
      frame.say("\(frame.keys.name(of: .marksNext)) chooses a hot spot first.")
      return []
    }
    let mark = viewer.marks[chosen]
    switch mark.target {
    case .none where mark.remark != nil: state.wantedRemark = mark.remark
    case .none:
      let end = mark.label.last?.isPunctuation == true ? "" : "."
      frame.say("\(mark.label)\(end) \(frame.keys.name(of: .talk)) shows the remarks.")
    case .broken(let sentence): frame.complain(sentence)
    case .photo(let path, let arrival, let own):
      return go(to: path, arrival.view(before: look.view, own: own), trail: trail(from: viewer), &state)
    case .link(let link): return follow(link, &state, &frame)
    }
    return []
  }

  private static func trail(from viewer: PhotoViewer) -> [TrailStep] {
    guard let look = viewer.look else { return viewer.trail }
    return viewer.trail.suffix(longestTrail - 1) + [TrailStep(path: viewer.path, view: look.view)]
  }

  private static func follow(_ address: String, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    switch LinkTarget(address) {
    case .note: state.wantedNote = address
    case .photo(let words):
      guard let path = words.path(from: .root) else {
        frame.complain("\"\(words.path)\" is not a path of the club.")
        return []
      }
      return go(to: path, nil, trail: state.viewer.map(trail) ?? [], &state)
    case .web(let address):
      state.question = .opening(address.text, .confirmedAddress(address.text))
    case .heading(let address), .refused(let address):
      frame.complain("byteclub opens hot spots to photos and notes of the club and to the web. This is \"\(address)\".")
    }
    return []
  }

  /// The panorama that led here, as it was seen; without one, the list.
  static func goBack(_ state: inout PhotosState) -> Commands {
    guard var trail = state.viewer?.trail, let step = trail.popLast() else { return closeViewer(&state) }
    return go(to: step.path, step.view, trail: trail, &state)
  }

  /// The list is there to choose the other end of a door in the direction of the view.
  static func beginDoor(_ viewer: PhotoViewer, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard viewer.isAround(&frame), let look = viewer.look else { return [] }
    state.door = DoorStart(
      from: TrailStep(path: viewer.path, view: look.view), heading: look.headingDegrees, trail: viewer.trail)
    state.files.hasMoved = true
    return closeViewer(&state)
  }

  /// The selected photo is the other end.
  static func makeDoor(_ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard let door = state.door, let target = state.files.selected else { return [] }
    guard target != door.from.path else {
      frame.say("A door leads to another photo.")
      return []
    }
    let effect = PhotosEffect.door(
      from: door.from.path, yaw: door.from.view.yawDegrees ?? 0, pitch: door.from.view.pitchDegrees ?? 0,
      heading: door.heading, to: target)
    return leaveDoor(&state) + [.run(effect)]
  }

  /// Asks before the chosen door and its way back go.
  static func askToWithdraw(_ viewer: PhotoViewer, _ state: inout PhotosState, _ frame: inout Frame) {
    guard let chosen = viewer.chosenMark, viewer.marks.indices.contains(chosen) else {
      frame.say("\(frame.keys.name(of: .marksNext)) chooses a hot spot first.")
      return
    }
    guard let door = viewer.chosenDoor else {
      frame.say(
        viewer.marks[chosen].target == .none
          ? "This is no door. \(frame.keys.name(of: .talk)) shows the remarks."
          : "This hot spot is in the file of a tour. Only doors are withdrawn here.")
      return
    }
    state.question = Question(
      "Withdraw the door \"", naming: viewer.marks[chosen].label, "\" and the way back?",
      answers: [.init("y", "withdraw", .confirmedWithdrawal(door, in: viewer.path)), .init("n", "no", nil)])
  }

  /// Back in the panorama.
  static func leaveDoor(_ state: inout PhotosState) -> Commands {
    guard let door = state.door else { return [] }
    state.door = nil
    return go(to: door.from.path, door.from.view, trail: door.trail, &state)
  }

  static func go(
    to path: StorePath, _ arrival: Tour.View?, trail: [TrailStep], _ state: inout PhotosState
  ) -> Commands {
    let path = state.files.path(like: path)
    state.files.openAlbum(of: path)
    if let row = state.files.table?.row(of: path) { state.files.select(file: row) }
    return [.cancel(key: "photos.ahead")] + view(path, arrival: arrival, trail: trail, &state)
  }
}
