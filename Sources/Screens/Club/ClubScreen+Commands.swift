internal import TextUI

/// The commands that work everywhere.
extension ClubScreen {
  static func run(_ command: CommandID, _ state: inout ClubState) -> Commands {
    switch command {
    case .tabNotes: return show(.notes, &state)
    case .tabPhotos: return show(.photos, &state)
    case .tabNext, .tabPrevious: return show(state.tab == .notes ? .photos : .notes, &state)
    case .help:
      var table = HelpTable(HelpSections.all(state.frame.keys))
      table.resize(state.frame.viewSize)
      state.help = HelpView(table: table)
    case .commandLine: state.line = CommandLine(state.history)
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .transferCancel: return photos(.input(.command(.transferCancel)), &state)
    case .quit:
      if state.shown.isCovered { return inTab(.quit, &state) }
      return quit(&state)
    case .interrupt where state.line != nil: state.line = nil
    case .interrupt:
      if state.shown.isCovered { return inTab(state.shown.takesText ? .interrupt : .close, &state) }
      state.question = Question("Quit byteclub?", answers: [.init("y", "quit", .terminated), .init("n", "stay", nil)])
    default: return inTab(command, &state)
    }
    return []
  }

  private static func inTab(_ command: CommandID, _ state: inout ClubState) -> Commands {
    switch state.tab {
    case .notes: notes(.input(.command(command)), &state)
    case .photos: photos(.input(.command(command)), &state)
    }
  }

  static func show(_ tab: ClubState.Tab, _ state: inout ClubState) -> Commands {
    state.tab = tab
    return tab == .photos ? photos(.shown, &state) : []
  }

  static func quit(_ state: inout ClubState) -> Commands {
    let count = state.photos.underway
    guard count > 0 else { return [.quit] }
    let what = count == 1 ? "A transfer is" : "\(count) transfers are"
    state.question = Question(
      "\(what) under way. Quit?",
      answers: [
        .init("w", "when done", .waitForTransfers),
        .init("x", "cancel, quit", .cancelTransfersAndQuit),
        .init("s", "stay", nil),
      ])
    return []
  }
}
