/// By which word the journal of transfers knows a club's store: what kind it is, and where. The sign-in is not part of
/// it; a club that was moved to another place in the config is another store.
enum StoreWord {
  /// The beginning of the word of a directory that the config does not know (`--folder`).
  static let directory = "directory:"

  /// The word of the club that a setup has chosen.
  static func of(_ setup: ClubSetup) -> String {
    let name = setup.choice.name
    if let directory = setup.choice.directory {
      return (setup.config.clubNames.contains(name) ? "folder:" : StoreWord.directory) + directory
    }
    let place = ["server", "folder", "root"].map { setup.config.text("clubs.\(name).\($0)") ?? "" }
    return "\(setup.choice.storeKind):\(place.joined(separator: "\n"))"
  }
}
