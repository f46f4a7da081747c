import Backends
import Database
import FileStores
import TestKit
import Testing

@testable import StoreServer

/// The contract of a store, kept by our client of version 1 over TLS, opened as a config describes it.
@Suite(.serialized) struct DropboxV1TLSChecks {
  @Test(
    "Dropbox, version 1, over TLS, with a certificate of one's own:", .servedSecurely, arguments: StoreChecks.share(3))
  func overTLS(check: StoreCheck) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let store = try await served.openSecureV1(club)
    try await check.run(StoreUnderTest(store, other: served.openSecureV1(club.uppercased())))
  }

  @Test("Both ways of signing work over TLS", arguments: [OAuth1Method.hmacSHA1, .plaintext])
  func signed(method: OAuth1Method) async throws {
    try await withServedFolder(isSecure: true) { served in
      let store = try await served.openSecureV1("/club", signedBy: method)
      let path = try StorePath("a.md")
      _ = try await store.put(DataSource("hello".utf8), at: path, mode: .create)
      #expect(try await store.list(.root, ListOptions(.names), after: nil).entries.map(\.path) == [path])
    }
  }

  @Test("A server of version 1 whose certificate is not trusted is refused, and gets no token")
  func notTrusted() async throws {
    try await withServedFolder(isSecure: true) { served in
      var stranger = served
      stranger.caFile = nil
      let thrown = await #expect(throws: StoreError.self) { try await stranger.openSecureV1("/club") }
      #expect(thrown?.kind == .notPermitted)
    }
  }
}

extension ServedFolder {
  /// A member's way to the club over version 1, as the program opens it; the folder is made.
  fileprivate func openSecureV1(
    _ folder: String, signedBy method: OAuth1Method? = nil
  ) async throws -> any FileStore {
    var options = ["server": origin, "folder": folder]
    options["caFile"] = caFile
    var tokens = StaticToken(token)
    if let method {
      let ada = try #require(try members.members().first { $0.name == "Ada" })
      let keys = try OAuth1Tokens(members).issue(to: ada, app: AppKeys(members).make().key)
      options["appKey"] = keys.consumerKey
      options["appSecret"] = keys.consumerSecret
      options["signature"] = method.rawValue
      tokens = StaticToken("\(keys.token) \(keys.tokenSecret)")
    }
    let what = StoreDescription(kind: "dropbox-v1", options: options)
    let store = try StoreRegistry.standard.open(
      what, pool: pool, network: StoreNetwork(transport: transport(for: "dropbox-v1"), tokens: tokens))
    try await store.createFolder(.root)
    return store
  }
}
