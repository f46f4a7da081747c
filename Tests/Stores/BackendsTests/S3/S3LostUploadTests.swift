import FileStores
import Foundation
import TestKit
import Testing

@testable import Backends

/// Uploads that were begun at a bucket and whose id nobody has.
@Suite(.serialized, .enabled(if: S3Server.isThere, Comment(rawValue: PythonPackages.reason))) struct S3LostUploadTests {
  private static let findings = SharedFindings()

  @Test func `only uploads of the same name without a part are abandoned`() async throws {
    let server = try S3Server.shared.get()
    let store = try server.store(try await server.bucket("plain"), S3Server.newClub(), findings: Self.findings)
    let uploads = S3Uploads(store: store)
    let (path, longer) = (try StorePath("a b+c.jpg"), try StorePath("a b+c.jpg.md"))
    let lost = try await uploads.begin(path, size: nil)
    let alive = try await uploads.begin(path, size: nil)
    _ = try await uploads.append([1, 2, 3], to: alive, at: 0)
    let other = try await uploads.begin(longer, size: nil)
    try await uploads.abandonLost(to: path)
    let error = await #expect(throws: StoreError.self) { try await uploads.offset(of: lost) }
    #expect(error?.kind == .notFound)
    #expect(try await uploads.offset(of: alive) == 3)
    #expect(try await uploads.offset(of: other) == 0)
    for session in [alive, other] { try await uploads.abandon(session) }
  }

  private static func list(_ inside: String, more: String = "") -> ScriptedTransport.Answer {
    S3Scene.xml(
      200, "<ListMultipartUploadsResult><EncodingType>url</EncodingType>\(inside)\(more)</ListMultipartUploadsResult>")
  }

  private static func upload(_ key: String, _ id: String) -> String {
    "<Upload><Key>\(key)</Key><UploadId>\(id)</UploadId></Upload>"
  }

  @Test func `the list of uploads is read to its end`() async throws {
    let more =
      "<IsTruncated>true</IsTruncated><NextKeyMarker>p/a</NextKeyMarker><NextUploadIdMarker>one</NextUploadIdMarker>"
    let transport = ScriptedTransport([
      Self.list(Self.upload("p/a", "one"), more: more), Self.list(Self.upload("p/a", "two")),
      S3Scene.xml(200, "<ListPartsResult></ListPartsResult>"), .text(204, ""),
      S3Scene.xml(200, "<ListPartsResult></ListPartsResult>"), .text(204, ""),
    ])
    let uploads = S3Uploads(store: try S3Scene.store(transport))
    try await uploads.abandonLost(to: StorePath("a"))
    let deleted = transport.recorded.map(\.request).filter { $0.method == .delete }.map(\.url)
    #expect(deleted.count == 2 && deleted[0].contains("uploadId=one") && deleted[1].contains("uploadId=two"))
  }

  @Test(arguments: [
    "<Upload><Key>p/a</Key></Upload>", upload("p/a", ""),
    upload("p/a", String(repeating: "x", count: 2000)),
  ])
  func `a list that makes no sense is an error, and nothing is abandoned`(inside: String) async throws {
    let transport = ScriptedTransport([Self.list(inside)])
    let uploads = S3Uploads(store: try S3Scene.store(transport))
    let error = await #expect(throws: StoreError.self) {
      try await uploads.abandonLost(to: StorePath("a"))
    }
    #expect(error?.kind == .server && error?.isWrongAnswer == true)
  }

  @Test func `a list that does not come to an end is an error`() async throws {
    let more =
      "<IsTruncated>true</IsTruncated><NextKeyMarker>p/a</NextKeyMarker><NextUploadIdMarker>one</NextUploadIdMarker>"
    let transport = ScriptedTransport([Self.list("", more: more), Self.list("", more: more)])
    let uploads = S3Uploads(store: try S3Scene.store(transport))
    let error = await #expect(throws: StoreError.self) {
      try await uploads.abandonLost(to: StorePath("a"))
    }
    #expect(error?.message.contains("again") == true)
  }
}
