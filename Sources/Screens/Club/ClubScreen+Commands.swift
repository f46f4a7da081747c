internal import TextUI

/// The commands that work everywhere.
extension ClubScreen {
  static func run(_ command: CommandID, _ state: inout ClubState) -> Commands {
    switch command {
    case .tabNotes: return show(.notes, &state)
    case .tabPhotos: return show(.photos, &state)
    case .tabNext, .tabPrevious: return show(state.tab == .notes ? .photos : .notes, &state)
    case .help:
      var table = HelpTable(HelpSections.all(state.frame.keys, first: state.places))
      table.resize(state.frame.viewSize)
      state.help = HelpView(table: table)
    case .commandLine: state.line = CommandLine(state.history)
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .transfers: return toggleTransfers(&state)
    case .transferCancel: return cancelShown(&state)
    case .find where state.transfers.isOpen || !state.shown.canFind:
      state.frame.say("Find works in lists and notes.")
    case .find: return inTab(command, &state)
    case .undo:
      guard !state.isCovered else { return [] }
      if state.frame.undo.next == nil, state.frame.undo.running == nil { state.frame.say("Nothing to undo.") }
      state.frame.undo.ask()
    case .quit:
      if state.isCovered { return inView(.quit, &state) }
      return quit(&state)
    case .interrupt where state.line != nil: state.line = nil
    case .interrupt where state.transfers.isOpen: return inView(.close, &state)
    case .interrupt:
      if state.shown.isCovered { return inTab(state.shown.takesText ? .interrupt : .close, &state) }
      if let commands = stopWaiting(&state) { return commands }
      guard state.underway == 0, textsQuestion(state) == nil else { return quit(&state) }
      state.question = Question("Quit byteclub?", answers: [.init("y", "quit", .terminated), .init("n", "stay", nil)])
    default: return inView(command, &state)
    }
    return []
  }

  private static func inView(_ command: CommandID, _ state: inout ClubState) -> Commands {
    state.transfers.isOpen ? transfers(.input(.command(command)), &state) : inTab(command, &state)
  }

  private static func inTab(_ command: CommandID, _ state: inout ClubState) -> Commands {
    switch state.tab {
    case .notes: notes(.input(.command(command)), &state)
    case .photos: photos(.input(.command(command)), &state)
    }
  }

  /// Undoes the next step that was asked for, in the list where it was done, when no other is under way.
  static func undo(_ state: inout ClubState) -> Commands {
    guard let item = state.frame.undo.take() else { return [] }
    let effect = FileListEffect.undo(item.step)
    return [.run(item.list == state.notes.files.words.many ? .notes(.files(effect)) : .photos(.files(effect)))]
  }

  static func show(_ tab: ClubState.Tab, _ state: inout ClubState) -> Commands {
    state.tab = tab
    if state.transfers.isOpen { TransfersScreen.close(&state.transfers) }
    return tab == .photos ? photos(.shown, &state) : []
  }
}
