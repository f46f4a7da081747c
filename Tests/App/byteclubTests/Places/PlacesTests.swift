import Backends
import Basics
import FileStores
import Foundation
import TestKit
import Testing
import TextUI

@testable import Screens
@testable import byteclub

/// Clubs that come of forms.
struct PlacesTests {
  private static let asks = ScriptedTransport.Answer.text(401, "")

  private func places(
    _ home: DropInTests.Home, _ transport: ScriptedTransport = ScriptedTransport([])
  ) -> Places {
    var places = Places(paths: home.paths, environment: home.environment)
    places.transport = { options in
      #expect(options.headers["X-Gate"] == nil, "a secret of other servers")
      return transport
    }
    return places
  }

  private func form(_ places: Places, _ kind: String, _ values: String...) throws -> PlaceForm {
    try places.filled(try places.form(ofKind: kind), values)
  }

  private static let nextcloud = ["url=cloud.example.org", "user=ann"]

  private func cloud(_ places: Places) throws -> PlaceForm {
    try places.filled(try places.form(ofKind: "webdav"), Self.nextcloud)
  }

  private func text(_ home: DropInTests.Home, _ club: String) -> String? {
    FileManager.default.contents(atPath: home.file(club)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `the forms are empty, one for each kind, and show no rare field`() throws {
    let forms = places(try DropInTests.Home()).forms
    #expect(forms.map(\.kind) == ["dropbox", "webdav", "s3"])
    #expect(forms.allSatisfy { $0.fields.allSatisfy(\.value.isEmpty) })
    #expect(
      forms.map { $0.fields.map(\.key) } == [
        ["appKey", "folder"], ["url", "user"], ["endpoint", "bucket", "region", "prefix", "accessKeyID"],
      ])
    #expect(forms.map { $0.fields.filter(\.isRequired).map(\.key) } == [["appKey"], ["url", "user"], ["bucket"]])
  }

  @Test(
    arguments: [nil, "dropbox", "s3", "webdav"] as [String?],
    [Size(80, 24), Size(120, 40), Size(40, 12), Size(200, 60)])
  func `the first screen and the form of each kind look as they did`(kind: String?, size: Size) throws {
    let forms = places(try DropInTests.Home()).forms
    let frame = Frame(
      size: size, abilities: TerminalAbilities(colors: .trueColor), keys: .standard, club: "", theme: ThemeChoice(.dark)
    )
    var (state, _) = ClubsScreen.start(frame, .firstStart, forms: forms, current: nil)
    if let kind {
      let place = try #require(forms.firstIndex { $0.kind == kind })
      // This machine and an invitation come first.
      for name in ["\(place + 3)", "Enter"] {
        let key = try #require(Key(name))
        let action = try #require(ClubsScreen.action(for: .key(key), in: state))
        _ = ClubsScreen.update(&state, action)
      }
      #expect(state.view.title == forms[place].title)
    }
    var canvas = Canvas(size)
    ClubsScreen.draw(state, on: &canvas)
    expectGolden(canvas.grid, named: "place-\(kind ?? "first")-\(size.width)x\(size.height)")
  }

  @Test func `right values say as what they are taken, and that the server asks for the password`() async throws {
    let home = try DropInTests.Home(#"{"network":{"headers":{"X-Gate":"s3same"}}}"#)
    let transport = ScriptedTransport([Self.asks])
    let found = await places(home, transport).check(try cloud(places(home)))
    #expect(
      found == [
        FormFinding(
          field: "url",
          "byteclub takes it as https://cloud.example.org/remote.php/dav/files/ann/ByteClub.", isError: false),
        FormFinding("cloud.example.org answers, and asks for your password.", isError: false),
      ])
    #expect(transport.recorded.count == 1)
    #expect(text(home, "cloud-byteclub") == nil)
  }

  @Test(
    arguments: [
      ("webdav", [], [("url", "Address is missing."), ("user", "Your name there is missing.")]),
      ("webdav", ["url=https://h.example/d", "user=a:b"], [("user", "The name of a user cannot have a colon.")]),
      ("webdav", ["url=gopher://h", "user=a"], [("url", "is not the address of a folder.")]),
      ("webdav", ["url=https://a:pa55@h.example/d", "user=a"], [("url", "is not the address of a folder.")]),
      ("webdav", ["url=http://h.example/d", "user=a"], [("url", "and your password. Use https.")]),
      ("webdav", ["url=h.example/d", "user=a\u{202E}b"], [("user", "has an invisible character.")]),
      ("webdav", ["url=h.example/d", "user=a", "pin=x"], [("pin", "is not the pin")]),
      ("s3", ["endpoint=s3.example/path", "bucket=b"], [("endpoint", "is not the address of a server")]),
      ("s3", ["bucket=a b"], [("bucket", "has a space")]),
      ("s3", ["bucket=b", "style=odd"], [("style", "must be path or host")]),
      ("s3", ["bucket=b", "accessKeyID=a b"], [("accessKeyID", "has a space")]),
      ("dropbox", ["appKey=a b"], [("appKey", "The \"appKey\" is not an app key.")]),
      ("dropbox", ["appKey=k", "folder=/a/../b"], [("folder", "is . or ..")]),
    ] as [(String, [String], [(String, String)])])
  func `wrong values are found at their fields, without the server, and are not added`(
    _ row: (kind: String, values: [String], faults: [(String, String)])
  ) async throws {
    let home = try DropInTests.Home()
    let transport = ScriptedTransport([])
    let places = places(home, transport)
    let form = try places.filled(try places.form(ofKind: row.kind), row.values)
    let found = await places.check(form)
    #expect(found.map(\.field) == row.faults.map(\.0) && found.allSatisfy(\.isError), "\(found)")
    for (finding, fault) in zip(found, row.faults) {
      #expect(finding.sentence.contains(fault.1), "\(finding)")
      #expect(!finding.sentence.contains("config") && !finding.sentence.contains("pa55"))
    }
    #expect(transport.recorded.isEmpty)
    await #expect(throws: StoreError.self) { try await places.add(form) }
    #expect(DropIn.all(home.paths).isEmpty)
  }

  @Test(arguments: [
    ("Check the clock of this machine. Set \"caFile\" in the config.", "Check the clock of this machine."),
    (
      "Ask its owner for a line with the server's key, or set \"caFile\" or \"pin\" in the config.",
      "Ask its owner for a line with the server's key. "
        + "A server of your own is added with its key: byteclub club add webdav --set pin=sha256//..."
    ),
  ])
  func `a server that cannot be reached is an error at the address, with advice that needs no config`(
    _ row: (remedy: String, advice: String)
  ) async throws {
    let home = try DropInTests.Home()
    let failure = StoreError(.notPermitted, "The certificate of https://h is wrong.", remedy: row.remedy)
    let found = await places(home, ScriptedTransport([.failure(failure)])).check(try cloud(places(home)))
    #expect(
      found.last == FormFinding(field: "url", "The certificate of https://h is wrong. \(row.advice)", isError: true))
  }

