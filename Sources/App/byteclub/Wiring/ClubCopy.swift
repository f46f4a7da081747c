import Accounts
import Backends
import ClubServices
import Database
import FileStores

/// Puts the local copy of a club behind a network together.
enum ClubCopy {
  /// - Parameters:
  ///   - opened: the club's store, with retries.
  ///   - news: gets this member's writes before readers of changes do.
  /// - Returns: nil for a club without a network.
  static func make(
    _ setup: ClubSetup, _ opened: any FileStore, outbox: OutboxDatabase, news: NewsService,
    connection: StoreConnection?, key: String, freshness: LocalCopy.Freshness
  ) throws(StoreError) -> LocalCopy? {
    guard let connection, let retrying = opened as? RetryingStore else { return nil }
    let log = setup.log
    return LocalCopy(
      club: key, photosFolder: try setup.photosFolder(), store: SeenStore(retrying, news: news),
      direct: SeenStore(retrying.base, news: news),
      database: LocalCopyDatabase(openingLater: setup.paths.copiesFile), outbox: outbox, connection: connection,
      pool: setup.pool, freshness: freshness, account: { await account(setup) },
      onFailure: { log.error("the local copy could not be used", $0) }, hasNoteFolders: setup.config.hasNoteFolders)
  }

  /// The id of the account that this machine is signed in to; nil if a request would be needed.
  @Sendable private static func account(_ setup: ClubSetup) async -> String? {
    guard case .tokens = setup.signIn else { return nil }
    do throws(StoreError) {
      return try await ClubAccount(setup).tokens.keptAccountID()
    } catch {
      return nil
    }
  }
}
