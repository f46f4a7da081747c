import Basics
import FileStores
import TestKit
import Testing

@testable import Backends

/// The promises of a store at the server that `scripts/conformance` names.
@Suite(.serialized, .enabled(if: WebDAVServer.named != nil, "scripts/conformance names the server"))
struct WebDAVConformance {
  private static let kind = WebDAVServer.named ?? .apache

  /// Promises that a server makes impossible; docs/webdav.md names them.
  private static let weaker: [WebDAVServer.Kind: Set<String>] = [
    // Its PROPFIND leaves out names that begin with a dot.
    .nginx: ["Hidden names are listed, byteclub's own are not"],
    // Its MOVE removes the target first, so that a reader meets no file for a moment.
    .rclone: ["A chain of replaces by two writers loses no acknowledged write"],
    // Its PUT over so long a name fails (500), and so does a MOVE under a lock (412).
    .lighttpd: ["A name of the longest length works; one more byte is badName, with a reason"],
    // It takes names that begin with a byte order mark for Latin-1.
    .sabre: ["Names of every kind come back byte for byte, as files and as folders, or are badName"],
  ]

  private static func kept(_ checks: [StoreCheck]) -> [StoreCheck] {
    checks.filter { weaker[kind]?.contains($0.name) != true }
  }

  /// As the program uses a store.
  @Test("WebDAV, through retries:", .served(by: kind), arguments: kept(StoreChecks.all))
  func retried(check: StoreCheck) async throws {
    let server = try WebDAVServer.shared
    let club = try await server.newTestedClub()
    let stores = try (0..<2).map { _ in
      RetryingStore(try server.open(club), policy: RetryPolicy(firstPause: .milliseconds(50)))
    }
    try await check.run(StoreUnderTest(stores[0], other: stores[1]))
    try server.expectClean(club)
  }

  @Test("WebDAV, through retries over faults:", .served(by: kind), arguments: kept(StoreChecks.share(2)))
  func faulty(check: StoreCheck) async throws {
    let server = try WebDAVServer.shared
    let club = try await server.newTestedClub()
    let store = RetryingStore(
      FaultyStore(try server.open(club), seed: 2), policy: RetryPolicy(attempts: 12),
      clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
    try await check.run(StoreUnderTest(store, other: server.open(club)))
    try server.expectClean(club)
  }

  @Test(.served(by: kind)) func `of eight writers exactly one wins each round`() async throws {
    try await WebDAVRaces.run(rounds: 25)
  }

  @Test(.served(by: kind)) func `the findings are those that the manual names`() async throws {
    let server = try WebDAVServer.shared
    let store = server.description(try server.newClub())
    let findings = try await WebDAVSelfTest().run(on: store, pool: BlockingPool(), network: server.network(store))
    let way = WebDAVWay(findings)
    let row =
      "\(way)\(way.needsLease(findings) ? " and lease" : ""), body \(findings["body"] ?? ""), "
      + "revisions \(findings["revisions"] ?? ""), parts \(findings["parts"] ?? "")"
    let wanted: [WebDAVServer.Kind: String] = [
      .nginx: "lock, body whole, revisions same, parts none",
      .lighttpd: "condition and lease, body whole, revisions differ, parts none",
      .rclone: "lock and lease, body torn, revisions differ, parts none",
      .sabre: "condition and lease, body whole, revisions differ, parts patch",
    ]
    #expect(row == wanted[Self.kind], "\(findings)")
  }
}
