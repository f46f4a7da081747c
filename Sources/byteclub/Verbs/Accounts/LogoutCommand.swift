import Accounts
import ArgumentParser
import FileStores

/// `byteclub logout`.
struct LogoutCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Sign out: the service ends the sign-in, and this machine forgets it.",
    discussion: Examples.text([
      "byteclub logout": "sign out of the club that is opened",
      "byteclub logout --only-here": "forget it on this machine only",
    ])
      + "\n\nWhen the service cannot be reached, nothing is forgotten, and the exit code says why. Other clubs of the same "
      + "server and app key share the sign-in. Drafts and unsent saves stay on this machine.")

  @Flag(name: .customLong("only-here"), help: "Forget the sign-in on this machine without telling the service.")
  var onlyHere = false
  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let setup = try ClubSetup(shared.start)
    let club = try ClubAccount(setup)
    try await club.asking(output) { () throws(StoreError) in try await club.tokens.signOut(onlyHere: onlyHere) }
    setup.log.info("logout", ["club": club.account.club, "service": club.service])
    return Answer(
      [club.record(nil)],
      notice: onlyHere
        ? "This machine has forgotten the sign-in to \(club.service). The service still has it."
        : "You are signed out of \(club.service).")
  }
}
