import Backends
import Basics
import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

/// A store with a local copy keeps the promises of every store.
@Suite struct CopyStoreChecks {
  private func around(_ store: any FileStore) throws -> LocalCopyStore {
    let connection = StoreConnection(now: { 0 })
    connection.observe(.answered)
    return LocalCopyStore(
      LocalCopy(
        club: "c", photosFolder: try StorePath("photos"), store: store, direct: store,
        database: LocalCopyDatabase(openingLater: ":memory:"), outbox: OutboxDatabase(openingLater: ":memory:"),
        connection: connection, pool: BlockingPool(threads: 2), freshness: .atOnce))
  }

  @Test(arguments: StoreChecks.all) func `it keeps its promise`(check: StoreCheck) async throws {
    try await check.run(StoreUnderTest(try around(MemoryStore())))
  }

  @Test(arguments: StoreChecks.all) func `it keeps its promise after a first list`(check: StoreCheck) async throws {
    let store = try around(MemoryStore())
    _ = try await store.list(.root, ListOptions(.full), after: nil)
    try await check.run(StoreUnderTest(store))
  }

  @Test func `it has each capability of its base, and forwards every call`() async throws {
    try await StoreChecks.checkForwarding { store in
      do {
        return try around(store)
      } catch {
        return store
      }
    }
  }
}
