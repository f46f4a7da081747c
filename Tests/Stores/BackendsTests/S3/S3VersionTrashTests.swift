import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// The trash of a bucket with versioning, at moto. (Ceph 16 with versioning is read-only.)
@Suite(.serialized, .enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason)))
struct S3VersionTrashTests {
  private static let findings = SharedFindings()

  private func store() async throws -> S3Store {
    let server = try S3Server.shared.get()
    let bucket = try await server.bucket("versioned", isVersioned: true)
    let store = try server.store(bucket, S3Server.newClub(), findings: Self.findings)
    _ = try await store.server.findings()
    return store
  }

  private func write(_ store: S3Store, _ path: StorePath, _ text: String) async throws -> FileEntry {
    try await store.put(DataSource(text.utf8), at: path, mode: .overwrite)
  }

  @Test func `a discarded file comes back as the same revision, with its history`() async throws {
    let (store, path) = (try await store(), try StorePath("sub/note.md"))
    _ = try await write(store, path, "one")
    let last = try await write(store, path, "two")
    let trash = S3VersionTrash(store: store)
    let file = try await trash.discard(path, ifRevision: last.revision)
    #expect(try await store.allFiles(below: .root, own: true).map(\.path.description) == ["sub"])
    #expect(try await trash.restore(file.id).revision == last.revision)
    #expect(try await S3History(store: store).versions(of: path, limit: 10).map(\.size) == [3, 3])
  }

  /// moto says whole seconds: some of these tries are within one.
  @Test func `a file that is discarded right after its save is in the trash, and a moved one is not`() async throws {
    let store = try await store()
    let trash = S3VersionTrash(store: store)
    for number in 0..<4 {
      let path = try StorePath("a\(number)")
      let last = try await write(store, path, "text")
      let file = try await trash.discard(path, ifRevision: last.revision)
      #expect(try await trash.contents().contains(file))
      #expect(try await trash.restore(file.id).revision == last.revision)
      let moved = try StorePath("b\(number)")
      _ = try await store.move(path, to: moved, ifRevision: last.revision)
      #expect(try await !trash.contents().contains { $0.origin == path })
    }
  }

  @Test(arguments: ["", "text"]) func `a move leaves nothing in the trash, and its old name is free`(text: String)
    async throws
  {
    let (store, path, target) = (try await store(), try StorePath("a"), try StorePath("sub/b"))
    let old = try await write(store, path, text)
    _ = try await store.move(path, to: target, ifRevision: old.revision)
    #expect(try await S3VersionTrash(store: store).contents().isEmpty)
    #expect(try await S3History(store: store).versions(of: path, limit: 10).map(\.size) == [UInt64(text.utf8.count)])
    #expect(try await store.put(DataSource("new".utf8), at: path, mode: .create).size == 3)
    #expect(try await store.readAll(target, limit: 10).bytes == Array(text.utf8))
  }

  @Test func `a deletion by another program is in the trash`() async throws {
    let (store, path) = (try await store(), try StorePath("a"))
    let old = try await write(store, path, "text")
    _ = try await store.client.answer(S3Call(.delete, store.place.key(path), about: path))
    let trash = S3VersionTrash(store: store)
    let file = try #require(try await trash.contents().first)
    #expect(file.origin == path && file.size == 4)
    #expect(try await trash.restore(file.id).revision == old.revision)
    #expect(try await trash.contents().isEmpty)
  }

  @Test func `emptying leaves no version of what was in the trash, and all of the others`() async throws {
    let (store, path, other) = (try await store(), try StorePath("a"), try StorePath("b"))
    for text in ["1", "2"] {
      _ = try await write(store, path, text)
      _ = try await write(store, other, text)
    }
    let trash = S3VersionTrash(store: store)
    _ = try await trash.discard(path, ifRevision: nil)
    #expect(try await trash.empty() == 1)
    #expect(try await store.versions(of: path, most: 10).isEmpty)
    #expect(try await store.versions(of: other, most: 10).count == 2)
  }

  @Test func `a version under another name leaves its old name deleted`() async throws {
    let (store, path) = (try await store(), try StorePath("a"))
    _ = try await write(store, path, "text")
    let trash = S3VersionTrash(store: store)
    let file = try await trash.discard(path, ifRevision: nil)
    #expect(try await trash.restore(file.id, as: StorePath("b")).size == 4)
    #expect(try await store.entryIfAny(path) == nil)
    #expect(try await trash.contents().isEmpty)
    #expect(try await S3History(store: store).versions(of: path, limit: 10).count == 1)
  }

