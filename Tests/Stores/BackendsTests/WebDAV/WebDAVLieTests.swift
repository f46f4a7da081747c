import FileStores
import TestKit
import Testing

@testable import Backends

/// Servers that confirm what they have not, or send what is not the file.
@Suite(.serialized) struct WebDAVLieTests {
  private func run(_ lie: LyingTransport.Lie) async throws {
    let server = try WebDAVServer.shared
    let club = try await server.newTestedClub()
    let line = LyingLine()
    let store = try server.open(club, tune: { $0.sendOverBadLine(seed: 1) }, through: { LyingTransport($0, line) })
    try await LieCheck.run(lie, store, over: line, honest: server.open(club))
    try server.expectClean(club)
  }

  @Test(
    "WebDAV at Apache, over a line that lies:",
    .enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"), .served(by: .apache),
    arguments: LyingTransport.Lie.allCases)
  func apache(lie: LyingTransport.Lie) async throws { try await run(lie) }

  @Test(
    "WebDAV at WsgiDAV, over a line that lies:",
    .enabled(if: WebDAVServer.Kind.wsgidav.program != nil, "WsgiDAV is not installed"), .served(by: .wsgidav),
    arguments: LyingTransport.Lie.allCases)
  func wsgidav(lie: LyingTransport.Lie) async throws { try await run(lie) }

  @Test(
    .enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"), .served(by: .apache),
    arguments: [100, 3 << 20])
  func `a server that confirms a file before it has it is not asked, and files of any size are whole`(size: Int)
    async throws
  {
    let server = try WebDAVServer.shared
    let store = try server.open(
      try server.newClub(), tune: { $0.sweeps = false }, findings: FindingsMemory(), through: { EarlyAnswers(base: $0) }
    )
    let findings = try await store.server.findings()
    #expect(findings["asks"] == "early")
    #expect(WebDAVSelfTest().sentences(findings).contains { $0.contains("confirms files before it has them") })
    let path = try StorePath("a.md")
    let first = try await store.put(DataSource("the old text".utf8), at: path, mode: .create)
    let bytes = pattern(size)
    let second = try await store.put(DataSource(bytes), at: path, mode: .replace(#require(first.revision)))
    #expect(second.size == UInt64(size))
    #expect(try await store.readAll(path).bytes == bytes)
    _ = try await store.put(DataSource(bytes), at: StorePath("b.md"), mode: .create)
    #expect(try await store.readAll(StorePath("b.md")).bytes == bytes)
  }
}
