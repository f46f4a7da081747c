import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// A server that takes every write, whatever its conditions, and has no locks.
@Suite struct WebDAVReadOnlyTests {
  private static let pool = BlockingPool()
  private static let base = "/dav/club/"

  /// Files by their address; a folder's address ends with a slash.
  private final class CarelessServer: Sendable {
    private let files = Mutex<[String: [UInt8]]>([base: [], base + "note.md": Array("theirs".utf8)])

    func text(_ name: String) -> String? {
      files.withLock { $0[base + name].map { String(decoding: $0, as: UTF8.self) } }
    }

    func answer(_ asked: ScriptedTransport.Recorded) -> ScriptedTransport.Answer {
      let target = asked.target
      return files.withLock { files in
        switch asked.request.method {
        case .put: files[target] = asked.body
        case .mkcol: files[target] = []
        case .delete: files = files.filter { !$0.key.hasPrefix(target) }
        case .move:
          let destination = (asked.request.headers["Destination"] ?? "").dropFirst("https://h.example".count)
          files[String(destination)] = files.removeValue(forKey: target)
        case .get:
          guard let bytes = files[target] else { return .text(404, "") }
          return .response(HTTPResponse(200, headers: ["Content-Length": "\(bytes.count)"]), bytes)
        case .propfind:
          guard let bytes = files[target] else { return .text(404, "") }
          let kind = target.hasSuffix("/") ? "<D:collection/>" : ""
          return .text(
            207,
            """
            <D:multistatus xmlns:D="DAV:"><D:response><D:href>\(target)</D:href><D:propstat><D:prop>\
            <D:resourcetype>\(kind)</D:resourcetype><D:getcontentlength>\(bytes.count)</D:getcontentlength>\
            <D:getetag>"\(ContentHash(of: bytes).hex.prefix(8))"</D:getetag></D:prop>\
            <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
            """)
        default: return .text(405, "")
        }
        return .text(201, "")
      }
    }
  }

  private func store(_ server: CarelessServer, _ options: [String: String] = [:]) throws -> WebDAVStore {
    let description = StoreDescription(
      kind: "webdav",
      options: ["url": "https://h.example/dav/club", "user": "ann"].merging(options) { _, new in new })
    let network = StoreNetwork(
      transport: ScriptedTransport { server.answer($0) }, tokens: StaticToken("x"), findings: FindingsMemory())
    return try WebDAVKind.open(description, pool: Self.pool, network: network, tuning: WebDAVTuning())
  }

  @Test func `a club at a server that keeps no conditions is read-only`() async throws {
    let server = CarelessServer()
    let store = try store(server)
    let note = try StorePath("note.md")
    let there = try await store.entry(at: note)
    let revision = try #require(there.revision)
    let writes: [@Sendable () async throws -> Void] = [
      { _ = try await store.put(DataSource("mine".utf8), at: note, mode: .replace(revision)) },
      { _ = try await store.put(DataSource("mine".utf8), at: StorePath("new.md"), mode: .create) },
      { _ = try await store.move(note, to: StorePath("b.md"), ifRevision: revision) },
      { try await store.delete(note, ifRevision: revision) },
      { _ = try await #require(store.capabilities.trash).discard(note, ifRevision: revision) },
    ]
    for write in writes {
      let error = await #expect(throws: StoreError.self) { try await write() }
      #expect(error?.kind == .notPermitted && error?.message.contains("read-only") == true)
      #expect(error?.remedy.contains("unsafeWrites") == true)
    }
    #expect(store.limits.conditions == .none)
    #expect(server.text("note.md") == "theirs" && server.text("new.md") == nil && server.text("b.md") == nil)
    #expect(String(decoding: try await store.readAll(note, limit: 100).bytes, as: UTF8.self) == "theirs")
  }

  @Test func `a member can allow unsafe writes there`() async throws {
    let server = CarelessServer()
    let store = try store(server, ["unsafeWrites": "true"])
    _ = try await store.put(DataSource("mine".utf8), at: StorePath("note.md"), mode: .overwrite)
    #expect(server.text("note.md") == "mine" && store.limits.conditions == .none)
  }
}
