import Synchronization

/// The owners of clubs that were found, each once for a process: the program of a club may print another token each time.
final class ClubOwners: Sendable {
  private struct State {
    /// An owner is nil for a club that the config does not have any more.
    var found: [String: ClubOwner?] = [:]
    var undecided: Set<String> = []
  }

  private let state = Mutex(State())

  /// nil for a club whose owner was not found yet.
  func found(_ club: String) -> ClubOwner?? { state.withLock { $0.found[club] } }

  func keep(_ owner: ClubOwner?, of club: String) {
    state.withLock { state in
      state.found[club] = .some(owner)
      if owner?.isUnnamed != true { state.undecided.remove(club) }
    }
  }

  /// The clubs with transfers that wait until the service has named the account.
  var undecided: Set<String> { state.withLock { $0.undecided } }

  func noteUndecided(_ club: String) { _ = state.withLock { $0.undecided.insert(club) } }
}
