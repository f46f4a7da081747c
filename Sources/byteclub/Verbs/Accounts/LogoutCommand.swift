import Accounts
import ArgumentParser
import FileStores

/// `byteclub logout`.
struct LogoutCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Sign out: end the sign-in at the service and remove it from this machine.",
    discussion: Examples.text([
      "byteclub logout": "sign out of the default club",
      "byteclub logout --only-here": "remove the sign-in from this machine only",
    ])
      + "\n\nWhen the service does not answer, the sign-in stays, and the exit code says why. Other clubs of the same "
      + "server and app key share the sign-in. Drafts and unsent saves stay on this machine.")

  @Flag(name: .customLong("only-here"), help: "Remove the sign-in from this machine only; the service keeps it.")
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
        ? "Removed the sign-in to \(club.service) from this machine. The service still has it."
        : "Signed out of \(club.service).")
  }
}
