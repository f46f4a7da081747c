import Accounts
import Backends
import Testing

@testable import byteclub

struct ClubChoiceTests {
  private static let three = #"{"clubs":{"a":{"path":"/a"},"b":{"path":"~/b"},"garage":{"path":"/g"}}}"#

  private func choose(
    _ json: String?, _ options: StartOptions = StartOptions(), variables: [String: String] = [:]
  ) throws -> ClubChoice {
    let paths = try Paths(Environment(["HOME": "/h"]))
    let report = ConfigReaderTests.read(json, variables, flags: options.club.map { ["--club": $0] } ?? [:])
    return try ClubChoice(report, options: options, paths: paths, stores: .standard)
  }

  @Test func `without a config it is the home club, on its first start`() throws {
    let choice = try choose(nil)
    #expect(choice.name == "home")
    #expect(choice.directory == "/h/ByteClub")
    #expect(choice.place == "~/ByteClub")
    #expect(choice.isFirstStart)
    #expect(try !choose("{}").isFirstStart)
  }

  @Test func `the only club is taken, and of several the one that is asked for`() throws {
    #expect(try choose(#"{"clubs":{"lab":{"path":"/lab"}}}"#).name == "lab")
    #expect(try choose(Self.three, StartOptions(club: "b")).directory == "/h/b")
    #expect(try choose(Self.three, variables: ["BYTECLUB_CLUB": "a"]).name == "a")
  }

  @Test func `when it is not clear which club is meant, the sentence names them`() throws {
    let fault = #expect(throws: ConfigFault.self) { try choose(Self.three) }
    #expect(fault?.description.contains("(a, b, garage)") == true)
    let unknown = #expect(throws: ConfigFault.self) { try choose(Self.three, StartOptions(club: "grage")) }
    #expect(unknown?.description.contains(#"Did you mean "garage"?"#) == true)
  }

  @Test func `several clubs without a default are undecided; a default, home, a name and a folder decide`() throws {
    func undecided(_ json: String, _ options: StartOptions = StartOptions(), _ variables: [String: String] = [:])
      -> [String]?
    {
      let flags = options.club.map { ["--club": $0] } ?? [:]
      return ClubChoice.undecided(ConfigReaderTests.read(json, variables, flags: flags), options)
    }
    let two = #"{"clubs":{"a":{"path":"/a"},"b":{"path":"/b"}}}"#
    #expect(undecided(two) == ["a", "b"])
    #expect(undecided(two, StartOptions(club: "a")) == nil && undecided(two, StartOptions(folder: "/c")) == nil)
    #expect(undecided(two, StartOptions(), ["BYTECLUB_CLUB": "b"]) == nil)
    #expect(undecided(#"{"club":"a","clubs":{"a":{"path":"/a"},"b":{"path":"/b"}}}"#) == nil)
    #expect(undecided(#"{"clubs":{"a":{"path":"/a"},"home":{"path":"/b"}}}"#) == nil)
    #expect(undecided(#"{"clubs":{"a":{"path":"/a"}}}"#) == nil)
  }

  @Test func `a club in a Dropbox needs no path, and its place is the server's and the folder's`() throws {
    let json = #"{"clubs":{"ours":{"store":"dropbox","server":"http://127.0.0.1:8080","folder":"/club"}}}"#
    let choice = try choose(json)
    #expect(choice.kind.name == "dropbox" && choice.directory == nil && !choice.isFirstStart)
    #expect(choice.place == "/club at http://127.0.0.1:8080")
    #expect(try choose(#"{"clubs":{"ours":{"store":"dropbox"}}}"#).place == "Dropbox")
  }

  @Test func `two clubs at one place need a word for each account, which tells them apart`() throws {
    func json(_ garage: String, _ choir: String) -> String {
      let place = #""store":"dropbox","server":"http://127.0.0.1:8080","folder":"/""#
      return #"{"clubs":{"garage":{\#(place)\#(garage)},"choir":{\#(place)\#(choir)}}}"#
    }
    for club in ["garage", "choir"] {
      let fault = #expect(throws: ConfigFault.self) { try choose(json("", ""), StartOptions(club: club)) }
      #expect(fault?.description.contains("\"clubs.\(club).account\"") == true, "\(String(describing: fault))")
    }
    // One word is enough: the other club stays as it was.
    let named = json("", #","account":"sings""#)
    let garage = try choose(named, StartOptions(club: "garage"))
    let choir = try choose(named, StartOptions(club: "choir"))
    #expect(garage.place == "/ at http://127.0.0.1:8080" && choir.place == "/ at http://127.0.0.1:8080, as sings")
    #expect(garage.kind.identity(of: garage.store) != choir.kind.identity(of: choir.store))
    let accounts = try [garage, choir].map { choice in
      guard case .tokens(let signIn) = try choice.kind.signIn(to: choice.store) else { throw ConfigFault("no tokens") }
      return try Account(club: choice.name, signIn, bringsToken: false)
    }
    let files = accounts.map { TokenFile(directory: "/tokens", account: $0).path }
    #expect(files[0] != files[1])
  }

  @Test func `a directory is a club by its own name, or by the config's`() throws {
    #expect(try choose(Self.three, StartOptions(folder: "/srv/club x")).name == "club x")
    #expect(try choose(Self.three, StartOptions(folder: "/g")).name == "garage")
    #expect(try choose(nil, StartOptions(folder: "~/ByteClub")).isFirstStart == false)
  }

  @Test func `a command is for the club of the config, or for the directory that has its name by chance`() throws {
    #expect(try choose(Self.three, StartOptions(club: "b")).commands.makeFolder == "byteclub club init --club b")
    #expect(
      try choose(Self.three, StartOptions(folder: "/g")).commands.makeFolder == "byteclub club init --club garage")
    #expect(
      try choose(Self.three, StartOptions(folder: "/x/a")).commands.makeFolder == "byteclub club init --folder /x/a")
    #expect(try choose(nil).commands.makeFolder == "byteclub club init --club home")
    // The named file is the one that the paths were made with.
    #expect(
      try choose(Self.three, StartOptions(config: "x", club: "b")).commands.login
        == "byteclub login --club b --config ~/.config/byteclub/config.json")
  }
}
