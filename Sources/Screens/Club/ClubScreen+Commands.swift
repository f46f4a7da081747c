internal import TextUI

/// The commands that work everywhere.
extension ClubScreen {
  static func isCovered(_ state: ClubState) -> Bool {
    switch state.tab {
    case .notes: NotesScreen.isCovered(state.notes)
    case .photos: PhotosScreen.isCovered(state.photos)
    }
  }

  static func run(_ command: CommandID, _ state: inout ClubState) -> Commands {
    switch command {
    case .tabNotes: return show(.notes, &state)
    case .tabPhotos: return show(.photos, &state)
    case .tabNext, .tabPrevious: return show(state.tab == .notes ? .photos : .notes, &state)
    case .help:
      var table = HelpTable(HelpSections.all(state.frame.keys))
      table.resize(state.frame.viewSize)
      state.help = HelpView(table: table)
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .transferCancel: return photos(.command(.transferCancel), &state)
    case .quit:
      if isCovered(state) { return inTab(.quit, &state) }
      return quit(&state)
    case .interrupt:
      if isCovered(state) { return inTab(takesText(state) ? .interrupt : .close, &state) }
      state.question = Question(
        text: "Quit byteclub?", answers: [.init("y", "quit", .terminated), .init("n", "stay", nil)])
    default: return inTab(command, &state)
    }
    return []
  }

  private static func takesText(_ state: ClubState) -> Bool {
    state.tab == .notes ? NotesScreen.takesText(state.notes) : PhotosScreen.takesText(state.photos)
  }

  private static func inTab(_ command: CommandID, _ state: inout ClubState) -> Commands {
    switch state.tab {
    case .notes: notes(.command(command), &state)
    case .photos: photos(.command(command), &state)
    }
  }

  static func show(_ tab: ClubState.Tab, _ state: inout ClubState) -> Commands {
    state.tab = tab
    return tab == .photos ? photos(.shown, &state) : []
  }

  private static func quit(_ state: inout ClubState) -> Commands {
    let count = state.photos.transfers.count
    guard count > 0 else { return [.quit] }
    let what = count == 1 ? "A transfer is" : "\(count) transfers are"
    state.question = Question(
      text: "\(what) under way. Quit?",
      answers: [
        .init("w", "when done", .waitForTransfers),
        .init("x", "cancel, quit", .cancelTransfersAndQuit),
        .init("s", "stay", nil),
      ])
    return []
  }
}
