import Basics
import FileStores
import TestKit
import Testing

@testable import Backends

/// Names that servers lose, in the self-tests of all kinds.
@Suite struct LostNamesTests {
  @Test(arguments: [
    ("kept", ""), ("%&", "% or &"), ("?#;", "#, ? or ;"), ("\\", "\\"), ("cut", ""), ("+ ", "spaces or +"),
  ])
  func `the characters that a server loses are told to people`(row: (answer: String, words: String)) throws {
    let findings = ServerFindings(
      kind: "webdav", version: 1, server: "", answers: [ServerFindings.Answer("names", row.answer)])
    #expect(LostNames(findings)?.words ?? "" == row.words)
    for character in LostNames.odd {
      let path = try StorePath("a\(character)b/c.md")
      let isLost = row.answer.contains(character)
      do throws(StoreError) {
        try findings.checkHeld(path, by: "h.test")
        #expect(!isLost, "\(character)")
      } catch {
        #expect(isLost && error.kind == .badName, "\(character)")
      }
    }
  }

  /// A server, by what it makes of each name, and the characters that it loses so.
  private static let servers: [(about: String, keeps: @Sendable (String) -> String, lost: String)] = [
    ("keeps all", { $0 }, "kept"),
    ("cuts at ?", { String($0.prefix { $0 != "?" }) }, "?"),
    ("cuts at # and ;", { String($0.prefix { $0 != "#" && $0 != ";" }) }, "#;"),
    ("decodes twice", { PercentEncoding.decoded($0, plusIsSpace: false) ?? $0 }, "%"),
    ("decodes twice, as a form", { PercentEncoding.decoded($0) ?? $0 }, "+%"),
    ("takes a backslash for a slash", { $0.replacing("\\", with: "/") }, "\\"),
  ]

  @Test(arguments: servers.indices) func `an S3 server that loses names is found, and such names are refused`(
    row: Int
  ) async throws {
    let (about, keeps, lost) = Self.servers[row]
    let server = S3Double(keptName: keeps)
    let client = try S3Scene.store(server.transport).client
    let findings = try await S3SelfTest().run(client, word: 7)
    #expect(findings["names"] == lost, "\(about)")
    #expect(server.keys == [])
    let sentences = S3SelfTest().sentences(findings).filter { $0.contains("loses files") }
    #expect(sentences.count == (lost == "kept" ? 0 : 1))
    let store = try S3Scene.store(server.transport, findings: findings)
    for character in LostNames.odd {
      let path = try StorePath("a\(character)41")
      do throws(StoreError) {
        _ = try await store.put(DataSource("text".utf8), at: path, mode: .create)
        #expect(server.keys.contains("p/\(path)") && !lost.contains(character), "\(about): \(character)")
        try await store.delete(path, ifRevision: nil)
      } catch {
        #expect(error.kind == .badName && lost.contains(character), "\(about): \(character): \(error)")
      }
    }
    #expect(server.keys == [], "\(about)")
  }

  @Test func `an S3 server that confirms a file before it has it is not asked, and every body has a length`()
    async throws
  {
    let server = S3Double()
    let transport = server.transport
    let early = EarlyAnswers(base: transport)
    let findings = try await S3SelfTest().run(S3Scene.store(early).client, word: 7)
    #expect(findings["asks"] == "early")
    #expect(S3SelfTest().sentences(findings).contains { $0.contains("confirms files before it has them") })
    let store = try S3Scene.store(early, findings: findings)
    let bytes = pattern(3 << 20)
    let path = try StorePath("a.jpg")
    #expect(try await store.put(DataSource(bytes), at: path, mode: .create).size == 3 << 20)
    #expect(try await store.readAll(path).bytes == bytes)
    let uploads = S3Uploads(store: store)
    let session = try await uploads.begin(StorePath("b.jpg"), size: 3 << 20)
    #expect(try await uploads.append(bytes[...], to: session, at: 0) == 3 << 20)
    #expect(transport.recorded.allSatisfy { $0.request.body.length != nil })
  }

  @Test func `an S3 server that waits for the bodies it is asked about is asked for large ones`() async throws {
    let server = S3Double()
    let findings = try await S3SelfTest().run(S3Scene.store(server.transport).client, word: 7)
    #expect(findings["asks"] == "kept")
    let transport = server.transport
    let store = try S3Scene.store(transport, findings: findings)
    _ = try await store.put(DataSource(pattern(3 << 20)), at: StorePath("a.jpg"), mode: .create)
    let asked = transport.recorded.filter { ($0.request.body.length ?? 0) >= $0.request.asksFrom }
    #expect(asked.map(\.request.method) == [.put])
  }
}
