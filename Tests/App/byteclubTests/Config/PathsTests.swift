import JSON
import Testing

@testable import byteclub

struct PathsTests {
  @Test func `the usual places are below the home directory`() throws {
    let paths = try Paths(Environment(["HOME": "/home/ray/"]))
    #expect(paths.configFile == "/home/ray/.config/byteclub/config.json")
    #expect(paths.data == "/home/ray/.local/share/byteclub")
    #expect(paths.cache == "/home/ray/.cache/byteclub")
    #expect(paths.logFile == "/home/ray/.local/state/byteclub/log")
    #expect(paths.runtime == "/home/ray/.local/share/byteclub/run")
    #expect(!paths.configIsNamed)
  }

  @Test func `the XDG variables move them, unless they are relative`() throws {
    let paths = try Paths(
      Environment([
        "HOME": "/h", "XDG_CONFIG_HOME": "/c/", "XDG_DATA_HOME": "relative", "XDG_CACHE_HOME": "/k",
        "XDG_RUNTIME_DIR": "/run/user/1",
      ]))
    #expect(paths.configFile == "/c/byteclub/config.json")
    #expect(paths.data == "/h/.local/share/byteclub")
    #expect(paths.cache == "/k/byteclub")
    #expect(paths.runtime == "/run/user/1/byteclub")
  }

  @Test func `without a home a sentence says what to set, unless no home is needed`() throws {
    let fault = #expect(throws: ConfigFault.self) { try Paths(Environment([:])) }
    #expect(fault?.description.contains("HOME is not set") == true)
    let variables = [
      "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/k", "XDG_STATE_HOME": "/s",
    ]
    #expect(try Paths(Environment(variables)).data == "/d/byteclub")
  }

  @Test func `a tilde is the home directory, and no other member's`() throws {
    let paths = try Paths(Environment(["HOME": "/home/ray"]))
    #expect(try paths.expanding("~") == "/home/ray")
    #expect(try paths.expanding("~/x") == "/home/ray/x")
    #expect(try paths.expanding("/a~b") == "/a~b")
    #expect(throws: ConfigFault.self) { try paths.expanding("~ann/x") }
    #expect(paths.abbreviating("/home/ray/x") == "~/x")
    #expect(paths.abbreviating("/home/raymond") == "/home/raymond")
  }

  @Test func `the flag names the config file before the variable does`() throws {
    let environment = Environment(["HOME": "/h", "BYTECLUB_CONFIG": "~/mine.json"])
    #expect(try Paths(environment).configFile == "/h/mine.json")
    #expect(try Paths(environment, config: "/x.json").configFile == "/x.json")
  }
}