  @Test func `plain HTTP is a warning where the config allows it`() async throws {
    let home = try DropInTests.Home(#"{"network":{"allowPlainHTTP":"anywhere"}}"#)
    let places = places(home, ScriptedTransport([Self.asks]))
    let found = await places.check(try form(places, "webdav", "url=http://h.example/d", "user=a"))
    #expect(found.contains { $0.sentence.contains("is not encrypted") } && !found.contains(where: \.isError))
  }

  @Test func `a club is written into a file of its own, with its settings alone`() async throws {
    let home = try DropInTests.Home(#"{"clubs":{"shelf":{"path":"/shelf"}}}"#)
    let places = places(home)
    #expect(try await places.add(cloud(places)) == "cloud-byteclub")
    #expect(
      text(home, "cloud-byteclub")
        == #"{"version":1,"store":"webdav","url":"https://cloud.example.org/remote.php/dav/files/ann/ByteClub","user":"ann"}"#
        + "\n")
    let report = try home.report()
    #expect(report.warnings.isEmpty && report.config.clubNames == ["shelf", "cloud-byteclub"])
    #expect(
      try await places.add(
        form(places, "s3", "endpoint= s3.example.org ", "bucket=club", "prefix=ours", "accessKeyID=AKIA")) == "s3-ours")
    #expect(try await places.add(form(places, "s3", "bucket=home")) == "s3-home")
    #expect(try await places.add(form(places, "dropbox", "appKey=k3y", "folder=Our Club")) == "dropbox-our-club")
    #expect(try home.report().warnings.isEmpty && home.report().config.clubNames.count == 5)
  }

