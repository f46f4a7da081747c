import Backends
import FileStores
import TestKit
import Testing

/// Pages of byteclub's own server where phones leave photos.
@Suite struct DropboxDropPageTests {
  private static let url = "https://club.example/d/AbCdEfGhIjKlMnOpQrStUv"
  private static let page =
    #"{".tag":"drop","url":"\#(url)","path_lower":"/club/photos/oslo","name":"Oslo","expires":"2027-01-15T08:00:00Z","#
    + #""limit":524288000,"from":"Mia"}"#
  private static let open = #"{".tag":"drop","url":"\#(url)2","path_lower":"/club/photos","name":"photos"}"#
  private static let file =
    #"{".tag":"file","url":"https://club.example/s/1","id":"id:1","name":"a.md","path_lower":"/club/a.md"}"#

  private func links(_ scene: DropboxScene) throws -> any LinkSharing { try #require(scene.store.capabilities.links) }

  private func scene(_ answers: [ScriptedTransport.Answer]) throws -> DropboxScene {
    try DropboxScene(answers, server: try DropboxServer(origin: "https://club.example"))
  }

  private func bodies(_ scene: DropboxScene) -> [String] {
    scene.transport.recorded.map { String(decoding: $0.body, as: UTF8.self) }
  }

  @Test func `a page is asked for with its terms, and has those of the answer`() async throws {
    let scene = try scene([.text(200, Self.page), .text(200, Self.open)])
    let end = Timestamp(seconds: 1_800_000_000)
    let terms = DropTerms(giver: "Mia", mostBytes: 500 << 20)
    let page = try await links(scene).dropPage(into: StorePath("photos/Oslo"), terms, expires: end)
    #expect(page == SharedLink(url: Self.url, path: try StorePath("photos/Oslo"), expires: end, drop: terms))
    let plain = try await links(scene).dropPage(into: StorePath("photos"), DropTerms(), expires: nil)
    #expect(plain.drop == DropTerms() && plain.expires == nil)
    #expect(scene.routes == ["byteclub/drop_page", "byteclub/drop_page"])
    #expect(
      bodies(scene) == [
        #"{"path":"/club/photos/Oslo","from":"Mia","expires":"2027-01-15T08:00:00Z","limit":524288000}"#,
        #"{"path":"/club/photos"}"#,
      ])
  }

  @Test func `the list has pages beside links, and those of one file have none`() async throws {
    let list = ScriptedTransport.Answer.text(
      200, #"{"links":[\#(Self.file),\#(Self.page),\#(Self.open)],"has_more":false}"#)
    let scene = try scene([list, .text(200, #"{"links":[\#(Self.file)],"has_more":false}"#)])
    let all = try await links(scene).links(to: nil)
    #expect(all.map(\.path.description) == ["a.md", "photos/Oslo", "photos"])
    #expect(
      all.map(\.drop) == [nil, DropTerms(giver: "Mia", mostBytes: 500 << 20), DropTerms()]
        && all[0].hasPassword == false)
    _ = try await links(scene).links(to: StorePath("a.md"))
    #expect(bodies(scene) == [#"{"byteclub_drop_pages":true}"#, #"{"path":"/club/a.md","direct_only":true}"#])
  }

  @Test func `a server that does not know such pages still lists its links`() async throws {
    let unknown = "Error in call to API function: request body: unknown field 'byteclub_drop_pages'"
    let scene = try scene([.text(400, unknown), .text(200, #"{"links":[\#(Self.file)],"has_more":false}"#)])
    #expect(try await links(scene).links(to: nil).map(\.path.description) == ["a.md"])
    #expect(bodies(scene) == [#"{"byteclub_drop_pages":true}"#, "{}"])
  }

  @Test(arguments: [
    ("drop_pages_off", #"{".tag":"drop_pages_off"}"#, StoreError.Kind.notPermitted, "byteclub serve --drop-pages"),
    ("too_many_drop_pages", #"{".tag":"too_many_drop_pages"}"#, .notPermitted, "End some of them: byteclub link ls"),
    (
      "settings_error/invalid_settings", #"{".tag":"settings_error","settings_error":{".tag":"invalid_settings"}}"#,
      .badInput, "shorter name"
    ),
  ])
  func `each refusal says what helps`(summary: String, tags: String, kind: StoreError.Kind, help: String) async throws {
    let scene = try scene([Dropbox.refusal(summary, tags)])
    let error = await #expect(throws: StoreError.self) {
      try await links(scene).dropPage(into: StorePath("photos"), DropTerms(), expires: nil)
    }
    #expect(error?.kind == kind && error?.remedy.contains(help) == true)
  }

  @Test(arguments: [(404, ""), (400, "Error in call to API function: Unknown API function")])
  func `an older server has no such pages`(status: Int, body: String) async throws {
    let scene = try scene([.text(status, body)])
    let error = await #expect(throws: StoreError.self) {
      try await links(scene).dropPage(into: StorePath("photos"), DropTerms(), expires: nil)
    }
    #expect(error?.kind == .unsupported && error?.remedy.contains("newer byteclub serve") == true)
  }

  @Test func `Dropbox itself is never asked for one`() async throws {
    let scene = try DropboxScene([.text(200, #"{"links":[],"has_more":false}"#)])
    let error = await #expect(throws: StoreError.self) {
      try await links(scene).dropPage(into: StorePath("photos"), DropTerms(), expires: nil)
    }
    #expect(error?.kind == .unsupported && scene.routes.isEmpty)
    #expect(try await links(scene).links(to: nil).isEmpty)
    #expect(bodies(scene) == ["{}"])
  }

  @Test func `a lost answer makes no second page`() async throws {
    let scene = try scene([.failure(StoreError(.offline, "The line broke.")), .text(200, Self.page)])
    let store = RetryingStore(scene.store, clock: scene.clock)
    let error = await #expect(throws: StoreError.self) {
      try await store.capabilities.links?.dropPage(into: StorePath("photos"), DropTerms(), expires: nil)
    }
    #expect(error?.kind == .offline && scene.routes == ["byteclub/drop_page"])
  }

  @Test func `a page ends by its address`() async throws {
    let scene = try scene([.text(200, "null")])
    try await links(scene).revoke(Self.url)
    #expect(scene.routes == ["sharing/revoke_shared_link"] && bodies(scene) == [#"{"url":"\#(Self.url)"}"#])
  }
}