  @Test func `a version that the history brings back is no longer in the trash`() async throws {
    let (store, path) = (try await store(), try StorePath("a"))
    let old = try await write(store, path, "text")
    let trash = S3VersionTrash(store: store)
    _ = try await trash.discard(path, ifRevision: nil)
    _ = try await S3History(store: store).restore(try #require(old.revision), of: path, over: nil)
    #expect(try await store.readAll(path, limit: 10).bytes == Array("text".utf8))
    #expect(try await trash.contents().isEmpty)
  }

  @Test func `copies from the time before versioning are in the trash, too`() async throws {
    let (store, path) = (try await store(), try StorePath("a"))
    _ = try await write(store, path, "text")
    let file = try await S3Trash(store: store).discard(path, ifRevision: nil)
    let trash = S3VersionTrash(store: store)
    #expect(try await trash.contents() == [file])
    #expect(try await trash.restore(file.id).path == path)
    _ = try await S3Trash(store: store).discard(path, ifRevision: nil)
    #expect(try await trash.empty() == 1)
    #expect(try await trash.contents().isEmpty)
  }

  @Test func `the mark of a move shows neither in a list nor as a change`() async throws {
    let (store, path) = (try await store(), try StorePath("a"))
    let cursor = try await store.changes.start()
    _ = try await store.reserve(path, mark: S3Store.movedMark)
    #expect(try await store.list(.root, ListOptions(.full), after: nil).entries.isEmpty)
    #expect(try await store.changes.poll(since: cursor).changes.isEmpty)
  }
}

/// The same by scripted answers.
struct S3MarkerTests {
  private static let versioned = ServerFindings(
    kind: "s3", version: S3SelfTest().version, server: "",
    answers: ["create", "replace", "completeCreate", "completeReplace", "copyTarget"].map {
      ServerFindings.Answer($0, "kept")
    } + [ServerFindings.Answer("delete", "ignored"), ServerFindings.Answer("versions", "yes")])

  private func version(
    _ key: String, _ id: String, etag: String?, isLatest: Bool = false, second: Int = 5
  ) -> String {
    let name = etag == nil ? "DeleteMarker" : "Version"
    return "<\(name)><Key>\(key)</Key><VersionId>\(id)</VersionId><IsLatest>\(isLatest)</IsLatest>"
      + "<LastModified>2026-01-02T03:04:0\(second).000Z</LastModified>"
      + (etag.map { "<ETag>&quot;\($0)&quot;</ETag><Size>3</Size>" } ?? "") + "</\(name)>"
  }

  private func list(_ inside: String, next: (String, String)? = nil) -> ScriptedTransport.Answer {
    let rest =
      next.map {
        "<IsTruncated>true</IsTruncated><NextKeyMarker>\($0.0)</NextKeyMarker>"
          + "<NextVersionIdMarker>\($0.1)</NextVersionIdMarker>"
      } ?? ""
    return S3Scene.xml(200, "<ListVersionsResult>\(inside)\(rest)</ListVersionsResult>")
  }

  @Test func `within a second the server's order of versions and markers counts, across pages`() async throws {
    let transport = ScriptedTransport([
      list(
        version("p/a", "m3", etag: nil, isLatest: true) + version("p/a", "m2", etag: nil)
          + version("p/a", "v2", etag: "2") + version("p/a", "v1", etag: "1"), next: ("p/a", "v1")),
      list(
        version("p/a", "m0", etag: nil) + version("p/a", "v0", etag: "0")
          + version("p/.byteclub-trash/x", "m", etag: nil)
          + version("p/b", "w", etag: "3", isLatest: true) + version("p/c", "m", etag: nil, isLatest: true)),
    ])
    let found = try await S3Scene.store(transport, findings: Self.versioned).deletions()
    #expect(found.map(\.marker.id) == ["m2", "m0"])
    #expect(found.map { $0.hidden.map(\.id) } == [["v2", "v1"], ["v0"]])
  }

  /// The versions of a key first, then its markers, as moto lists them.
  @Test(
    arguments: [
      ("v1 m*", ["m"], [["v1"]]), ("v2 v1 m*", ["m"], [["v2", "v1"]]),
      ("v2 v1 m2* m1", ["m2", "m1"], [["v2"], ["v1"]]),
      ("v1 m2* m1", ["m2"], [["v1"]]), ("v2* v1 m", [], []), ("v2* m v1", ["m"], [["v1"]]),
    ] as [(String, [String], [[String]])])
  func `within a second the latest is first, wherever the server lists it`(
    row: (list: String, markers: [String], hidden: [[String]])
  ) async throws {
    let store = try S3Scene.store(ScriptedTransport([list(versions(row.list))]), findings: Self.versioned)
    let found = try await store.deletions(of: StorePath("a"))
    #expect(found.map(\.marker.id) == row.markers && found.map { $0.hidden.map(\.id) } == row.hidden)
  }

  /// The latest has a star. An id may end with its second.
  private func versions(_ words: String) -> String {
    words.split(separator: " ").map { word in
      let id = String(word.filter { $0 != "*" })
      return version(
        "p/a", id, etag: id.hasPrefix("m") ? nil : id, isLatest: word.hasSuffix("*"),
        second: id.split(separator: "@").dropFirst().first.flatMap { Int($0) } ?? 5)
    }.joined()
  }

