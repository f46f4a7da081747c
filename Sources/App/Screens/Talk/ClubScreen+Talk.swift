public import ClubServices
public import FileStores
internal import Imaging
internal import TextUI

public enum TalkAction: FailableAction {
  case input(MemberInput)
  case loaded(StorePath, Talk)
  /// `waiting` is the reason why it is not in the club yet.
  case said(StorePath, TalkItem, waiting: StoreError?)
  case failed(TalkEffect, StoreError)
}

public enum TalkEffect: Sendable {
  case load(StorePath)
  case say(String, TalkItem.Aim, StorePath)
}

/// Opening the remarks of what is on the screen, and what happens in them.
extension ClubScreen {
  static func openTalk(_ state: inout ClubState) -> Commands {
    guard let (thing, place) = talked(state) else {
      state.frame.say("Select a note or photo first.")
      return []
    }
    state.photos.viewer?.motion.rest()
    state.talk = TalkView(thing, place: place)
    return load(thing)
  }

  private static func load(_ thing: StorePath) -> Commands { [.run(.talk(.load(thing)), key: "talk.load")] }

  private static func talked(_ state: ClubState) -> (StorePath, TalkItem.Aim)? {
    if state.tab == .photos, let viewer = state.photos.viewer {
      return (
        viewer.path, viewer.look.map { .direction(yaw: $0.yawDegrees, pitch: $0.pitchDegrees) } ?? .whole
      )
    }
    let read = state.tab == .notes ? state.notes.reader?.note.entry.path : nil
    return (read ?? state.files(on: state.tab)?.selected).map { ($0, .whole) }
  }

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

struct TalkPerformer: AnsweringPerformer {
  typealias Effect = TalkEffect
  typealias Action = TalkAction

  let notes: NotesService

  func answer(to effect: TalkEffect, _ sender: Sender<TalkAction>) async throws(StoreError) -> TalkAction? {
    switch effect {
    case .load(let thing): return .loaded(thing, try await notes.talk(about: thing))
    case .say(let text, let aim, let thing):
      var random = SystemRandomNumberGenerator()
      let (item, outcome) = try await notes.say(text, aim, about: thing) { TalkItem.newID(using: &random) }
      if case .kept(_, let error) = outcome { return .said(thing, item, waiting: error) }
      return .said(thing, item, waiting: nil)
    }
  }
}
