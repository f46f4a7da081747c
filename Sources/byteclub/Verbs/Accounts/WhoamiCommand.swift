import Accounts
import ArgumentParser
import FileStores

/// `byteclub whoami`.
struct WhoamiCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show the account of the club.",
    discussion: Examples.text([
      "byteclub whoami": "name and address of the account",
      "byteclub whoami --club garage --json": "for scripts; the exit code is 3 when you are not signed in",
    ]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    try await WhoamiCommand.answer(try ClubAccount(try ClubSetup(shared.start)), output)
  }

  /// Asks the service.
  static func answer(
    _ club: ClubAccount, _ output: Output, clock: any Clock<Duration> = ContinuousClock()
  ) async throws(StoreError) -> Answer {
    let profile = try await club.asking(output, clock: clock) { () throws(StoreError) in
      try await club.tokens.profile()
    }
    let email = profile.email.map { " <\($0)>" } ?? ""
    return Answer([club.record(profile, lines: ["\(profile.name)\(email) on \(club.service)"])])
  }
}
