internal import ClubServices
internal import FileStores
internal import TextUI

/// Opening the remarks of what is on the screen, and what happens in them.
extension ClubScreen {
  static func openTalk(_ state: inout ClubState) -> Commands {
    guard let (thing, place) = state.talked else {
      state.frame.say("Select a note or photo first.")
      return []
    }
    return openTalk(thing, place, &state)
  }

  static func openTalk(_ thing: StorePath, _ place: TalkItem.Aim, _ state: inout ClubState) -> Commands {
    state.photos.viewer?.motion.rest()
    state.talk = TalkView(thing, place: place)
    return load(thing)
  }

  private static func load(_ thing: StorePath) -> Commands { [.run(.talk(.load(thing)), key: "talk.load")] }

  static func talk(_ action: TalkAction, _ state: inout ClubState) -> Commands {
    guard var talk = state.talk else { return [] }
    defer { if state.talk != nil { state.talk = talk } }
    switch action {
    case .input(let input):
      var effects: [TalkEffect] = []
      guard !talk.run(input, &state.frame, &effects) else { return closeTalk(&state) }
      return effects.flatMap { effect -> Commands in
        if case .load(let thing) = effect { load(thing) } else { [.run(.talk(effect))] }
      }
    case .loaded(let thing, let remarks):
      if thing == talk.thing { talk.take(remarks, isReader: state.frame.isReader) }
    case .said(let thing, let item, let waiting):
      guard thing == talk.thing else { return [] }
      talk.said(item)
      if let waiting { state.frame.complain("The remark waits on this machine. \(state.frame.sentence(waiting))") }
      return load(thing)
    case .failed(let effect, let error):
      talk.fail(state.frame.sentence(error))
      if case .say = effect { state.frame.complain(error) }
    }
    return []
  }

  /// Remarks in a direction are hot spots of the panorama.
  private static func closeTalk(_ state: inout ClubState) -> Commands {
    let thing = state.talk?.thing
    state.talk = nil
    guard let viewer = state.photos.viewer, viewer.path == thing else { return [.cancel(key: "talk.load")] }
    return [.cancel(key: "talk.load"), .run(.photos(.tour(viewer.path)), key: "photos.tour")]
  }
}
