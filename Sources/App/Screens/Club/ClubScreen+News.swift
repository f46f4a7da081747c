internal import ClubServices
internal import FileStores
internal import TextUI

/// The screen of the club's news, over any tab; Enter goes to the thing.
extension ClubScreen {
  static func openNews(_ state: inout ClubState, walksOnly: Bool = false) -> Commands {
    state.photos.viewer?.motion.rest()
    state.talk = nil
    state.news = NewsView(height: state.frame.bodyHeight, walksOnly: walksOnly, memory: state.photos.memory)
    return [readNews]
  }

  private static var readNews: Commands.Element { .run(.readNews, key: "news.read") }

  static func news(_ action: NewsAction, _ state: inout ClubState) -> Commands {
    if case .remembered(let memory) = action { remember(memory, &state) }
    guard state.news != nil else { return [] }
    switch action {
    case .remembered(let memory): state.news?.take(memory)
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
    case .input(.command(.newsOpen)): return goToSelected(&state)
    case .input(.command(let command)): state.news?.move(command)
    case .input(.mouse(let mouse)): if state.news?.point(mouse) == true { return goToSelected(&state) }
    case .input: break
    }
    return []
  }

  /// A photo that is remembered for the first time is said with the news of the start.
  private static func remember(_ memory: OnThisDay?, _ state: inout ClubState) {
    let isKnown = memory == state.photos.memory
    state.photos.memory = memory
    if !isKnown, let memory, state.news == nil {
      state.frame.sayNews(
        startSentence(state) ?? "\(memory.sentence). \(state.frame.keys.name(of: .news)) shows it.")
    }
  }

  /// Everything new by its authors, then the photo of this day; nil if nothing is new.
  static func startSentence(_ state: ClubState) -> String? {
    NewsNotice.summary(news(state), key: state.frame.keys.name(of: .listNextNew)).map { summary in
      summary + (state.photos.memory.map { " \($0.sentence)." } ?? "")
    }
  }

  private static func goToSelected(_ state: inout ClubState) -> Commands {
    if let photo = state.news?.selectedMemory?.photo {
      state.news = nil
      return show(.photos, &state) + photos(.asked(photo), &state)
    }
    return state.news?.selected.map { go(to: $0, &state) } ?? []
  }

  /// The note or photo, with its remarks over it for the news of a remark.
  private static func go(to happening: Happening, _ state: inout ClubState) -> Commands {
    state.news = nil
    let thing = happening.thing
    if case .walk = happening.kind {
      return show(.photos, &state) + [.run(.photos(.readWalk(thing)), key: "photos.walk")]
    }
    let commands =
      state.notes.scope.isNote(thing)
      ? show(.notes, &state) + notes(.asked(thing), &state) : show(.photos, &state) + photos(.asked(thing), &state)
    guard case .remark = happening.kind else { return commands }
    return commands + openTalk(on: thing, .whole, &state)
  }
}
