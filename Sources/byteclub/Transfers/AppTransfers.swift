import Accounts
import Backends
import ClubServices
import FileStores
import Screens
import Transfers

/// What becomes of the transfers when the app quits.
struct AppTransfers: TransferLeaving {
  let hub: TransferHub
  let base: TransferBase
  /// Whether the club goes when the app does.
  let isThrowAway: Bool

  /// Whether another process carries the transfers out.
  func isElsewhere() async -> Bool { await hub.role == .guest }

  /// Whether the transfers can go on without the app.
  func canGoOn() async -> Bool {
    if isThrowAway { return false }
    guard let club = base.clubOfToken, !isSignedIn(club) else { return true }
    let going = await hub.goingOn
    // What is not ordered yet is of the club that is open.
    return !going.isEmpty && going.allSatisfy { $0.club != club }
  }

  /// Pauses all transfers; that is in the journal when it returns.
  func pauseAll() async throws(StoreError) { try await hub.pauseAllAndStop() }

  /// Hands the transfers to a process in the background.
  func goOnInBackground() async throws(StoreError) -> String? {
    if let club = base.clubOfToken, await hub.goingOn.contains(where: { $0.club == club }), !isSignedIn(club) {
      throw StoreError(
        .notSignedIn,
        "The club \"\(club)\" was opened with the token of \(Environment.tokenVariable), which byteclub gives to no other "
          + "process.", remedy: "Wait for its transfers, or sign in with: \(base.loginCommand(club))")
    }
    let count = await hub.goingOn.count
    // They may have ended since the member was asked.
    guard count > 0 else { return nil }
    let (config, pool) = (base.configFile, base.pool)
    try await hub.handOver { () throws(StoreError) in
      _ = try await pool.run { () throws(StoreError) in try BackgroundProcess.start(config: config) }
    }
    base.log.info("the transfers go on in the background", ["count": "\(count)"])
    let what = count == 1 ? "One transfer goes" : "\(count) transfers go"
    return "\(what) on in the background. See them with: \(base.transferCommand("ls"))"
  }

  /// Whether a process without the variable has another token for the club.
  private func isSignedIn(_ club: String) -> Bool {
    guard let setup = try? base.setup(of: club, withToken: false) else { return false }
    switch setup.signIn {
    case .none: return true
    case .secret(let secret): return secret.command != nil
    case .tokens(let tokens):
      if tokens.command != nil { return true }
      guard let account = try? ClubAccount(setup).account else { return false }
      return (try? TokenFile(directory: setup.paths.tokensDirectory, account: account).read()) != nil
    }
  }
}
