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

  /// Ceph 16 tells no ETag at the end of an upload.
  @Test(arguments: [(4, nil), (3, StoreError.Kind.conflict)])
  func `an upload whose end tells no ETag is there, unless a file of another size is`(
    row: (size: Int, error: StoreError.Kind?)
  ) async throws {
    let transport = ScriptedTransport { asked in
      switch asked.request.method {
      case .head: head("there", row.size)
      case .get where asked.target.contains("uploadId"):
        S3Scene.xml(
          200, "<R><Part><PartNumber>1</PartNumber><Size>4</Size><ETag>&quot;part&quot;</ETag></Part></R>")
      case .get: S3Scene.xml(200, S3Scene.page("", token: nil))
      default: S3Scene.xml(200, "<R><UploadId>u</UploadId><ETag></ETag></R>")
      }
    }
    let uploads = S3Uploads(store: try S3Scene.store(transport))
    let path = try StorePath("a.jpg")
    let session = try await uploads.begin(path, size: 4)
    do throws(StoreError) {
      let entry = try await uploads.finish(session, size: 4, at: path, mode: .create)
      #expect(entry.etag == "there" && row.error == nil)
    } catch {
      #expect(error.kind == row.error && error.current?.size == 3, "\(error)")
    }
  }
}
