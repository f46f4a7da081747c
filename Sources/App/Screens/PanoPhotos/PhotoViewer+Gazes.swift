internal import FileStores
internal import Imaging
internal import TextUI

/// The gazes of other members in a panorama: drawing, following, pointing.
extension PhotoViewer {
  struct GazePlace: Sendable, Equatable {
    let name: String
    /// The cell at which the member looks.
    let x: Int
    let y: Int
    let isPointing: Bool
  }

  /// The gazes in view, in a window of cells; those that point come last.
  func gazePlaces(_ present: Present, _ size: Size) -> [GazePlace] {
    guard var look, size.width > 0, size.height > 0 else { return [] }
    look.resize(to: HalfBlocks.pixels(columns: size.width, rows: size.height))
    func place(_ name: String, _ gaze: Gaze, isPointing: Bool) -> GazePlace? {
      guard let place = look.place(yaw: gaze.yawDegrees, pitch: gaze.pitchDegrees) else { return nil }
      return GazePlace(
        name: name, x: min(size.width - 1, Int(place.x / Double(look.window.width) * Double(size.width))),
        y: min(size.height - 1, Int(place.y / Double(look.window.height) * Double(size.height))),
        isPointing: isPointing)
    }
    let here = present.at(path)
    return here.compactMap { member in member.sight.gaze.flatMap { place(member.name, $0, isPointing: false) } }
      + here.compactMap { member in present.points[member.name].flatMap { place(member.name, $0, isPointing: true) } }
  }

  /// A ring and a name, as a mark has a symbol and a label. Whoever points stands on a bar.
  func drawGazes(_ present: Present, on canvas: inout Canvas) {
    for place in gazePlaces(present, canvas.size) {
      let symbol = canvas.symbol(.gaze)
      let (before, after) = (place.x > 0 ? " " : "", place.isPointing ? ": here " : " ")
      let style = place.isPointing ? canvas.bar(.new) : canvas[.new]
      let text = "\(before)\(symbol) \(place.name)\(after)"
      canvas.text(text, x: place.x - before.count, y: place.y, style: style)
      // At the right edge a name has no room, but the ring has.
      canvas.text(symbol, x: place.x, y: place.y, style: style)
    }
  }

  /// In the line of the compass, at both ends: the members whose gazes are out of view.
  func drawDirections(_ present: Present, on canvas: inout Canvas) {
    guard let look else { return }
    var (left, right): ([String], [String]) = ([], [])
    for member in present.at(path) {
      guard let gaze = member.sight.gaze, look.place(yaw: gaze.yawDegrees, pitch: gaze.pitchDegrees) == nil else {
        continue
      }
      let isLeft = (gaze.yawDegrees - look.yawDegrees).remainder(dividingBy: 360) < 0
      if isLeft { left.append(member.name) } else { right.append(member.name) }
    }
    let most = max(0, canvas.size.width / 3)
    if !left.isEmpty {
      let text = ShortName.of("\(canvas.symbol(.leftward)) \(left.joined(separator: ", ")) ", columns: most)
      canvas.text(text, x: 0, y: 0, style: canvas[.new])
    }
    if !right.isEmpty {
      let text = ShortName.of(" \(right.joined(separator: ", ")) \(canvas.symbol(.rightward))", columns: most)
      canvas.text(text, x: canvas.size.width - GlyphReader.columns(of: text), y: 0, style: canvas[.new])
    }
  }
}

extension Present {
  func gaze(of name: String, at path: StorePath) -> Gaze? {
    self[name].flatMap { $0.sight.path == path ? $0.sight.gaze : nil }
  }
}

extension PhotosScreen {
  /// Follows the next member who looks around in this panorama.
  static func follow(_ viewer: PhotoViewer, _ state: inout PhotosState, _ frame: inout Frame) {
    guard viewer.isAround(&frame) else { return }
    let names = frame.present.at(viewer.path).filter { $0.sight.gaze != nil }.map(\.name)
    guard let name = names.first(where: { $0 > viewer.followed ?? "" }) ?? names.first else {
      let follower = frame.present.at(viewer.path).first { $0.sight.follows }
      frame.say(follower.map { follows($0.name) } ?? "Nobody else looks around in this photo now.")
      return
    }
    state.viewer?.followed = name
    state.viewer?.motion.startFollowing(name)
    let next = names.count > 1 ? " \(frame.keys.name(of: .viewerFollow)) follows the next." : ""
    frame.say("You follow \(name). Any other key lets go.\(next)")
  }

  /// A view that follows has no gaze of its own, so no two views go after each other.
  private static func follows(_ name: String) -> String {
    "\(name) follows a gaze now, perhaps yours, and cannot be followed."
  }

  static func point(_ viewer: PhotoViewer, _ state: inout PhotosState, _ frame: inout Frame) {
    guard viewer.isAround(&frame) else { return }
    guard !frame.present.at(viewer.path).isEmpty else {
      frame.say("Nobody else is in this photo now.")
      return
    }
    state.viewer?.points &+= 1
    frame.say("The others see where you point.")
  }

  /// The followed member may look elsewhere, at another photo, or at another thing.
  static func followOn(_ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard let viewer = state.viewer, let name = viewer.motion.following else { return [] }
    let sight = frame.present[name]?.sight
    guard sight?.path != viewer.path || sight?.gaze == nil else {
      state.viewer?.motion.lookAgain()
      return []
    }
    state.viewer?.motion.rest()
    guard let path = sight?.path, path != viewer.path, let gaze = sight?.gaze, let look = viewer.look,
      state.files.table?.contains(path) == true
    else {
      frame.say(
        sight?.follows == true ? follows(name) : "\(name) does not look around in a photo any more.")
      return []
    }
    let view = Tour.View(
      yawDegrees: gaze.yawDegrees, pitchDegrees: gaze.pitchDegrees, fieldOfViewDegrees: look.fieldOfViewDegrees)
    let commands = go(to: path, view, trail: viewer.trail, &state)
    state.viewer?.followed = name
    state.viewer?.followsOn = true
    return commands
  }
}
