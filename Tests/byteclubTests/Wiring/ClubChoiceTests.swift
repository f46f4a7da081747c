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

  @Test func `a club in a Dropbox needs no path, and its place is the server's and the folder's`() throws {
    let json = #"{"clubs":{"ours":{"store":"dropbox","server":"http://127.0.0.1:8080","folder":"/club"}}}"#
    let choice = try choose(json)
    #expect(choice.kind.name == "dropbox" && choice.directory == nil && !choice.isFirstStart)
    #expect(choice.place == "/club at http://127.0.0.1:8080")
    #expect(try choose(#"{"clubs":{"ours":{"store":"dropbox"}}}"#).place == "Dropbox")
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
