import Backends
import FileStores
import TestKit
import Testing

/// Shared links by the API, as Dropbox itself answers.
@Suite struct DropboxLinkTests {
  private static func link(
    _ path: String, url: String = "https://www.dropbox.com/s/2sn712vy1ovegw8/a.md?dl=0", expires: String? = nil,
    visibility: String = "public", tag: String = "file"
  ) -> String {
    let name = path.split(separator: "/").last ?? ""
    let file =
      tag == "file"
      ? #""client_modified":"2015-05-12T15:50:38Z","server_modified":"2015-05-12T15:50:38Z","rev":"a1c10ce0dd78","size":5,"#
      : ""
    let end = expires.map { #""expires":"\#($0)","# } ?? ""
    return
      #"{".tag":"\#(tag)","url":"\#(url)","id":"id:a4ayc","name":"\#(name)","path_lower":"\#(path.lowercased())",\#(end)"#
      + #"\#(file)"link_permissions":{"can_revoke":true,"resolved_visibility":{".tag":"\#(visibility)"}}}"#
  }

  private static func page(_ links: [String], cursor: String? = nil) -> ScriptedTransport.Answer {
    let more = cursor.map { #","cursor":"\#($0)""# } ?? ""
    return .text(200, #"{"links":[\#(links.joined(separator: ","))],"has_more":\#(cursor != nil)\#(more)}"#)
  }

  /// What the path is, which is asked before a link is made.
  private static let file = ScriptedTransport.Answer.text(200, Dropbox.file("/club/a.md"))
  private static let exists = Dropbox.refusal("shared_link_already_exists", #"{".tag":"shared_link_already_exists"}"#)
  private static let denied = Dropbox.refusal("shared_link_access_denied", #"{".tag":"shared_link_access_denied"}"#)

  private func links(_ scene: DropboxScene) throws -> any LinkSharing { try #require(scene.store.capabilities.links) }

  @Test func `a link without terms asks for no settings, and one with terms for those`() async throws {
    let scene = try DropboxScene([
      Self.file, .text(200, Self.link("/club/a.md")),
      Self.file, .text(200, Self.link("/club/a.md", expires: "2027-01-15T08:00:00Z", visibility: "password")),
    ])
    let plain = try await links(scene).link(to: StorePath("a.md"), LinkTerms())
    #expect(plain.path.description == "a.md" && plain.expires == nil && !plain.hasPassword)
    let end = Timestamp(seconds: 1_800_000_000)
    let both = try await links(scene).link(to: StorePath("a.md"), LinkTerms(expires: end, password: "word"))
    #expect(both.expires == end && both.hasPassword)
    #expect(
      [1, 3].map { String(decoding: scene.transport.recorded[$0].body, as: UTF8.self) } == [
        #"{"path":"/club/a.md"}"#,
        #"{"path":"/club/a.md","settings":{"expires":"2027-01-15T08:00:00Z","require_password":true,"link_password":"word"}}"#,
      ])
  }

  @Test func `the link that is there is taken if it has these terms`() async throws {
    let end = "2027-01-15T08:00:00Z"
    let there = Self.page([Self.link("/club/a.md", expires: end)])
    let scene = try DropboxScene(
      Array(
        [[Self.file, Self.exists, there], [Self.file, Self.exists, there], [Self.file, Self.exists, there]].joined()))
    #expect(try await links(scene).link(to: StorePath("a.md"), LinkTerms()).expires?.seconds == 1_800_000_000)
    _ = try await links(scene).link(to: StorePath("a.md"), LinkTerms(expires: Timestamp(seconds: 1_800_000_000)))
    await #expect(throws: StoreError.self) {
      try await links(scene).link(to: StorePath("a.md"), LinkTerms(expires: Timestamp(seconds: 1_800_000_001)))
    }
    #expect(scene.routes.count { $0 == "sharing/list_shared_links" } == 3)
  }

  @Test func `a password is the link's only where a wrong one is refused`() async throws {
    let there = Self.page([Self.link("/club/a.md", visibility: "password")])
    let opens = ScriptedTransport.Answer.text(200, Self.link("/club/a.md"))
    let terms = LinkTerms(password: "word")
    let same = try DropboxScene([Self.file, Self.exists, there, Self.denied, opens])
    #expect(try await links(same).link(to: StorePath("a.md"), terms).hasPassword)
    for answers in [[Self.denied, Self.denied], [opens, opens]] {
      let other = try DropboxScene([Self.file, Self.exists, there] + answers)
      let error = await #expect(throws: StoreError.self) { try await links(other).link(to: StorePath("a.md"), terms) }
      #expect(error?.kind == .exists)
      #expect(error?.description.contains("word") == false)
    }
  }

  @Test func `the list has all pages, and the links into the club alone`() async throws {
    let scene = try DropboxScene([
      Self.page([Self.link("/club/a.md"), Self.link("/elsewhere/b.md")], cursor: "CURSOR-1"),
      Self.page([
        Self.link("/Club/photos/C.jpg", url: "https://www.dropbox.com/s/2"), Self.link("/club/.club-trash/1/x.md"),
      ]),
    ])
    let all = try await links(scene).links(to: nil)
    #expect(all.map(\.path.description) == ["a.md", "photos/C.jpg"])
    #expect(String(decoding: scene.transport.recorded[1].body, as: UTF8.self) == #"{"cursor":"CURSOR-1"}"#)
  }

  @Test func `a list that repeats its cursor ends with an error`() async throws {
    let page = Self.page([Self.link("/club/a.md")], cursor: "CURSOR-1")
    let scene = try DropboxScene([page, page, page])
    await #expect(throws: StoreError.self) { try await links(scene).links(to: nil) }
  }

  @Test(arguments: [
    ("access_denied", #"{".tag":"access_denied"}"#, StoreError.Kind.notPermitted),
    (
      "settings_error/not_authorized", #"{".tag":"settings_error","settings_error":{".tag":"not_authorized"}}"#,
      .notPermitted
    ),
    (
      "settings_error/invalid_settings", #"{".tag":"settings_error","settings_error":{".tag":"invalid_settings"}}"#,
      .badInput
    ),
    ("email_not_verified", #"{".tag":"email_not_verified"}"#, .notPermitted),
    ("path/not_found", #"{".tag":"path","path":{".tag":"not_found"}}"#, .notFound),
    ("path/unsupported_content_type", #"{".tag":"path","path":{".tag":"unsupported_content_type"}}"#, .unsupported),
    ("too_many_shared_folders", #"{".tag":"too_many_shared_folders"}"#, .notPermitted),
    ("shared_link_not_found", #"{".tag":"shared_link_not_found"}"#, .notFound),
    ("shared_link_malformed", #"{".tag":"shared_link_malformed"}"#, .notFound),
    ("shared_link_access_denied", #"{".tag":"shared_link_access_denied"}"#, .notPermitted),
  ])
  func `each refusal is a sentence of its kind`(summary: String, error: String, kind: StoreError.Kind) async throws {
    let isLink = summary.hasPrefix("shared_link")
    let scene = try DropboxScene((isLink ? [] : [Self.file]) + [Dropbox.refusal(summary, error)])
    let thrown = await #expect(throws: StoreError.self) {
      if isLink {
        try await links(scene).revoke("https://www.dropbox.com/s/x")
      } else {
        _ = try await links(scene).link(to: StorePath("a.md"), LinkTerms())
      }
    }
    #expect(thrown?.kind == kind && thrown?.message.hasSuffix(".") == true)
    #expect(thrown?.description.contains("_") == false, "\(thrown?.description ?? "")")
  }

  @Test func `a lost answer makes no second link, and a lost answer of the end is its end`() async throws {
    let scene = try DropboxScene([
      Self.file, .failure(StoreError(.offline, "The line broke.")), Self.file, Self.exists,
      Self.page([Self.link("/club/a.md")]), Self.page([Self.link("/club/a.md")]),
      .failure(StoreError(.offline, "The line broke.")),
      Dropbox.refusal("shared_link_not_found", #"{".tag":"shared_link_not_found"}"#), Self.page([]),
      Dropbox.refusal("shared_link_not_found", #"{".tag":"shared_link_not_found"}"#),
    ])
    let store = RetryingStore(scene.store, clock: scene.clock)
    let links = try #require(store.capabilities.links)
    let link = try await links.link(to: StorePath("a.md"), LinkTerms())
    #expect(link.url == "https://www.dropbox.com/s/2sn712vy1ovegw8/a.md?dl=0")
    try await links.revoke(link.url)
    await #expect(throws: StoreError.self) { try await links.revoke(link.url) }
  }

  @Test func `a folder is shared by no link, and Dropbox is not asked for one`() async throws {
    let scene = try DropboxScene([.text(200, Dropbox.folder("/club/photos"))])
    let error = await #expect(throws: StoreError.self) {
      try await links(scene).link(to: StorePath("photos"), LinkTerms())
    }
    #expect(error?.kind == .unsupported)
    #expect(scene.routes == ["files/get_metadata"])
  }

  @Test func `terms do not tell their password`() {
    #expect("\(LinkTerms(password: "low tide"))" == "LinkTerms")
    #expect(String(reflecting: LinkTerms(password: "low tide")).contains("tide") == false)
  }
}
