import Backends
import Basics
import FileStores
import TestKit
import Testing

@testable import Accounts

/// The description of a club that `byteclub serve --club` passes to the server.
@Suite struct ClubDescriptionTests {
  private func club(state: String = "/state") throws -> ClubDescription {
    var options = HTTPOptions(origins: [], headers: ["X-Club": "a \"b\""], userAgent: "byteclub/9")
    // at any pace: a value that is passed on.
    options.timeouts = HTTPTimeouts(connect: .seconds(3), idle: .seconds(4), whole: .seconds(5))
    options.connectionsPerHost = 6
    var store = StoreDescription(
      kind: "dropbox", options: ["server": "http://127.0.0.1:1", "folder": "/Zoë"],
      programs: ["tokenCommand": ["pass", "a b"]])
    store.allowsPlainHTTP = true
    return ClubDescription(
      name: "lab", store: store, network: ClubDescription.Network(options), variable: "secret",
      tokensDirectory: "/data/tokens", state: state, config: "/etc/club.json")
  }

  @Test func `everything arrives`() throws {
    let club = try club()
    #expect(try ClubDescription(bytes: club.bytes) == club)
    var options = HTTPOptions(origins: [])
    club.network?.apply(to: &options)
    // at any pace: a value that is passed on.
    #expect(options.timeouts == HTTPTimeouts(connect: .seconds(3), idle: .seconds(4), whole: .seconds(5)))
    #expect(options.connectionsPerHost == 6 && options.userAgent == "byteclub/9")
    #expect(options.headers["X-Club"] == "a \"b\"")
  }

  @Test func `the store has the capabilities of its kind, and shows the trash`() throws {
    let store = try club().open(pool: BlockingPool())
    #expect(store is RetryingStore && store.capabilities.uploads != nil && store.capabilities.changes != nil)
  }

  @Test(arguments: ["webdav", "s3"])
  func `what is known about its server is known after each start, and to the app`(kind: String) throws {
    let folder = try TemporaryFolder()
    let kind = try StoreRegistry.standard.kind(kind)
    let store = StoreDescription(kind: kind.name, options: ["url": "http://127.0.0.1:1/club", "bucket": "club"])
    func file() throws -> FindingsFile { try #require(FindingsFile(state: folder.path, kind, store)) }
    #expect(try file().kept() == nil)
    let findings = ServerFindings(
      kind: kind.name, version: try #require(kind.selfTest).version, server: "a server", answers: [])
    try file().keep(findings)
    #expect(try file().kept() == findings)
    let club = ClubDescription(
      name: "lab", store: store, network: nil, variable: nil, tokensDirectory: "/", state: folder.path, config: nil)
    #expect(try ClubDescription(bytes: club.bytes).findings(kind)?.kept() == findings)
  }

  @Test(arguments: ["", "{}", "[1]", #"{"name":"a","kind":"dropbox"}"#, "{\"name\":", "\u{0}"])
  func `anything else is refused with the way to start the server`(text: String) {
    let error = #expect(throws: StoreError.self) { try ClubDescription(bytes: Array(text.utf8)) }
    #expect(error?.kind == .badInput && error?.remedy.contains("byteclub serve --club NAME") == true)
  }

  @Test func `bytes that are cut anywhere are refused`() throws {
    let bytes = try club().bytes
    for count in 0..<bytes.count {
      #expect(throws: StoreError.self) { try ClubDescription(bytes: Array(bytes.prefix(count))) }
    }
  }
}
