import Accounts
import Backends
import Database
import FileStores
import Foundation
import POSIX
import TestKit
import Testing

@testable import byteclub

struct JoinFlowTests {
  @Test func `an invitation becomes a club with a sign-in, and nothing else changes`() async throws {
    let config = #"{"clubs":{"shelf":{"path":"/shelf"}}}"#
    let scene = try JoinScene([JoinScene.answer()], config: config)
    let done = try await scene.join()
    #expect(done.plan == .add(name: "club-garage", word: nil) && done.member == "ann")
    #expect(done.file == scene.home.file("club-garage") && scene.questions.isEmpty)
    #expect(scene.text(scene.home.paths.configFile) == config)
    #expect(try scene.home.report().config.clubNames == ["shelf", "club-garage"])
    #expect(try scene.account(of: "club-garage") == "dbid:ann" && scene.pending.isEmpty)
    #expect(scene.text(scene.home.file("club-garage"))?.contains("token") == false)
    #expect(scene.text(scene.home.paths.logFile)?.contains(JoinScene.code) == false)
  }

  @Test func `the pin is kept with the club, and its token is of no server with another key`() async throws {
    let scene = try JoinScene([JoinScene.answer()])
    let name = try await scene.join(JoinScene.line(pin: JoinScene.pin)).plan.name
    #expect(scene.text(scene.home.file(name))?.contains(#""pin":"sha256//AAAA"#) == true)
    #expect(try scene.account(of: name) == "dbid:ann")
    try scene.home.write(DropInTests.lab, to: scene.home.file(name))
    #expect(try scene.account(of: name) == nil)
  }

  @Test func `after a lost answer the same line sends the same value`() async throws {
    let lost = ScriptedTransport.Answer.failure(StoreError(.offline, "The server does not answer."))
    let scene = try JoinScene([lost, lost, JoinScene.answer(), JoinScene.answer()])
    for _ in 0..<2 {
      await #expect(throws: StoreError.self) { try await scene.join() }
      #expect(scene.pending.count == 1 && DropIn.all(scene.home.paths).isEmpty)
    }
    try await scene.join()
    let devices = scene.devices
    #expect(Set(devices).count == 1 && devices[0].utf8.count == 22)
    try await scene.join()
    #expect(Set(scene.devices).count == 2)
  }

