import Accounts
import Basics
import ClubServices
import FileStores
import Screens

/// A club whose services are open, with the notice of its first screen.
struct PreparedClub: Sendable {
  let setup: ClubSetup
  let club: OpenClub
  var notice: Notice?

  /// Makes the club of the first start, tests a server that was never tested, and finds the account.
  /// - Parameter tell: gets a sentence about what takes long.
  /// - Throws: `StoreError` if the club cannot be opened.
  static func prepare(
    _ setup: ClubSetup, shared: SharedServices? = nil, tell: @Sendable (String) -> Void
  ) async throws(StoreError) -> PreparedClub {
    let welcome = try await setup.welcome()
    if let test = setup.serverTest, await setup.pool.run({ test.memory.kept() }) == nil {
      tell("Testing the server of \(setup.choice.place) ...")
      await run(test, setup)
    }
    // Asks the service only about a token that this machine does not know.
    let owner = await ClubOwner.find(setup)
    let club = try OpenClub(setup, owner: owner, freshness: .atOnce, shared: shared)
    let held = owner.isNew || owner.isUnnamed ? await heldBack(setup, club) : nil
    if Task.isCancelled { throw .cancelled("Opening the club") }
    return PreparedClub(setup: setup, club: club, notice: welcome.map { Notice($0) } ?? warning(setup, held))
  }

  /// The first opening tests the server, because the title says if the club is read-only. A server that cannot be
  /// tested now is tested before the first save.
  private static func run(_ test: ServerTest, _ setup: ClubSetup) async {
    do throws(StoreError) {
      _ = try await test.run()
    } catch {
      setup.log.error("the server was not tested", error)
    }
  }

  private static func heldBack(_ setup: ClubSetup, _ club: OpenClub) async -> String? {
    do throws(StoreError) {
      let sentences = try await club.heldBack(setup)
      return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    } catch {
      return "\(error)"
    }
  }

  private static func warning(_ setup: ClubSetup, _ held: String?) -> Notice? {
    if let warning = setup.plainWarning { return Notice(warning, isError: true) }
    if let held { return Notice(held) }
    return setup.report.warnings.first.map { Notice($0, isError: true) }
  }
}
