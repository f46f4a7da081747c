import Backends

/// By which word the journal of transfers knows a club's store: what kind it is, and where. The sign-in is not part of
/// it; a club that was moved to another place in the config is another store.
enum StoreWord {
  /// The beginning of the word of a directory that the config does not know (`--folder`).
  static let directory = "directory:"

  /// The word of the club that a setup has chosen.
  static func of(_ setup: ClubSetup) -> String {
    let choice = setup.choice
    if let directory = choice.directory, !setup.config.clubNames.contains(choice.name) {
      return StoreWord.directory + directory
    }
    return "\(choice.kind.name):\(choice.kind.identity(of: choice.store))"
  }
}
