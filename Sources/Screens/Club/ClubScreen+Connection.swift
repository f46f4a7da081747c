internal import ClubServices
internal import FileStores
internal import TextUI

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

  /// Stops waiting for a store that asks for a pause; nil when it does not.
  static func stopWaiting(_ state: inout ClubState) -> Commands? {
    guard case .waiting(_, let error) = state.frame.connection else { return nil }
    _ = take(.unknown, &state)
    state.frame.end(.connection)
    state.frame.complain("\(error.message) Press \(state.frame.keys.name(of: .refresh)) to try again.")
    return NotesScreen.list(state.notes.files.stop(error)).map { $0.map(ClubEffect.notes, ClubAction.notes) }
      + PhotosScreen.list(state.photos.files.stop(error)).map { $0.map(ClubEffect.photos, ClubAction.photos) }
  }
}