  @Test(
    arguments: [
      ("v2* v1 m", ["m"], [["v1"]]), ("v1* m", [], []), ("v1* m2 m1", [], []),
      ("v3* v2 v1 m2 m1", ["m2", "m1"], [["v2"], ["v1"]]),
      ("v1 m2* m1", ["m2"], [["v1"]]), ("v2 v1 m2* m1", ["m2", "m1"], [["v2"], ["v1"]]),
      ("v2@5* v1@4 m@4", ["m@4"], [["v1@4"]]),
      ("v1@4 v0@3 m2@5* m1@4", ["m2@5", "m1@4"], [["v1@4"], ["v0@3"]]),
      ("v3@5* v1@4 v0@3 m2@4 m1@4", ["m2@4", "m1@4"], [["v1@4"], ["v0@3"]]),
    ] as [(String, [String], [[String]])])
  func `where a server lists deletions apart, the two kinds of one second take turns`(
    row: (list: String, markers: [String], hidden: [[String]])
  ) async throws {
    let findings = ServerFindings(
      kind: "s3", version: S3SelfTest().version, server: "",
      answers: Self.versioned.answers + [ServerFindings.Answer("order", "kinds")])
    let store = try S3Scene.store(ScriptedTransport([list(versions(row.list))]), findings: findings)
    let found = try await store.deletions(of: StorePath("a"))
    #expect(found.map(\.marker.id) == row.markers && found.map { $0.hidden.map(\.id) } == row.hidden)
  }

  @Test func `a file that is gone without a listed marker is reported as deleted, not as changed`() async throws {
    let head = S3Scene.xml(200, "", ["ETag": "\"a\"", "Content-Length": "3"])
    let gone = S3Scene.xml(404, "")
    let transport = ScriptedTransport([
      head, S3Scene.xml(204, ""), list(version("p/n", "v", etag: "a")), gone,
      S3Scene.xml(200, S3Scene.page("", token: nil)),
    ])
    let store = try S3Scene.store(transport, findings: Self.versioned)
    let error = await #expect(throws: StoreError.self) {
      try await S3VersionTrash(store: store).discard(StorePath("n"), ifRevision: nil)
    }
    #expect(error?.kind == .server && error?.message.contains("was deleted") == true, "\(String(describing: error))")
  }

  @Test func `a newer text that a deletion has hidden comes back`() async throws {
    let head = { (etag: String) in S3Scene.xml(200, "", ["ETag": "\"\(etag)\"", "Content-Length": "3"]) }
    let transport = ScriptedTransport([
      head("a"), head("a"), S3Scene.xml(204, ""),
      list(version("p/n", "m", etag: nil, isLatest: true) + version("p/n", "v", etag: "b")), S3Scene.xml(204, ""),
      head("b"),
    ])
    let store = try S3Scene.store(transport, findings: Self.versioned)
    let path = try StorePath("n")
    let error = await #expect(throws: StoreError.self) {
      try await S3VersionTrash(store: store).discard(path, ifRevision: Revision(etag: "a", of: path))
    }
    #expect(error?.kind == .conflict && error?.current?.etag == "b")
    #expect(
      transport.recorded.filter { $0.request.method == .delete }.map(\.request.url).last?.hasSuffix("?versionId=m")
        == true)
  }

  @Test(arguments: [
    "<ListBucketResult/>", "<ListVersionsResult><Version><Key>p/a</Key></Version></ListVersionsResult>",
    "<ListVersionsResult><IsTruncated>true</IsTruncated></ListVersionsResult>", "<ListVersionsResult>", "",
    "<ListVersionsResult><DeleteMarker><Key>p/a</Key><VersionId>a b</VersionId></DeleteMarker></ListVersionsResult>",
  ])
  func `an answer that is no list of versions is a wrong answer`(body: String) async throws {
    let store = try S3Scene.store(ScriptedTransport([S3Scene.xml(200, body)]), findings: Self.versioned)
    let error = await #expect(throws: StoreError.self) { try await store.deletions() }
    #expect(error?.isWrongAnswer == true, "\(String(describing: error))")
  }

  @Test func `a list of versions that begins again and again, or never ends, is an error`() async throws {
    let page = list("", next: ("p/a", "v"))
    let store = try S3Scene.store(ScriptedTransport([page, page, page]), findings: Self.versioned)
    let error = await #expect(throws: StoreError.self) { try await store.deletions() }
    #expect(error?.kind == .corrupt)
    let empty = (0..<1100).map { list("", next: ("p/\($0)", "v")) }
    let other = try S3Scene.store(ScriptedTransport(empty), findings: Self.versioned)
    #expect(await #expect(throws: StoreError.self) { try await other.deletions() }?.kind == .tooLarge)
  }
}
