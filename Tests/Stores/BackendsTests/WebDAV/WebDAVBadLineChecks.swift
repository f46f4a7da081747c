import Basics
import FileStores
import TestKit
import Testing

@testable import Backends

/// The promises of a store over a line that loses requests and answers.
@Suite(.serialized) struct WebDAVBadLineChecks {
  private static func steady(_ store: WebDAVStore) -> RetryingStore {
    RetryingStore(
      store, policy: RetryPolicy(attempts: 12), clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
  }

  private func run(_ check: StoreCheck, seed: UInt64) async throws {
    let server = try WebDAVServer.shared
    let club = try await server.newTestedClub()
    let store = try server.open(
      club, tune: { $0.sendOverBadLine(seed: seed) }, through: { LossyTransport($0, seed: seed) })
    try await check.run(StoreUnderTest(Self.steady(store), other: server.open(club, tune: { $0.sweeps = false })))
    try server.expectClean(club)
  }

  @Test(
    "WebDAV through retries over a bad line:",
    .enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"), .served(by: .apache),
    arguments: StoreChecks.share(3, seeds: [1, 2, 3]))
  func apache(check: StoreCheck, seed: UInt64) async throws { try await run(check, seed: seed) }

  @Test(
    "WebDAV at WsgiDAV, through retries over a bad line:",
    .enabled(if: WebDAVServer.Kind.wsgidav.program != nil, "WsgiDAV is not installed"), .served(by: .wsgidav),
    arguments: StoreChecks.share(0, seeds: [1, 2]))
  func wsgidav(check: StoreCheck, seed: UInt64) async throws { try await run(check, seed: seed) }

  @Test(
    "WebDAV at a Nextcloud, through retries over a bad line:", .atNextcloud,
    arguments: StoreChecks.share(1, seeds: [1, 2, 3]))
  func nextcloud(check: StoreCheck, seed: UInt64) async throws {
    let cloud = try NextcloudDouble.shared
    let club = cloud.newClub()
    // The first one tests the server.
    let other = try await cloud.open(club)
    // All clubs of the account have one folder for uploads, whose names must differ.
    var names = FNV1a()
    names.add(check.name.utf8)
    names.add(seed)
    let store = try await cloud.open(
      club, tune: { $0.sendOverBadLine(seed: names.value) }, through: { LossyTransport($0, seed: seed) })
    try await check.run(StoreUnderTest(Self.steady(store), other: other))
    #expect(cloud.leavings(in: club).isEmpty)
  }
}
