import Basics
import ClubServices
import FileStores
import Screens
import Transfers

struct AppTransfers: TransferLeaving {
  let hub: TransferHub
  let base: TransferBase
  /// The club is deleted when the app ends.
  let isThrowAway: Bool

  func isElsewhere() async -> Bool { await hub.role == .client }

  func canGoOn() async -> Bool {
    if isThrowAway { return false }
    guard let club = base.clubOfToken, !isSignedIn(club) else { return true }
    let going = await hub.goingOn
    // Photos that are not queued yet belong to the open club.
    return !going.isEmpty && going.allSatisfy { $0.club != club }
  }

  /// The journal has the pauses when this returns.
  func pauseAll() async throws(StoreError) { try await hub.pauseAllAndStop() }

  /// Hands the transfers to a background process. Returns a sentence about them; nil if there are none.
  func goOnInBackground() async throws(StoreError) -> String? {
    if let club = base.clubOfToken, await hub.goingOn.contains(where: { $0.club == club }), !isSignedIn(club) {
      throw StoreError(
        .notSignedIn,
        "The club \"\(club)\" was opened with the token of \(Environment.tokenVariable), which byteclub gives to no other "
          + "process.", remedy: "Wait for its transfers, or sign in with: \(base.loginCommand(club))")
    }
    let count = await hub.goingOn.count
    // They may have ended since the member answered.
    guard count > 0 else { return nil }
    let (config, pool) = (base.configFile, base.pool)
    try await hub.handOver { () throws(StoreError) in
      _ = try await pool.run { () throws(StoreError) in try BackgroundProcess.start(config: config) }
    }
    base.log.info("the transfers go on in the background", ["count": "\(count)"])
    let what = count == 1 ? "One transfer continues" : "\(count) transfers continue"
    return "\(what) in the background: \(base.transferCommand("ls"))"
  }

  /// True if a process without the variable has a token of its own.
  private func isSignedIn(_ club: String) -> Bool {
    (try? base.setup(of: club, withToken: false))?.hasSignIn ?? false
  }
}