  @Test func `names that are taken are numbered, and one that the member wants is refused`() async throws {
    let home = try DropInTests.Home(#"{"clubs":{"cloud-byteclub":{"path":"/shelf"}}}"#, ["broken": "{"])
    let places = places(home)
    for name in ["cloud-byteclub", "broken", "home"] {
      let error = await #expect(throws: StoreError.self) { try await places.add(cloud(places), name: name) }
      #expect(error?.kind == .exists, "\(name)")
    }
    for name in ["../x", "A", "", "-a", "a/b"] {
      let error = await #expect(throws: StoreError.self) { try await places.add(cloud(places), name: name) }
      #expect(error?.kind == .badInput, "\(name)")
    }
    #expect(try await places.add(cloud(places)) == "cloud-byteclub-2")
  }

  @Test(arguments: ["url=https://cloud.example.org/remote.php/dav/files/ann/ByteClub/", "url=cloud.example.org"])
  func `a place that is here already is refused, and its club named`(_ url: String) async throws {
    let home = try DropInTests.Home(
      #"{"clubs":{"mine":{"store":"webdav","url":"https://cloud.example.org/remote.php/dav/files/ann/ByteClub","user":"ann"}}}"#
    )
    let places = places(home)
    let form = try form(places, "webdav", url, "user=ann")
    let error = await #expect(throws: StoreError.self) { try await places.add(form) }
    #expect(error?.kind == .exists && error?.message.contains("\"mine\"") == true)
    #expect(await places.check(form).map(\.isError) == [true])
    // Another member of the same server is at another place.
    #expect(try await places.add(self.form(places, "webdav", "url=cloud.example.org", "user=ray")) == "cloud-byteclub")
    let again = await #expect(throws: StoreError.self) {
      try await places.add(self.form(places, "webdav", "url=cloud.example.org", "user=ray"))
    }
    #expect(again?.message.contains("\"cloud-byteclub\"") == true)
  }

  @Test func `a pin that another club with the same password does not have is refused`() async throws {
    let home = try DropInTests.Home()
    let places = places(home)
    let club = try await places.add(try cloud(places))
    let pin = "pin=sha256//" + String(repeating: "A", count: 43) + "="
    let values = ["url=https://cloud.example.org/remote.php/dav/files/ann/Other", pin]
    let form = try places.filled(try places.form(ofKind: "webdav"), values + ["user=ann"])
    let found = await places.check(form)
    #expect(found.map(\.isError) == [true] && found[0].sentence.contains("The club \"\(club)\" has the same sign-in"))
    let error = await #expect(throws: StoreError.self) { try await places.add(form) }
    #expect(error?.kind == .badInput && error?.remedy.contains("byteclub club leave \(club)") == true)
    _ = try await places.add(try places.filled(try places.form(ofKind: "webdav"), values + ["user=ray"]))
  }

  @Test func `while another byteclub adds a club, none is added`() async throws {
    let home = try DropInTests.Home()
    let places = places(home)
    let lock = try JoinLock(home.paths, knowing: try home.report())
    let error = await #expect(throws: StoreError.self) { try await places.add(cloud(places)) }
    #expect(error?.kind == .conflict && DropIn.all(home.paths).isEmpty)
    lock.release()
    #expect(try await places.add(cloud(places)) == "cloud-byteclub")
  }

  @Test func `no program and no setting of another kind comes from a form`() throws {
    let places = places(try DropInTests.Home())
    for value in ["passwordCommand=sh", "tokenCommand=sh", "bucket=b", "unsafeWrites=true", "=x", "url", "caFile=/x"] {
      #expect(throws: StoreError.self) { try form(places, "webdav", value) }
    }
    for kind in ["folder", "dropbox-v1", "floppy", ""] {
      #expect(throws: StoreError.self) { try places.form(ofKind: kind) }
    }
  }

