import Basics
import FileStores
import Foundation
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

  /// As the program uses a store.
  @Test(
    "WebDAV at WsgiDAV, through retries:",
    .enabled(if: WebDAVServer.Kind.wsgidav.program != nil, "WsgiDAV is not installed"),
    .served(by: .wsgidav), arguments: StoreChecks.share(2))
  func wsgidav(check: StoreCheck) async throws {
    let server = try WebDAVServer.shared
    let club = try await server.newTestedClub()
    let stores = try (0..<2).map { _ in
      RetryingStore(try server.open(club), policy: RetryPolicy(firstPause: .milliseconds(50)))
    }
    try await check.run(StoreUnderTest(stores[0], other: stores[1], replacesAtOnce: false))
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
    #expect(findings["names"] == "kept" && findings["asks"] == "kept", "\(findings)")
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
    let lost = try #require(LostNames(findings))
    #expect(try ["a?b", "a;b"].allSatisfy { lost.isIn(try StorePath($0)) }, "\(findings)")
    #expect(findings["asks"] == "kept")
  }

  @Test(
    .enabled(if: WebDAVServer.Kind.wsgidav.program != nil, "WsgiDAV is not installed"),
    .served(by: .wsgidav))
  func `revisions that differ because a second has passed are no revisions that differ`() async throws {
    let server = try WebDAVServer.shared
    let store = try server.open(
      try server.newClub(), tune: { $0.sweeps = false }, findings: FindingsMemory(),
      through: { AgedNotes(base: $0, files: server.files) })
    #expect(try await store.server.findings()["revisions"] == "same")
  }

  @Test(
    .enabled(if: WebDAVServer.Kind.wsgidav.program != nil, "WsgiDAV is not installed"), .served(by: .wsgidav),
    arguments: ["q?x.md", "q;x.md", "sub/q?x/a.md"])
  func `a name that WsgiDAV would cut off is refused, and leaves nothing`(name: String) async throws {
    let server = try WebDAVServer.shared
    let club = try await server.newTestedClub()
    let requests = Counter()
    let store = try server.open(
      club, tune: { $0.sweeps = false }, through: { CountingTransport(base: $0, counter: requests) })
    let path = try StorePath(name)
    let there = try await store.put(DataSource("text".utf8), at: StorePath("a.md"), mode: .create).path
    let (before, names) = (requests.value, try server.names(club))
    let trash = try #require(store.capabilities.trash)
    let writes: [(@Sendable () async throws -> Void)] = [
      { _ = try await store.put(DataSource("text".utf8), at: path, mode: .create) },
      { try await store.createFolder(path) },
    ]
    for write in writes {
      let error = await #expect(throws: StoreError.self) { try await write() }
      #expect(
        error?.kind == .badName && error?.message.contains("loses files with") == true, "\(String(describing: error))")
    }
    #expect(requests.value == before)
    let moved = await #expect(throws: StoreError.self) {
      try await store.move(there, to: path, ifRevision: nil)
    }
    #expect(moved?.kind == .badName)
    // Another program's file of such a name stays where it is.
    try Data("theirs".utf8).write(to: URL(filePath: "\(server.files)/\(club)/p?.md"))
    let discarded = await #expect(throws: StoreError.self) {
      try await trash.discard(StorePath("p?.md"), ifRevision: nil)
    }
    #expect(discarded?.kind == .badName)
    #expect(try server.names(club) == (names + ["p?.md"]).sorted())
  }

  @Test(arguments: [
    (
      ["create": "kept", "replace": "kept", "match": "strong", "overlap": "kept", "answer": "tag"],
      WebDAVWay.condition
    ),
    (["create": "kept", "replace": "kept", "match": "strong", "overlap": "status 204", "lock": "kept"], .lock),
    (["create": "ignored", "replace": "ignored", "tag": "none", "lock": "kept"], .lock),
    (["create": "kept", "replace": "kept", "match": "weak", "lock": "none"], .condition),
    (["create": "kept", "replace": "kept", "match": "status 412", "lock": "none"], .none),
    (["create": "kept", "replace": "kept", "match": "status 412", "lock": "kept"], .lock),
    (["revisions": "never", "lock": "kept"], .none),
    (["create": "ignored", "replace": "kept", "match": "strong", "lock": "none"], .none),
    (["create": "kept", "replace": "kept", "match": "none", "lock": "statuses 204, 200, 204, 204"], .none),
    ([:], .none),
  ])
  func `the findings choose the way of writing`(row: (answers: [String: String], way: WebDAVWay)) {
    let findings = ServerFindings(
      kind: "webdav", version: 1, server: "", answers: row.answers.map { ServerFindings.Answer($0.key, $0.value) })
    #expect(WebDAVWay(findings) == row.way)
    #expect(!WebDAVSelfTest().sentences(findings).isEmpty)
  }
}

private struct CountingTransport: HTTPTransport {
  let base: any HTTPTransport
  let counter: Counter

  func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    counter.add(1)
    return try await base.exchange(request, sent: sent, receive)
  }
}

/// Makes each file that is written on a condition, and refused, a minute older, as if the time had passed.
private struct AgedNotes: HTTPTransport {
  let base: any HTTPTransport
  let files: String

  func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    let response = try await base.exchange(request, sent: sent, receive)
    guard request.method == .put, request.headers["If-Match"] != nil, let path = URL(string: request.url)?.path,
      path.hasSuffix("/note")
    else {
      return response
    }
    let old = timespec(tv_sec: time(nil) - 60, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, files + path, [old, old], 0) == 0)
    return response
  }
}
