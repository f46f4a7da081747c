internal import ClubServices
internal import FileStores
internal import TextUI

extension ClubScreen {
  static func run(_ command: CommandID, _ state: inout ClubState) -> Commands {
    if [.tabNotes, .tabPhotos, .tabNext, .tabPrevious, .transfers].contains(command) {
      (state.talk, state.news) = (nil, nil)
    }
    switch command {
    case .tabNotes: return show(.notes, &state)
    case .tabPhotos: return show(.photos, &state)
    case .tabNext: return show(state.tab(by: 1), &state)
    case .tabPrevious: return show(state.tab(by: -1), &state)
    case .help:
      var table = HelpTable(HelpSections.all(state.frame.keys, first: state.places, vi: state.vi != nil))
      table.resize(state.frame.viewSize)
      state.help = HelpView(table: table)
    case .commandLine: state.line = CommandLine(state.history)
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .transfers: return toggleTransfers(&state)
    case .talk: return openTalk(&state)
    case .news: return openNews(&state)
    case .clubs: return leave(to: .clubs(.list), &state)
    case .signIn: return signIn(&state)
    case .transferCancel: return cancelShown(&state)
    case .find where state.hasOverlay || state.transfers.isOpen || !state.canFind:
      // The word that follows is not a command.
      state.line = CommandLine(refusing: "Find works in lists and notes.")
    case .find: return state.tell(.input(.command(command)))
    case .undo:
      guard !state.isCovered || state.showsPhoto || state.showsUndoableNote else { return [] }
      if state.frame.undo.next == nil, state.frame.undo.running == nil { state.frame.say("Nothing to undo.") }
      state.frame.undo.ask()
    case .mergeShow:
      guard state.question == nil, state.line == nil else { return [] }
      return (state.tab == .notes && !state.transfers.isOpen ? [] : show(.notes, &state))
        + state.tell(.input(.command(.mergeShow)))
    case .quit:
      if state.isCovered { return inView(.quit, &state) }
      return isSlip(&state) ? [] : quit(&state)
    case .interrupt where state.line != nil: state.line = nil
    case .interrupt where state.hasOverlay || state.transfers.isOpen: return inView(.close, &state)
    case .interrupt:
      if state.takesText || !state.isTabCovered, let commands = stopWaiting(&state) { return commands }
      if state.isTabCovered {
        return state.tell(.input(.command(state.takesText ? .interrupt : .close)))
      }
      guard state.underway == 0, textsQuestion(state) == nil else { return quit(&state) }
      state.question = Question("Quit byteclub?", answers: [.init("y", "quit", .terminated), .init("n", "stay", nil)])
    default: return inView(command, &state)
    }
    return []
  }

  /// The chosen command must work in the view below.
  static func runFromHelp(_ id: String, _ state: inout ClubState) -> Commands {
    guard let command = CommandID(rawValue: id), let row = KeyCommand.named(command) else { return [] }
    state.help = nil
    if let reason = state.reason(against: command), row.place == .everywhere || state.places.contains(row.place) {
      state.frame.say(reason)
      return []
    }
    if row.place == .everywhere { return run(command, &state) }
    guard state.places.contains(row.place) else {
      state.frame.say("\"\(row.help)\" works elsewhere: \(row.place.title).")
      return []
    }
    return runPreview(command, &state) ?? inView(command, &state)
  }

  /// A key to quit right after Esc led back was meant to lead back, too. A question asks anyway.
  private static func isSlip(_ state: inout ClubState) -> Bool {
    guard let wentBack = state.wentBack, (0..<500).contains(state.eventTime - wentBack), state.underway == 0,
      textsQuestion(state) == nil
    else { return false }
    state.frame.say("Press \(state.frame.keys.name(of: .quit)) again to quit.")
    return true
  }

  private static func inView(_ command: CommandID, _ state: inout ClubState) -> Commands {
    if command == .photosWalks { return openNews(&state, walksOnly: true) }
    if command == .photosWall { return openWall(&state, asks: false) }
    if state.talk != nil { return talk(.input(.command(command)), &state) }
    if state.news != nil { return news(.input(.command(command)), &state) }
    return state.transfers.isOpen ? transfers(.input(.command(command)), &state) : state.tell(.input(.command(command)))
  }

  /// Undoes the next requested step, unless another undo is running.
  static func undo(_ state: inout ClubState) -> Commands {
    guard let item = state.frame.undo.take() else { return [] }
    guard let tab = state.tabs.first(where: { state.files(on: $0)?.words.many == item.list }) else { return [] }
    return state.undo(item.step, on: tab)
  }

  static func show(_ tab: ClubState.Tab, _ state: inout ClubState) -> Commands {
    state.tab = tab
    state.returnsToNote = false
    // It would turn unseen.
    if tab != .photos { state.photos.viewer?.motion.rest() }
    if state.transfers.isOpen { TransfersScreen.close(&state.transfers) }
    return state.tell(.shown)
  }
}

extension ClubScreen {
  /// Of all tabs; cheap enough for each key.
  static func newCount(_ state: ClubState) -> Int { state.tabs.reduce(0) { $0 + state.newCount(on: $1) } }

  static func news(_ state: ClubState) -> [NewsMark] {
    state.tabs.flatMap { tab in
      state.files(on: tab).map { files in files.news.paths.compactMap { files.news[$0] } } ?? []
    }
  }

  /// A listing, such as the one at the start, found files that others added or changed.
  static func tellNews(_ action: ClubAction, known: Int, _ state: inout ClubState) -> Commands {
    switch action {
    case .notes(.files(.news(_, isListed: true))), .photos(.files(.news(_, isListed: true))):
      if newCount(state) > known, let notice = startSentence(state) { state.frame.sayNews(notice) }
    default: break
    }
    return []
  }

  /// Shows the first news of another tab; nil if this tab has some, or none has.
  static func showOtherNews(_ state: inout ClubState) -> Commands? {
    guard !state.isCovered, state.newCount(on: state.tab) == 0,
      let tab = state.tabs.first(where: { state.newCount(on: $0) > 0 })
    else { return nil }
    return show(tab, &state) + state.tell(.input(.command(.listNextNew)))
  }

  static func take(_ connection: StoreConnection.State, _ state: inout ClubState) -> Commands {
    let wasAway = state.frame.isAway
    state.frame.connection = connection
    if state.frame.isAway {
      // A list without rows reports it in their place.
      let isSaid = state.saysConnection && !state.isCovered && state.help == nil
      if let away = state.frame.awayText, !wasAway, !isSaid {
        state.frame.complain(away.all, of: .connection)
      }
      return []
    }
    guard wasAway, connection == .online else { return [] }
    state.frame.end(.connection)
    return state.tellAll(.reconnected)
  }

  /// nil unless the store asks for a pause. Lists end with its error; a text being saved stays in the outbox.
  static func stopWaiting(_ state: inout ClubState) -> Commands? {
    guard case .waiting(_, let error) = state.frame.connection else { return nil }
    _ = take(.unknown, &state)
    state.frame.end(.connection)
    state.frame.complain("\(error.message) Press \(state.frame.keys.name(of: .refresh)) to try again.")
    return state.tellAll(.stopWaiting(error)) + [.run(.endPauses)]
  }
}
