import Foundation
import TestKit
import Testing

/// The options of a server in a file, and a club that is named before `serve`.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil)) struct ServerConfigTests {
  private func write(_ json: [String: Any], in home: CommandLineHome) throws -> String {
    try home.write(JSONSerialization.data(withJSONObject: json), to: "server.json")
    return home.path + "/server.json"
  }

  @Test func `the server and the commands about its club take their options from one file`() throws {
    let home = try CommandLineHome()
    var options: [String: Any] = [
      "root": home.path + "/club", "state": home.path + "/state", "quota": ["1K"], "shared-links": true,
      "insecure": false, "keep-days": 3,
    ]
    let config = try write(options, in: home)
    let server = try RunningServer(in: home, place: ["--config", config])
    let added = try home.run("serve", "member", "add", "ann", "--config", config)
    #expect(added.status == 0 && !added.said.contains("new list"), "\(added)")
    #expect(home.files(ending: "members.sqlite") == ["state/members.sqlite"])
    let token = added.text.trimmingCharacters(in: .newlines)
    let first = try server.upload("/a", String(repeating: "x", count: 1024), token: token)
    #expect(first.status == "200", "\(first)")
    let second = try server.upload("/b", "x", token: token)
    #expect(second.status == "409", "\(second)")
    // The server would name itself by this address.
    options["address"] = "https://club.example"
    _ = try write(options, in: home)
    let invited = try home.run("serve", "--config=" + config, "invite", "ben")
    #expect(invited.text.hasPrefix("https://club.example/join#"), "\(invited)")
    let typed = try home.run("serve", "invite", "ben", "--address", "https://other.example", "--config", config)
    #expect(typed.text.hasPrefix("https://other.example/join#"), "\(typed)")
  }

  @Test func `a command about one of several clubs of the file names its folder, and finds its data`() throws {
    let home = try CommandLineHome()
    for name in ["one", "two"] {
      try FileManager.default.createDirectory(atPath: home.path + "/" + name, withIntermediateDirectories: false)
    }
    let config = try write(
      ["club-root": ["one", "two"].map { "\($0)=\(home.path)/\($0)" }, "state": home.path + "/state"], in: home)
    let added = try home.run("serve", "member", "add", "ann", "--config", config, "--root", home.path + "/two/")
    #expect(added.status == 0, "\(added.said)")
    #expect(home.files(ending: "members.sqlite") == ["state/two/members.sqlite"])
    let all = try home.run("serve", "member", "ls", "--config", config)
    #expect(all.status == 2 && all.said.contains("This command is for one club."), "\(all.said)")
    let other = try home.run("serve", "member", "ls", "--config", config, "--root", home.path)
    #expect(other.status == 2 && other.said.contains("is none of the folders of --club-root."), "\(other.said)")
  }

  @Test(arguments: [
    (#"{ "quotta": "1M" }"#, "line 1: byteclub serve has no option \"quotta\" for a config."),
    ("{\n \"shared-links\": \"yes\" }", "line 2: \"shared-links\" needs true or false."),
    (#"{ "address": ["https://club.example"] }"#, "line 1: \"address\" needs a text or a whole number."),
    (#"{ "quota": [true] }"#, "line 1: \"quota\" needs a text or a whole number."),
    (#"{ "listen": "nowhere" }"#, "--listen needs HOST:PORT"),
    (#"{ "config": "more.json" }"#, "has no option \"config\""),
    (#"{ "hook": "https://club.example/hook" }"#, "--hook needs --hook-key FILE."),
    (#"{ "hook": "http://club.example/hook", "hook-key": "key" }"#, "http://club.example has no TLS."),
    (#"{ "hook": "nowhere", "hook-key": "key" }"#, "--hook needs an address such as https://HOST/PATH"),
    (#"{ "hook-private": true }"#, "--hook-key and --hook-private need --hook."),
    (#"["--listen"]"#, "the server's config is one JSON object"),
    ("{ listen }", "line 1, column 3: a key in double quotes was expected."),
  ])
  func `a fault of the file is wrong usage, with its place`(text: String, sentence: String) throws {
    let home = try CommandLineHome()
    try home.write(text.utf8, to: "server.json")
    let refused = try home.run("serve", "--root", home.path, "--config", home.path + "/server.json")
    #expect(refused.status == 2 && refused.said.contains(sentence), "\(refused.said)")
  }

  @Test func `a file that is not there is wrong usage, and so is an option without one`() throws {
    let home = try CommandLineHome()
    let missing = try home.run("serve", "member", "ls", "--config", home.path + "/none.json")
    #expect(missing.status == 2 && missing.said.contains("/none.json\" cannot be read: No such file"), "\(missing)")
    #expect(try home.run("serve", "member", "ls", "--config").status == 2)
  }

  @Test func `a club that is named before serve is the one that is served, as with its name behind it`() throws {
    let home = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: home.path + "/den", withIntermediateDirectories: false)
    let config = ["club": "den", "clubs": ["den": ["store": "folder", "path": home.path + "/den"]]] as [String: Any]
    try home.write(JSONSerialization.data(withJSONObject: config), to: ".config/byteclub/config.json")
    #expect(try home.run("--club", "den", "serve", "member", "add", "--", "-ann").status == 0)
    for words in [
      ["--club", "den", "serve", "member", "ls", "--json"], ["--json", "--club=den", "serve", "member", "ls"],
      ["--folder", home.path + "/den", "serve", "member", "ls", "--json"],
      ["serve", "member", "ls", "--club", "den", "--json"],
    ] {
      let listed = try home.start(words).finish()
      #expect(listed.status == 0 && listed.text.contains(#""name":"-ann""#), "\(words): \(listed)")
    }
    #expect(try home.run("--club", "nothing", "serve", "member", "ls").status == 2)
  }
}