  @Test(arguments: [
    (ScriptedTransport.Answer.text(403, #"{"error_summary":"invalid_code/"}"#), StoreError.Kind.notPermitted),
    (.text(200, "<html>Welcome</html>"), .server), (.text(404, ""), .unsupported),
    (.failure(StoreError(.offline, "No network.")), .offline),
    (.failure(StoreError(.notPermitted, "The certificate is not trusted.")), .notPermitted),
  ])
  func `a join that fails leaves no club and no sign-in, and the value for a lost answer`(
    _ row: (answer: ScriptedTransport.Answer, kind: StoreError.Kind)
  ) async throws {
    let scene = try JoinScene([row.answer])
    let error = await #expect(throws: StoreError.self) { try await scene.join() }
    #expect(error?.kind == row.kind && error?.description.contains(JoinScene.code) == false)
    #expect(DropIn.all(scene.home.paths).isEmpty && scene.pending.count == 1)
    #expect(!FileManager.default.fileExists(atPath: scene.home.paths.tokensDirectory))
  }

  @Test func `a club that moved keeps its name, its texts that wait and its account`() async throws {
    let scene = try JoinScene([JoinScene.answer(), JoinScene.answer()])
    let name = try await scene.join().plan.name
    let outbox = OutboxDatabase(openingLater: scene.home.paths.outboxFile)
    _ = try PrivateDirectory(making: scene.home.paths.data)
    let old = "/ at https://club.example\naccount dbid:ann"
    try keepChange(under: old, outbox)
    let done = try await scene.join(JoinScene.line("https://new.example:8443"))
    #expect(done.plan == .replace(name: name, word: nil))
    #expect(scene.questions.count == 1 && scene.questions[0].contains("moves it to https://new.example:8443"))
    for part in ["Only the owner of your club should have sent", "Uploads and downloads of this account go on there."] {
      #expect(scene.questions[0].contains(part))
    }
    #expect(try scene.home.report().config.text("clubs.\(name).server") == "https://new.example:8443")
    #expect(try scene.account(of: name) == "dbid:ann")
    let waiting = try OutboxDatabase(openingLater: scene.home.paths.outboxFile).waiting(underKeysFrom: "/ at ")
    #expect(waiting == ["/ at https://new.example:8443\naccount dbid:ann": 1])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scene.home.paths.tokensDirectory)
        .filter { $0.hasSuffix(".json") }.count == 1)
  }

  @Test func `a text of an app that had the club open while it moved comes along at the next opening`() async throws {
    let scene = try JoinScene([JoinScene.answer(), JoinScene.answer(), JoinScene.answer(), JoinScene.answer()])
    let name = try await scene.join().plan.name
    try await scene.join(JoinScene.line("https://new.example"))
    // Another key at the same address does not forget the move.
    try await scene.join(JoinScene.line("https://new.example", pin: JoinScene.pin))
    let outbox = OutboxDatabase(openingLater: scene.home.paths.outboxFile)
    _ = try PrivateDirectory(making: scene.home.paths.data)
    func openAfterChange() async throws -> [String: Int] {
      try keepChange(under: "/ at https://club.example\naccount dbid:ann", outbox)
      _ = await ClubOwner.find(try ClubSetup(StartOptions(club: name), environment: scene.home.environment))
      return try outbox.waiting(underKeysFrom: "/ at ")
    }
    #expect(try await openAfterChange() == ["/ at https://new.example\naccount dbid:ann": 1])
    #expect(try scene.home.report().warnings.isEmpty)
    // The texts of a new club at the old place are its own.
    try await scene.join(name: "second")
    #expect(try await openAfterChange()["/ at https://club.example\naccount dbid:ann"] == 1)
  }

  @Test(arguments: [
    ("https://stranger.example", "dbid:ann", Bool?.none, true, 0),
    ("https://stranger.example", "dbid:ann", nil, false, 0),
    ("https://stranger.example", "dbid:ann", false, true, 1), ("https://club.example:8443", "dbid:bea", true, true, 0),
  ])
  func `no other server takes a club over without the member's answer: it is a second club`(
    _ row: (origin: String, account: String, saying: Bool?, yes: Bool, questions: Int)
  ) async throws {
    let scene = try JoinScene([JoinScene.answer(), JoinScene.answer(account: row.account)])
    let name = try await scene.join().plan.name
    let before = scene.text(scene.home.file(name))
    let second = try await scene.join(JoinScene.line(row.origin), saying: row.saying, yes: row.yes).plan
    #expect(second == .add(name: row.origin.contains("stranger") ? "stranger-garage" : "club-garage-2", word: nil))
    #expect(scene.questions.count == row.questions && scene.text(scene.home.file(name)) == before)
    #expect(try scene.account(of: name) == "dbid:ann")
  }

  @Test func `a script moves a club by its name, and changes its key without`() async throws {
    let scene = try JoinScene([JoinScene.answer(), JoinScene.answer(), JoinScene.answer()])
    let name = try await scene.join().plan.name
    let moved = try await scene.join(JoinScene.line("https://new.example"), name: name, saying: nil, yes: true)
    #expect(moved.plan == .replace(name: name, word: nil))
    let line = JoinScene.line("https://new.example", pin: JoinScene.pin)
    #expect(try await scene.join(line, saying: nil, yes: true).plan == .replace(name: name, word: nil))
    #expect(scene.questions.isEmpty)
  }

  @Test func `a member who says no, or cannot be asked, keeps the club as it is`() async throws {
    let scene = try JoinScene([JoinScene.answer(), JoinScene.answer(), JoinScene.answer(), JoinScene.answer()])
    let name = try await scene.join().plan.name
    let before = scene.text(scene.home.file(name))
    for saying in [false, nil] {
      let error = await #expect(throws: StoreError.self) {
        try await scene.join(JoinScene.line(pin: JoinScene.pin), saying: saying)
      }
      #expect(error?.kind == (saying == nil ? .badInput : .cancelled))
      #expect(scene.text(scene.home.file(name)) == before && scene.pending.count == 1)
    }
    // Within the hour the same line is still good.
    try await scene.join(JoinScene.line(pin: JoinScene.pin))
    #expect(Set(scene.devices.dropFirst()).count == 1 && scene.text(scene.home.file(name)) != before)
  }

