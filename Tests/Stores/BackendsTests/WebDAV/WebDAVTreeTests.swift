import Basics
import FileStores
import TestKit
import Testing

@testable import Backends

/// Listings of folders with all that is below them: a request for each folder, several at once.
@Suite struct WebDAVTreeTests {
  private static let pool = BlockingPool()

  private func store(
    _ answer: @escaping @Sendable (String) async -> ScriptedTransport.Answer
  ) throws -> (store: WebDAVStore, transport: ScriptedTransport) {
    let transport = ScriptedTransport { recorded in
      await answer(recorded.target.hasSuffix("/") ? recorded.target : recorded.target + "/")
    }
    let description = StoreDescription(kind: "webdav", options: ["url": "https://h.example/dav/club", "user": "ann"])
    let store = try WebDAVKind.open(
      description, pool: Self.pool, network: StoreNetwork(transport: transport, tokens: StaticToken("x")),
      tuning: WebDAVTuning())
    return (store, transport)
  }

  /// The answer about a folder: itself, and these names in it.
  private static func content(_ place: String, _ names: [String]) -> ScriptedTransport.Answer {
    let all = ([""] + names).map { name in
      let href = place + name
      return "<D:response><D:href>\(href)</D:href><D:propstat><D:prop>"
        + "<D:resourcetype>\(href.hasSuffix("/") ? "<D:collection/>" : "")</D:resourcetype>"
        + "<D:getcontentlength>1</D:getcontentlength><D:getetag>\"t\"</D:getetag></D:prop>"
        + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    }
    return .text(207, "<D:multistatus xmlns:D=\"DAV:\">\(all.joined())</D:multistatus>")
  }

  private static let folders = (0..<40).map { "f\($0)/" }

  @Test func `eight folders are asked for at once, and no more`() async throws {
    let (asked, inside, counts) = (Counter(), Counter(), Notes<Int>())
    let (store, _) = try store { place in
      if place == "/dav/club/" { return Self.content(place, Self.folders) }
      counts.add(inside.add(1))
      asked.add(1)
      // The first eight answers wait for each other.
      while asked.value < 8 { await Task.yield() }
      inside.add(-1)
      return Self.content(place, ["a.md"])
    }
    let page = try await store.list(.root, ListOptions(.full, recursive: true), after: nil)
    let names = page.entries.map { "\($0.path)" }
    #expect(names == (0..<40).map { "f\($0)" } + (0..<40).map { "f\($0)/a.md" })
    #expect(asked.value == 40 && counts.all.max() == 8)
  }

  @Test func `after a folder that fails no further one is asked for`() async throws {
    let (store, transport) = try store { place in
      place == "/dav/club/" ? Self.content(place, Self.folders) : .text(403, "")
    }
    let error = await #expect(throws: StoreError.self) {
      try await store.list(.root, ListOptions(.full, recursive: true), after: nil)
    }
    #expect(error?.kind == .notPermitted, "\(String(describing: error))")
    #expect(transport.recorded.count < 35)
  }

  @Test func `what the caller leaves out costs no request`() async throws {
    let (store, transport) = try store { place in
      let depth = place.split(separator: "/").count
      return Self.content(place, depth == 2 ? ["photos/", ".git/", "d/"] : depth < 100 ? ["d/"] : [])
    }
    let options = ListOptions(
      .names, recursive: true, besides: [try StorePath("photos")], skipsHidden: true, mostDepth: 64)
    let page = try await store.list(.root, options, after: nil)
    // The folder below 64 others is there, and not its content.
    #expect(page.entries.count == 2 + 65 && transport.recorded.count == 65)
  }
}
