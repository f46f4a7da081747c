internal import ClubServices
internal import FileStores
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
      if state.shown.takesText || !state.shown.isCovered, let commands = stopWaiting(&state) { return commands }
      if state.shown.isCovered { return inTab(state.shown.takesText ? .interrupt : .close, &state) }
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

/// The help: the live table of keys, place by place, those of the places that are seen first.
enum HelpSections {
  static func all(_ keys: KeyTable, first: [KeyCommand.Place] = []) -> [HelpTable.Section] {
    (first + KeyCommand.Place.allCases.filter { !first.contains($0) }).compactMap { place in
      let rows = KeyCommand.all.filter { $0.place == place }.compactMap { command -> FooterKeys.Item? in
        let names = keys.keys(for: command.id).map(\.name)
        return names.isEmpty ? nil : FooterKeys.Item(names.joined(separator: " "), command.help)
      }
      return rows.isEmpty ? nil : HelpTable.Section(place.title, rows)
    }
  }
}

/// Whether the club's store answers: what is told of it, and what is tried again when it does.
extension ClubScreen {
  static func take(_ connection: StoreConnection.State, _ state: inout ClubState) -> Commands {
    let wasAway = state.frame.isAway
    state.frame.connection = connection
    (state.notes.frame.connection, state.photos.frame.connection) = (connection, connection)
    if state.frame.isAway {
      // A list without rows says it in their place.
      let isSaid = state.shown.files.table == nil && !state.isCovered && state.help == nil
      if let away = state.frame.awayText, !wasAway, !isSaid {
        state.frame.complain(away.all, of: .connection)
      }
      return []
    }
    guard wasAway, connection == .online else { return [] }
    state.frame.end(.connection)
    return notes(.reconnected, &state)
  }

  /// Stops waiting for a store that asks for a pause; nil when it does not. Lists end with its error, and a text that
  /// was to be saved is one that waits to be sent.
  static func stopWaiting(_ state: inout ClubState) -> Commands? {
    guard case .waiting(_, let error) = state.frame.connection else { return nil }
    _ = take(.unknown, &state)
    state.frame.end(.connection)
    state.frame.complain("\(error.message) Press \(state.frame.keys.name(of: .refresh)) to try again.")
    return NotesScreen.list(state.notes.files.stop(error)).map { $0.map(ClubEffect.notes, ClubAction.notes) }
      + PhotosScreen.list(state.photos.files.stop(error)).map { $0.map(ClubEffect.photos, ClubAction.photos) }
      + [.run(.endPauses)]
  }
}
