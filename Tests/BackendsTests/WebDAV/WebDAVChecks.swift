import FileStores
import TestKit
import Testing

@testable import Backends

/// The promises of a store, at real servers.
@Suite(.serialized) struct WebDAVChecks {
  @Test(
    "WebDAV at Apache:", .enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"),
    .served(by: .apache), arguments: StoreChecks.all)
  func apache(check: StoreCheck) async throws {
    let server = try WebDAVServer.shared
    let club = try await server.newTestedClub()
    try await check.run(StoreUnderTest(server.open(club), other: server.open(club)))
    try server.expectClean(club)
  }

  @Test(
    "WebDAV through retries over faults:",
    .enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"), .served(by: .apache),
    arguments: StoreChecks.share(1))
  func faulty(check: StoreCheck) async throws {
    let server = try WebDAVServer.shared
    let club = try await server.newTestedClub()
    let store = RetryingStore(
      FaultyStore(try server.open(club), seed: 1), policy: RetryPolicy(attempts: 12),
      clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
    try await check.run(StoreUnderTest(store, other: server.open(club)))
    try server.expectClean(club)
  }

  /// WsgiDAV decodes the target of a MOVE before it takes it apart, so that a name with `?` cannot be one (docs/webdav.md).
  private static let oddNames = "Names of every kind come back byte for byte, as files and as folders, or are badName"

  /// As the program uses a store.
  @Test(
    "WebDAV at WsgiDAV, through retries:",
    .enabled(if: WebDAVServer.Kind.wsgidav.program != nil, "WsgiDAV is not installed"),
    .served(by: .wsgidav), arguments: StoreChecks.share(2).filter { $0.name != oddNames })
  func wsgidav(check: StoreCheck) async throws {
    let server = try WebDAVServer.shared
    let club = try await server.newTestedClub()
    let stores = try (0..<2).map { _ in
      RetryingStore(try server.open(club), policy: RetryPolicy(firstPause: .milliseconds(50)))
    }
    try await check.run(StoreUnderTest(stores[0], other: stores[1]))
    try server.expectClean(club)
  }
}

/// The findings about real servers, which decide how byteclub writes there.
@Suite(.serialized) struct WebDAVSelfTestTests {
  @Test(.enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"), .served(by: .apache))
  func `Apache compares too early, and has locks`() async throws {
    let server = try WebDAVServer.shared
    let club = try server.newClub()
    let store = server.description(club)
    let findings = try await WebDAVSelfTest().run(on: store, pool: BlockingPool(), network: server.network(store))
    #expect(findings["create"] == "kept" && findings["replace"] == "kept" && findings["lock"] == "kept")
    #expect(findings["overlap"] != "kept" && findings["body"] == "whole" && findings["revisions"] == "differ")
    #expect(findings["move"] == "kept" && findings["range"] == "kept")
    #expect(findings["held"] == "kept" && findings["parts"] == "contentRange", "\(findings)")
    #expect(findings.server.hasPrefix("Apache"))
    #expect(WebDAVWay(findings) == .lock, "\(findings)")
    #expect(allNames("\(server.files)/\(club)/.byteclub") == [])
  }

  @Test(
    .enabled(if: WebDAVServer.Kind.wsgidav.program != nil, "WsgiDAV is not installed"),
    .served(by: .wsgidav))
  func `WsgiDAV writes in place, within whole seconds`() async throws {
    let server = try WebDAVServer.shared
    let store = server.description(try server.newClub())
    let findings = try await WebDAVSelfTest().run(on: store, pool: BlockingPool(), network: server.network(store))
    #expect(findings["body"] == "torn" && findings["revisions"] == "same", "\(findings)")
    #expect(WebDAVWay(findings) == .lock && findings["parts"] == "none", "\(findings)")
  }

  @Test(arguments: [
    (["create": "kept", "replace": "kept", "tag": "strong", "overlap": "kept", "answer": "tag"], WebDAVWay.condition),
    (["create": "kept", "replace": "kept", "tag": "strong", "overlap": "status 204", "lock": "kept"], .lock),
    (["create": "ignored", "replace": "ignored", "tag": "none", "lock": "kept"], .lock),
    (["create": "kept", "replace": "kept", "tag": "strong", "lock": "none"], .condition),
    (["create": "ignored", "replace": "kept", "tag": "strong", "lock": "none"], .none),
    (["create": "kept", "replace": "kept", "tag": "none", "lock": "statuses 204, 200, 204, 204"], .none), ([:], .none),
  ])
  func `the findings choose the way of writing`(row: (answers: [String: String], way: WebDAVWay)) {
    let findings = ServerFindings(
      kind: "webdav", version: 1, server: "", answers: row.answers.map { ServerFindings.Answer($0.key, $0.value) })
    #expect(WebDAVWay(findings) == row.way)
    #expect(!WebDAVSelfTest().sentences(findings).isEmpty)
  }
}
