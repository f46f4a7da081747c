import Backends
import FileStores
import StoreServer
import TestKit
import Testing

/// The contract of a store, kept by both clients over a server that fails in every way it has.
@Suite(.serialized) struct ChaosStoreChecks {
  /// Every fault; about one request in four fails.
  static let everything =
    "latency=0.05:2ms,bandwidth=0.05:64MiB,429=0.03,503=0.03,500=0.03,refuse=0.03,cutbody=0.03,cut=0.05,"
    + "stall=0.02:5ms,junk=0.03,drop=0.05"

  @Test("Dropbox over a server that fails on purpose:", .served(chaos: 2), arguments: StoreChecks.share(1))
  func version2(check: StoreCheck) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let store = try await served.open(club, tune: { $0.pieceBytes = 1_000_000 })
    try await check.run(StoreUnderTest(steady(store), other: steady(served.open(club))))
  }

  @Test("Dropbox, version 1, over a server that fails on purpose:", .served(chaos: 1), arguments: StoreChecks.share(3))
  func version1(check: StoreCheck) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let store = try await served.openV1(club, tune: { $0.pieceBytes = 1_000_000 })
    try await check.run(StoreUnderTest(steady(store), other: steady(served.openV1(club))))
  }
}

/// A store that goes on trying, and does not wait in between.
func steady(_ store: any FileStore, attempts: Int = 30) -> RetryingStore {
  RetryingStore(
    store, policy: RetryPolicy(attempts: attempts), clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
}
