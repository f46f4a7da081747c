import ArgumentParser
import Backends
import FileStores
import Foundation
import JSON
import ManualPages
import Synchronization
import TestKit
import Testing
import TextUI
import Transfers

@testable import ClubServices
@testable import Screens
@testable import byteclub

/// A kind of store that only these tests have: settings, manual, services, verbs and the app take it as any other.
struct PluggableStoreTests {
  /// A member's home with a config.
  private final class Home: Sendable {
    let folder: String
    let shelf = ShelfKind()

    init(_ clubs: String) throws {
      folder = TemporaryFolder.newPath()
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try Data(#"{"clubs":{\#(clubs)}}"#.utf8).write(to: URL(fileURLWithPath: folder + "/config.json"))
    }

    deinit { removeFolder(folder) }

    var stores: StoreRegistry { StoreRegistry.standard.adding(shelf).adding(CloudKind()) }
    var options: StartOptions { StartOptions(config: folder + "/config.json") }
    var environment: Environment { Environment(["HOME": folder]) }

    func setup(_ club: String? = nil) throws -> ClubSetup {
      var options = options
      options.club = club
      return try ClubSetup(options, environment: environment, stores: stores)
    }

    func check() throws -> Answer { try ConfigCheck.answer(options, environment, stores) }
  }

  private static let hall = #""hall":{"store":"shelf","label":"B 4","side":"left"}"#

  private func put(_ text: String, _ name: String, in home: Home) async throws {
    _ = try await home.shelf.shelf("B 4").put(DataSource(text.utf8), at: StorePath(name), mode: .create)
  }

  @Test func `config check takes its settings`() throws {
    let answer = try Home(Self.hall).check()
    #expect(answer.records.isEmpty)
    #expect(answer.notices == ["~/config.json has no errors."])
  }

