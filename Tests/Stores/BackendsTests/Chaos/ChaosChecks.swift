import FileStores
import TestKit
import Testing

@testable import Backends

/// The promises of a store at real servers behind a proxy with faults of every kind.
@Suite(.serialized) struct ChaosChecks {
  private static func steady(_ store: any FileStore) -> RetryingStore {
    RetryingStore(
      store, policy: RetryPolicy(attempts: 30), clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
  }

  private func webDAV(_ check: StoreCheck, _ seed: UInt64) async throws {
    let server = try WebDAVServer.shared
    let club = try await server.newTestedClub()
    let proxy = try ChaosProxy(to: UInt16(server.port), seed: seed)
    defer { proxy.stop() }
    let store = try server.open(club, at: proxy.url, tune: { $0.sendOverBadLine(seed: seed) })
    try await check.run(StoreUnderTest(Self.steady(store), other: server.open(club, tune: { $0.sweeps = false })))
    try server.expectClean(club)
  }

  @Test(
    "WebDAV at Apache behind a proxy with faults, through retries:",
    .enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"), .served(by: .apache),
    arguments: StoreChecks.share(2, seeds: [1, 2, 3, 4]))
  func apache(check: StoreCheck, seed: UInt64) async throws { try await webDAV(check, seed) }

  @Test(
    "WebDAV at WsgiDAV behind a proxy with faults, through retries:",
    .enabled(if: WebDAVServer.Kind.wsgidav.program != nil, "WsgiDAV is not installed"), .served(by: .wsgidav),
    arguments: StoreChecks.share(3, seeds: [1, 2]))
  func wsgidav(check: StoreCheck, seed: UInt64) async throws { try await webDAV(check, seed) }

  private static let findings = SharedFindings()

  @Test(
    "S3 behind a proxy with faults, through retries:",
    .enabled(if: S3Server.isThere, Comment(rawValue: PythonPackages.reason)),
    arguments: StoreChecks.share(0, seeds: [1, 2, 3, 4]))
  func bucket(check: StoreCheck, seed: UInt64) async throws {
    let server = try S3Server.shared.get()
    let (bucket, club) = (try await server.bucket("plain"), S3Server.newClub())
    let other = try server.store(bucket, club, findings: Self.findings)
    _ = try await other.server.findings()
    let proxy = try ChaosProxy(to: server.port, seed: seed)
    defer { proxy.stop() }
    let numbers = SharedNumbers(seed)
    let store = try server.store(bucket, club, at: proxy.url, findings: Self.findings) {
      ($0.clock, $0.random) = (ManualClock(advancesOnSleep: true), { numbers.next() })
    }
    try await check.run(StoreUnderTest(Self.steady(store), other: other))
  }
}
