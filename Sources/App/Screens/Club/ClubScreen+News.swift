internal import ClubServices
internal import FileStores
internal import TextUI

/// The screen of the club's news, over any tab; Enter goes to the thing.
extension ClubScreen {
  static func openNews(_ state: inout ClubState, walksOnly: Bool = false) -> Commands {
    state.photos.viewer?.motion.rest()
    state.talk = nil
    state.news = NewsView(height: state.frame.bodyHeight, walksOnly: walksOnly)
    return [readNews]
  }

  private static var readNews: Commands.Element { .run(.readNews, key: "news.read") }

  static func news(_ action: NewsAction, _ state: inout ClubState) -> Commands {
    guard state.news != nil else { return [] }
    switch action {
    case .loaded(let happenings):
      let new = Set(state.tabs.flatMap { state.files(on: $0)?.news.paths ?? [] })
      state.news?.take(happenings, new: new)
    case .failed(let error):
      if error.kind != .cancelled {
        state.news?.fail("byteclub could not read what happened. \(state.frame.sentence(error))")
      }
    case .input(.command(.close)), .input(.command(.quit)):
      state.news = nil
      return [.cancel(key: "news.read")]
    case .input(.command(.refresh)): return [readNews]
    case .input(.command(.newsOpen)): return state.news?.selected.map { go(to: $0, &state) } ?? []
    case .input(.command(let command)): state.news?.move(command)
    case .input(.mouse(let mouse)):
      if state.news?.point(mouse) == true, let selected = state.news?.selected { return go(to: selected, &state) }
    case .input: break
    }
    return []
  }

  /// The note or photo, with its remarks over it for the news of a remark.
  private static func go(to happening: Happening, _ state: inout ClubState) -> Commands {
    state.news = nil
    let thing = happening.thing
    if case .walk = happening.kind {
      return show(.photos, &state) + [.run(.photos(.readWalk(thing)), key: "photos.walk")]
    }
    let commands =
      thing.parent.isRoot
      ? show(.notes, &state) + notes(.asked(thing), &state) : show(.photos, &state) + photos(.asked(thing), &state)
    guard case .remark = happening.kind else { return commands }
    return commands + openTalk(on: thing, .whole, &state)
  }
}