  @Test(arguments: [
    (#""store":"shelf""#, #"the club "hall" has no "label"; say which shelf it is."#),
    (#""store":"shelf","label":null"#, #""clubs.hall.label" is null; it must be a text in double quotes"#),
    (#""store":"shelf","label":"B 4","side":"top""#, #""clubs.hall.side" is "top"; it must be "left" or "right"."#),
    (#""store":"shelf","label":"roof""#, #"The club "hall" cannot be opened. There is no shelf on the roof."#),
    (#""store":"cloud","user":"ray","url":"gopher:""#, #"The club "hall" cannot be opened. "url" is no address."#),
    (#""store":"cloud","url":"https://a.example""#, #"the club "hall" has no "user"; say who you are there."#),
  ])
  func `a setting that is missing or wrong is an error, in config check and wherever the club is opened`(
    _ row: (club: String, sentence: String)
  ) throws {
    let home = try Home(#""hall":{\#(row.club)}"#)
    let checked = #expect(throws: ConfigFault.self) { try home.check() }
    #expect(checked?.description.contains(row.sentence) == true, "\(checked?.description ?? "")")
    #expect(throws: ConfigFault.self) { try home.setup() }
  }

  @Test func `a setting of another kind is a warning that names the kind, and a wrong letter the nearest one`() throws {
    let home = try Home(#""hall":{"store":"shelf","label":"B 4","appKey":"k","sid":"left"}"#)
    let place = home.folder + "/config.json"
    let warnings = try home.setup().report.warnings.map { $0.replacing(place, with: "config.json") }
    #expect(
      warnings == [
        #"~/config.json, line 1: byteclub does not know the setting "clubs.hall.appKey" for a club whose store is "shelf", and ignores it."#,
        #"~/config.json, line 1: byteclub does not know the setting "clubs.hall.sid", and ignores it. Did you mean "clubs.hall.side"?"#,
      ])
  }

  @Test func `a key that another kind has, too, means what this kind says`() throws {
    let home = try Home(#""hall":{"store":"shelf","label":"B 4","path":"up the stairs"},"home":{"path":"~/x"}"#)
    let setup = try home.setup("hall")
    #expect(setup.choice.store.options["path"] == "up the stairs")
    #expect(setup.report.warnings == [])
    #expect(try home.setup("home").choice.directory == home.folder + "/x")
  }

  @Test func `the manual lists the kind and its settings`() {
    let stores = StoreRegistry.standard.adding(ShelfKind())
    let page = ManualPage.text(stores)
    #expect(page.contains("shelf is a shelf of the tests"))
    for setting in ShelfKind().settings { #expect(page.contains(Roff.escaped(setting.about))) }
    #expect(page.contains("The side of the hall where it stands. Must be \"left\" or \"right\". Store: shelf."))
  }

  @Test func `verbs work on it`() async throws {
    let home = try Home(Self.hall)
    try await put("high at noon", "Tides.md", in: home)
    let setup = try home.setup()
    #expect(setup.choice.place == "the shelf B 4")
    let session = Session(setup: setup, output: Output(), isJSON: false, open: try OpenClub(setup))
    let listed = try await NoteList.parse([]).perform(session)
    #expect(listed.records.flatMap(\.lines) == [Array("Tides.md".utf8)])
    _ = try await NoteMove.parse(["Tides.md", "Moon.md"]).perform(session)
    let names = try await home.shelf.shelf("B 4").list(.root, ListOptions(.names), after: nil).entries.map(\.path)
    #expect(try names == [StorePath("Moon.md")])
    #expect(
      try ClubList.answer(home.options, home.environment, home.stores).document.encoded.contains(
        #"{"name":"hall","store":"shelf","place":"the shelf B 4","selected":true}"#))
    #expect(throws: StoreError.self) { try ClubAccount(setup) }
  }

  @Test func `the app shows its notes`() async throws {
    let home = try Home(Self.hall)
    try await put("high at noon", "Tides.md", in: home)
    let setup = try home.setup()
    let isShown = await Task.detached {
      let terminal = ScriptedTerminal([.press("q", when: "Tides.md")])
      let shared = SharedServices(TransferBase(setup))
      guard let club = try? OpenClub(setup, shared: shared) else { return false }
      let app = FullScreen(home.options, home.environment, shared, on: terminal)
      _ = app.run(from: .club(.first), PreparedClub(setup: setup, club: club))
      return terminal.isThrough
    }.value
    #expect(isShown)
  }

  @Test func `a transfer that waits finds it again by its word`() async throws {
    let home = try Home(Self.hall)
    let setup = try home.setup()
    let word = StoreWord.of(setup)
    #expect(word == "shelf:the shelf B 4")
    let order = TransferOrder(
      club: "hall", store: word, work: .download(folder: home.folder), path: try StorePath("photos/a.jpg"),
      name: "a.jpg")
    let store = try await ClubStores(TransferBase(setup)).store(for: order)
    let kept = try #require((store as? SeenStore)?.base as? KeptPhotosStore)
    #expect(kept.base is MemoryStore)
  }

  @Test func `the words of the kinds that members have stay as their journals know them`() throws {
    let home = try Home(
      #""a":{"path":"~/x"},"b":{"store":"dropbox","server":"https://b.example","folder":"/c","appKey":"k"},"#
        + #""c":{"store":"dropbox-v1","server":"https://c.example"}"#)
    #expect(try StoreWord.of(home.setup("a")) == "folder:\(home.folder)/x")
    #expect(try StoreWord.of(home.setup("b")) == "dropbox:https://b.example\n/c\n")
    #expect(try StoreWord.of(home.setup("c")) == "dropbox-v1:https://c.example\n\n")
  }

  @Test func `a kind behind a network gets connections and a password, for which its program is asked once`()
    async throws
  {
    let seen = Seen()
    let server = try RawServer.answering { request in
      seen.headers.withLock { $0.append(request.headers["Authorization"] ?? "") }
      return RawAnswer(200)
    }
    defer { server.stop() }
    let home = try Home("")
    let program = #"["sh","-c","echo x >> '\#(home.folder)/asked'; echo s3cret"]"#
    try Data(
      #"{"clubs":{"sky":{"store":"cloud","url":"\#(server.url)","user":"ray","passwordCommand":\#(program)}}}"#.utf8
    ).write(to: URL(fileURLWithPath: home.folder + "/config.json"))
    let setup = try home.setup()
    for _ in 0..<2 { _ = try await setup.openStore().list(.root, ListOptions(.names), after: nil) }
    #expect(seen.headers.withLock { $0 } == ["ray:s3cret", "ray:s3cret"])
    #expect(server.connections == 1)
    #expect(try String(contentsOfFile: home.folder + "/asked", encoding: .utf8) == "x\n")
  }

  @Test func `a password that is refused is asked for once more, and then the setting is named`() async throws {
    let server = try RawServer.answering { _ in RawAnswer(401) }
    defer { server.stop() }
    let home = try Home("")
    try Data(
      #"{"clubs":{"sky":{"store":"cloud","url":"\#(server.url)","user":"ray","passwordCommand":["echo","s3cret"]}}}"#
        .utf8
    ).write(to: URL(fileURLWithPath: home.folder + "/config.json"))
    let store = try home.setup().openStore()
    let error = await #expect(throws: StoreError.self) {
      _ = try await store.list(.root, ListOptions(.names), after: nil)
    }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.description.contains(#""clubs.sky.passwordCommand""#) == true)
    #expect(error?.description.contains("s3cret") == false)
  }

  private final class Seen: Sendable {
    let headers = Mutex<[String]>([])
  }
}