  @Test func `the same member at the same server is signed in again without a question`() async throws {
    let scene = try JoinScene([JoinScene.answer(), JoinScene.answer(club: "Another name")])
    let name = try await scene.join().plan.name
    #expect(try await scene.join(saying: nil).plan == .replace(name: name, word: nil))
    #expect(DropIn.all(scene.home.paths).map(\.name) == [name])
  }

  @Test func `the line that let this machine in says so once more, where its sign-in works`() async throws {
    let used = ScriptedTransport.Answer.text(403, #"{"error_summary":"invalid_code/"}"#)
    let profile = ScriptedTransport.Answer.text(
      200, #"{"account_id":"dbid:ann","name":{"display_name":"ann"},"email":null}"#)
    let ended = ScriptedTransport.Answer.text(401, "{}")
    let scene = try JoinScene([JoinScene.answer(), used, profile, used, ended])
    let name = try await scene.join().plan.name
    let again = try await scene.join(saying: nil)
    #expect(again.plan == .here(name: name) && again.member == "ann" && again.joined == nil)
    #expect(again.file == scene.home.file(name) && scene.pending.isEmpty)
    // The sign-in was ended meanwhile.
    let refused = await #expect(throws: StoreError.self) { try await scene.join(saying: nil) }
    #expect(refused?.kind == .notPermitted)
    #expect(try scene.account(of: name) == "dbid:ann")
    // Another machine has not joined by it.
    let other = try JoinScene([used])
    let error = await #expect(throws: StoreError.self) { try await other.join() }
    #expect(error?.kind == .notPermitted && other.transport.recorded.count == 1)
  }

  @Test func `a machine that joins again ends its earlier sign-in, and a lost answer that comes again does not`()
    async throws
  {
    let first = JoinScene.answer(member: "first"), second = JoinScene.answer(member: "second")
    let scene = try JoinScene([first, first, second, .text(200, "null")])
    for _ in 0..<3 { try await scene.join() }
    let revoked = scene.transport.recorded.filter { $0.target == "/2/auth/token/revoke" }
    #expect(revoked.map { $0.request.headers["Authorization"] } == ["Bearer token-of-first"])
    #expect(scene.transport.recorded.last?.target == "/2/auth/token/revoke")
  }

  @Test func `a second club at one server gets a name and a sign-in of its own`() async throws {
    let scene = try JoinScene([
      JoinScene.answer(), JoinScene.answer(account: "dbid:choir", member: "alto", club: "Choir"),
    ])
    let first = try await scene.join().plan.name
    let second = try await scene.join(name: "choir").plan
    #expect(second == .add(name: "choir", word: "choir") && scene.questions.isEmpty)
    #expect(try scene.account(of: first) == "dbid:ann" && scene.account(of: "choir") == "dbid:choir")
    for name in [first, "choir"] { #expect(try scene.home.choose(name).name == name) }
  }

  @Test func `another member at the same server is asked about`() async throws {
    let scene = try JoinScene([JoinScene.answer(), JoinScene.answer(account: "dbid:bea", member: "bea")])
    let name = try await scene.join().plan.name
    try await scene.join()
    #expect(scene.questions.count == 1 && scene.questions[0].contains("as another member"))
    #expect(try scene.account(of: name) == "dbid:bea")
  }

  @Test func `a club of the member's own config is signed in to, and never changed`() async throws {
    let config = #"{"clubs":{"lab":{"store":"dropbox","server":"https://club.example","folder":"/"}}}"#
    let scene = try JoinScene([JoinScene.answer(), JoinScene.answer()], config: config)
    #expect(try await scene.join().plan == .signIn(name: "lab"))
    #expect(try scene.account(of: "lab") == "dbid:ann" && DropIn.all(scene.home.paths).isEmpty)
    let error = await #expect(throws: StoreError.self) { try await scene.join(JoinScene.line("https://new.example")) }
    #expect(error?.description.contains(#"Set "clubs.lab.server" there to "https://new.example""#) == true)
    #expect(scene.text(scene.home.paths.configFile) == config && DropIn.all(scene.home.paths).isEmpty)
  }

  @Test func `the member's header fields go to the server of a club of the config alone`() async throws {
    let network = #""network":{"headers":{"X-Gate":"s3cret"}}"#
    let lab = #"{"store":"dropbox","server":"https://club.example","folder":"/"}"#
    let scene = try JoinScene(
      [JoinScene.answer(), JoinScene.answer(account: "dbid:bea")], config: #"{"clubs":{"lab":\#(lab)},\#(network)}"#)
    try await scene.join()
    let name = try await scene.join(JoinScene.line("https://stranger.example")).plan.name
    #expect(scene.headers == [["X-Gate": "s3cret"], [:]])
    let routes = try ["lab", name].map { club in
      try ClubSetup(StartOptions(club: club), environment: scene.home.environment).route
    }
    #expect(routes.map { $0?.headers } == scene.headers)
  }

  @Test func `a name that is taken is refused, and the invitation is not lost`() async throws {
    let scene = try JoinScene([JoinScene.answer(), JoinScene.answer()], config: #"{"clubs":{"shelf":{"path":"/s"}}}"#)
    let error = await #expect(throws: StoreError.self) { try await scene.join(name: "shelf") }
    #expect(error?.kind == .exists && scene.pending.count == 1)
    #expect(try await scene.join(name: "garage").plan == .add(name: "garage", word: nil))
  }

  @Test func `while one process joins, another is refused`() async throws {
    let scene = try JoinScene([JoinScene.answer()])
    let lock = try JoinLock(scene.home.paths, knowing: try scene.home.report())
    let error = await #expect(throws: StoreError.self) { try await scene.join() }
    #expect(error?.kind == .conflict && scene.transport.recorded.isEmpty)
    lock.release()
    try await scene.join()
    // A config that was read before another one joined would give a name twice.
    #expect(throws: StoreError.self) { try JoinLock(scene.home.paths, knowing: ConfigReport()) }
  }

  @Test func `a line that is none asks no server`() async throws {
    let scene = try JoinScene([])
    for line in ["hello", "https://club.example/join#short", "http://club.example/join#\(JoinScene.code)"] {
      await #expect(throws: StoreError.self) { try await scene.join(line) }
    }
    #expect(scene.transport.recorded.isEmpty && scene.pending.isEmpty)
  }

  @Test func `a folder of clubs that others can change takes none, and the invitation is not used up`() async throws {
    let scene = try JoinScene([JoinScene.answer()])
    chmod(scene.home.paths.dropIns, 0o777)
    let error = await #expect(throws: StoreError.self) { try await scene.join() }
    #expect(error?.description.contains("chmod 700") == true && scene.transport.recorded.isEmpty)
    chmod(scene.home.paths.dropIns, 0o700)
    try await scene.join()
  }

  private func keepChange(under key: String, _ outbox: OutboxDatabase) throws {
    _ = try outbox.addChanges(
      [
        ChangeRecord(
          club: key, kind: .trash, path: try StorePath("Log.md"), base: nil, baseHash: nil, size: nil,
          created: Timestamp(seconds: 1))
      ], club: key)
  }
}