  // MARK: Lines

  private static let clubs = #"""
    {"clubs":{
      "cloud":{"store":"webdav","url":"https://c.example/remote.php/dav/files/ann/Our%20Club","user":"ann",
        "passwordCommand":["pass","show","s3cret"]},
      "bucket":{"store":"s3","endpoint":"https://s3.example.org","bucket":"club","prefix":"ours","region":"eu",
        "style":"host","accessKeyID":"AKIAMINE","profile":"mine","credentialsCommand":["pass","s3cret"]},
      "box":{"store":"dropbox","appKey":"k3y","folder":"/Club","account":"choir"},
      "lab":{"store":"dropbox","server":"https://club.example"},
      "old":{"store":"dropbox-v1","server":"https://club.example"},
      "shelf":{"path":"/shelf"},
      "leak":{"store":"webdav","url":"https://ann:pa55@c.example/d","user":"ann"}}}
    """#

  @Test(arguments: [
    ("cloud", ["url=https://c.example/remote.php/dav/files/{user}/Our%20Club", "user="]),
    (
      "bucket",
      ["endpoint=https://s3.example.org", "bucket=club", "region=eu", "prefix=ours", "accessKeyID=", "style=host"]
    ), ("box", ["appKey=k3y", "folder=/Club"]),
  ])
  func `a club's line fills in a friend's form, without anything of the member's own`(
    _ row: (club: String, fields: [String])
  ) throws {
    let home = try DropInTests.Home(Self.clubs)
    defer { withExtendedLifetime(home) {} }
    let places = places(home)
    let shown = try places.line(for: row.club)
    for own in ["ann", "s3cret", "AKIAMINE", "mine", "choir"] { #expect(!shown.line.contains(own), "\(shown.line)") }
    #expect(shown.line.hasPrefix("byteclub:") && !shown.line.contains { $0.isWhitespace })
    let friend = self.places(try DropInTests.Home())
    let form = try #require(try friend.form(ofLine: "Here: <\(shown.line)>."))
    #expect(form.fields.map { "\($0.key)=\($0.value)" } == row.fields)
  }

  @Test(arguments: [
    ("lab", "byteclub serve invite NAME"), ("old", "byteclub serve invite NAME"),
    ("shelf", "a directory of this machine"),
    ("leak", "is not the address of a folder"), ("none", "There is no club"),
  ])
  func `a club whose friends come in another way has no line, and the reason is said`(
    _ row: (club: String, words: String)
  ) throws {
    let home = try DropInTests.Home(Self.clubs)
    defer { withExtendedLifetime(home) {} }
    let places = places(home)
    let error = #expect(throws: StoreError.self) { try places.line(for: row.club) }
    #expect(error?.kind == .badInput && error?.description.contains(row.words) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("pa55") == false)
  }

  @Test(arguments: [
    ("webdav", "url=https%3A%2F%2Fh.example&passwordCommand=sh", "passwordCommand"),
    ("webdav", "url=https%3A%2F%2Fh.example&user=eve", "user"), ("s3", "bucket=b&accessKeyID=EVE", "accessKeyID"),
    ("s3", "bucket=b&unsafeWrites=true", "unsafeWrites"), ("dropbox", "appKey=k&server=https%3A%2F%2Feve", "server"),
    ("folder", "path=%2Fetc", "folder"), ("floppy", "a=b", "floppy"), ("dropbox-v1", "appSecret=x", "dropbox-v1"),
  ])
  func `a line with anything else is refused, and says what it is`(
    _ row: (kind: String, query: String, word: String)
  ) throws {
    let places = places(try DropInTests.Home())
    let line = PlaceLineTests.line(row.kind, row.query)
    let error = #expect(throws: StoreError.self) { try places.form(ofLine: line) }
    #expect(error?.kind == .badInput && error?.message.contains("\"\(row.word)\"") == true)
  }

  @Test func `an invitation is no line of a place`() throws {
    let places = places(try DropInTests.Home())
    #expect(try places.form(ofLine: "https://club.example/join#AbCdEfGhIjKlMnOpQrSt-_") == nil)
  }
}
