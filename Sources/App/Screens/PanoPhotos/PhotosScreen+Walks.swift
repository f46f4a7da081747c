internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// A walk that is played: time comes in ticks, as for a view that moves by itself.
struct Film: Sendable {
  private let open: OpenWalk
  let walk: Walk
  /// nil for one that is gone.
  private(set) var photos: [StorePath?]
  /// In milliseconds since the walk's beginning.
  var elapsed: Int
  /// Any key of the member stops it.
  var isRunning = false
  /// True while a tick is on its way.
  var isTicking = false

  /// A tick sends a whole picture, often over a network.
  static let tick = 80

  init(_ open: OpenWalk) {
    (self.open, walk, photos) = (open, open.walk.calm, open.photos)
    elapsed = walk.views.first?.milliseconds ?? 0
  }

  func name(ofPhoto place: Int) -> String { open.name(ofPhoto: place) }

  /// A photo turned out to be gone.
  mutating func leaveOut(_ path: StorePath) { photos = photos.map { $0 == path ? nil : $0 } }

  /// Returns true if a tick must be asked for now.
  mutating func wantsTick() -> Bool {
    defer { isTicking = isRunning }
    return isRunning && !isTicking
  }
}

/// Recording walks and playing them.
extension PhotosScreen {
  /// Begins a walk; if one is recorded, asks for its title.
  static func walk(_ viewer: PhotoViewer, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard state.recorder == nil else {
      state.walkTitle = TextField()
      return []
    }
    guard viewer.isAround(&frame) else { return [] }
    state.recorder = WalkRecorder()
    frame.say("byteclub records where you look. \(frame.keys.name(of: .viewerWalk)) ends the walk.")
    return []
  }

  /// After each action.
  static func record(_ state: inout PhotosState, atMilliseconds time: Int64) {
    guard state.recorder != nil, state.walkTitle == nil, state.question == nil, let viewer = state.viewer,
      let look = viewer.look,
      let folder = state.files.table?.folder,
      let photo = PhotosService.address(of: viewer.path, photosFolder: folder)
    else { return }
    state.recorder?.add(photo, look, atMilliseconds: time)
    if state.recorder?.isFull == true { state.walkTitle = TextField() }
  }

  static func runInTitle(_ command: CommandID, _ state: inout PhotosState) -> Commands {
    switch command {
    case .pathAccept:
      guard let recorder = state.recorder, let title = state.walkTitle, !title.isEmpty else { return [] }
      state.walkTitle = nil
      return [.run(.keepWalk(recorder, title: title.string))]
    case .pathCancel, .close, .interrupt:
      state.walkTitle = nil
      let goesOn = state.recorder?.isFull == false
      state.question = Question(
        goesOn ? "Drop the recorded walk?" : "The walk is as long as can be. Drop it?",
        answers: [.init("y", "drop", .walkDropped), .init("n", goesOn ? "go on" : "keep", nil)])
    default: break
    }
    return []
  }

  static func play(_ open: OpenWalk, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    var film = Film(open)
    film.isRunning = !state.motionIsReduced
    state.views.removeAll { !($0 is PhotoViewer) }
    state.viewer?.trail = []
    (state.door, state.giver, state.film) = (nil, nil, film)
    let key = frame.keys.name(of: .filmGoOn)
    let claim = open.bringer.map { "\(open.walk.member)? brought by \($0)" } ?? open.walk.member
    frame.say(
      state.motionIsReduced
        ? "\"\(open.walk.title)\" by \(claim). \(key) shows the next view."
        : "\"\(open.walk.title)\" by \(claim). Any key stops, \(key) goes on.")
    return show(&state, &frame)
  }

  /// Goes on, or shows the next view if nothing moves by itself.
  static func goOn(_ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard var film = state.film else { return [] }
    guard state.motionIsReduced else {
      (film.isRunning, film.isTicking) = (true, false)
      state.film = film
      return show(&state, &frame)
    }
    guard let next = film.walk.views.first(where: { $0.milliseconds > film.elapsed }) else {
      return end("The walk is over.", &state, &frame)
    }
    state.film?.elapsed = next.milliseconds
    return show(&state, &frame)
  }

  /// A tick has come.
  static func advance(_ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    state.film?.isTicking = false
    guard let film = state.film, film.isRunning, let viewer = state.viewer else { return [] }
    if viewer.problem != nil { return end("The walk ends here: its photo cannot be shown.", &state, &frame) }
    guard viewer.path == film.photos[film.walk.view(at: film.elapsed).photo] else { return show(&state, &frame) }
    // The photo is still on its way.
    guard viewer.geometry != nil else { return [] }
    if film.elapsed >= film.walk.views.last?.milliseconds ?? 0 { return end("The walk is over.", &state, &frame) }
    state.film?.elapsed += Film.tick
    return show(&state, &frame)
  }

  /// A photo of the walk is not in the club any more, although the list has it: the next view follows.
  static func leaveOut(_ path: StorePath, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard let film = state.film, film.photos[film.walk.view(at: film.elapsed).photo] == path else { return [] }
    state.film?.leaveOut(path)
    return film.isRunning || state.motionIsReduced ? show(&state, &frame) : []
  }

  private static func end(_ sentence: String, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    state.film = nil
    frame.say(sentence)
    return []
  }

  /// The view of the film at its time, or the next one in a photo that is there.
  private static func show(_ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard let film = state.film else { return [] }
    var view = film.walk.view(at: film.elapsed)
    if film.photos[view.photo] == nil {
      let name = film.name(ofPhoto: view.photo)
      let next = film.walk.views.first { $0.milliseconds > film.elapsed && film.photos[$0.photo] != nil }
      guard let next else { return end("The walk ends here: \"\(name)\" is gone.", &state, &frame) }
      view = next
      state.film?.elapsed = next.milliseconds
      frame.say("The walk leaves out \"\(name)\", which is gone.")
    }
    guard let path = film.photos[view.photo] else { return [] }
    guard let viewer = state.viewer, viewer.path == path else {
      return go(
        to: path,
        Tour.View(
          yawDegrees: view.yawDegrees, pitchDegrees: view.pitchDegrees, fieldOfViewDegrees: view.fieldOfViewDegrees),
        trail: state.viewer?.trail ?? [], &state)
    }
    if viewer.look == nil, let kind = viewer.geometry?.kind {
      guard kind == .sweep else { return end("The walk ends here: its photo is shown flat.", &state, &frame) }
      let window = state.window
      _ = state.viewer?.switchKind(window)
    }
    state.viewer?.look?.look(yaw: view.yawDegrees, pitch: view.pitchDegrees, fieldOfView: view.fieldOfViewDegrees)
    return []
  }
}
