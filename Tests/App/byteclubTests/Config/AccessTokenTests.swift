import POSIX
import JSON
import Testing

@testable import byteclub

/// Where a token may be said, and where it must not be found again.
struct AccessTokenTests {
  @Test func `at WebDAV a program's token needs a name, to which all belongs that waits, whatever the token is`()
    async throws
  {
    func home(_ user: String, _ token: String) throws -> DropInTests.Home {
      try DropInTests.Home(
        #"{"clubs":{"a":{"store":"webdav","url":"https://c.example/a",\#(user)"tokenCommand":["echo","\#(token)"]}}}"#)
    }
    let nameless = try home("", "one")
    let fault = #expect(throws: ConfigFault.self) { try ConfigCheck.answer(StartOptions(), nameless.environment) }
    #expect(fault?.description.contains("Set \"user\" in the config to your name") == true)
    var keys: [String] = []
    for (user, token) in [("ann", "one"), ("ann", "two"), ("eve", "two")] {
      let home = try home("\"user\":\"\(user)\",", token)
      defer { withExtendedLifetime(home) {} }
      keys.append(await ClubOwner.find(try ClubSetup(StartOptions(), environment: home.environment)).key)
    }
    #expect(keys[0] == keys[1] && keys[1] != keys[2])
  }

  @Test func `the variable has one name alone, and is no variable for others`() {
    let environment = Environment(["BYTECLUB_TOKEN": "t0ken", "HOME": "/h"])
    #expect(environment.accessToken == "t0ken")
    #expect(environment["BYTECLUB_TOKEN"] == nil)
    #expect(environment["HOME"] == "/h")
    #expect(Environment(["HOME": "/h"]).accessToken == nil)
  }

  @Test func `no setting takes the token, so that config show cannot tell it`() {
    #expect(ClubSetup.settings().settings.allSatisfy { $0.variable != Environment.tokenVariable })
    let report = ConfigReaderTests.read(nil, ["BYTECLUB_TOKEN": "t0ken"])
    #expect(!"\(report)".contains("t0ken"))
  }

  @Test(
    arguments: [
      (#"["pass", "show", "club"]"#, ["pass", "show", "club"]), (#"["x", ""]"#, ["x", ""]), ("null", nil),
    ] as [(String, [String]?)])
  func `a program is a list of texts, or null`(_ row: (json: String, words: [String]?)) {
    let report = ConfigReaderTests.read(#"{"clubs":{"a":{"store":"dropbox","tokenCommand":\#(row.json)}}}"#)
    #expect(report.faults.isEmpty)
    #expect(report.config.program("clubs.a.tokenCommand") == row.words)
  }

  @Test(arguments: [#""pass show club""#, "[]", #"[""]"#, "[1]", #"["a", null]"#, #"["a\u0000"]"#, "true"])
  func `anything else is an error that shows how it is written`(_ json: String) {
    let report = ConfigReaderTests.read(#"{"clubs":{"a":{"store":"dropbox","tokenCommand":\#(json)}}}"#)
    #expect(report.faults.count == 1)
    #expect(report.faults.first?.contains(#"such as ["pass", "show", "club"], or null"#) == true)
  }

  @Test func `an app key is a text`() {
    let report = ConfigReaderTests.read(#"{"clubs":{"a":{"store":"dropbox","appKey":"k3y"}}}"#)
    #expect(report.faults.isEmpty && report.warnings.isEmpty)
    #expect(report.config.text("clubs.a.appKey") == "k3y")
  }
}
