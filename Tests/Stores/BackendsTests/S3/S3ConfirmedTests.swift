import FileStores
import TestKit
import Testing

@testable import Backends

/// Writes at a server that does not compare the hash of what it gets.
@Suite struct S3ConfirmedTests {
  private static let careless = ServerFindings(
    kind: S3Scene.kept.kind, version: S3Scene.kept.version, server: "",
    answers: S3Scene.kept.answers.filter { $0.name != "body" })

  private func put(_ there: ScriptedTransport.Answer?) async throws -> (FileEntry, requests: Int) {
    let tag = ["ETag": "\"new\""] as HTTPHeaders
    let folder = S3Scene.xml(200, S3Scene.page("", token: nil))
    let transport = ScriptedTransport([folder, S3Scene.xml(200, "", tag)] + (there.map { [$0] } ?? []))
    let store = try S3Scene.store(transport, findings: there == nil ? S3Scene.kept : Self.careless)
    return (try await store.put(DataSource("hello".utf8), at: StorePath("a"), mode: .create), transport.recorded.count)
  }

  private func head(_ etag: String, _ size: Int) -> ScriptedTransport.Answer {
    S3Scene.xml(200, "", ["ETag": "\"\(etag)\"", "Content-Length": "\(size)"])
  }

  @Test func `a file of another size than was sent is damage`() async throws {
    let error = await #expect(throws: StoreError.self) { try await put(head("new", 0)) }
    #expect(error?.kind == .corrupt && error?.message.contains("has 0 bytes") == true, "\(String(describing: error))")
  }

  @Test func `the size is asked for, unless the server compares hashes`() async throws {
    #expect(try await put(head("new", 5)).0.size == 5)
    let (entry, requests) = try await put(nil)
    #expect(entry.size == 5 && requests == 2)
  }

  @Test func `what another member has written since is not ours to compare`() async throws {
    #expect(try await put(head("theirs", 3)).0.etag == "new")
  }
}
