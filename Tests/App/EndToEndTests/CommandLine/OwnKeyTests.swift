import Foundation
import TestKit
import Testing

/// A club that is known by its server's key, with the program itself on both sides.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil)) struct OwnKeyTests {
  /// Runs the server while `body` does, and returns all that it said.
  private func serving(
    _ home: CommandLineHome, _ body: (_ config: String) throws -> Void
  ) throws -> (said: String, config: String) {
    let server = try home.start([
      "serve", "--root", home.path + "/served", "--listen", "127.0.0.1:0", "--tls-self",
    ])
    do {
      try server.wait(forOutput: "}")
      try body(server.told)
    } catch {
      server.signal(SIGKILL)
      _ = try server.finish()
      throw error
    }
    server.signal(SIGINT)
    let outcome = try server.finish()
    return (outcome.said, outcome.text)
  }

  private func pin(in config: String) throws -> Substring {
    try #require(config.split(separator: "\"").first { $0.hasPrefix("sha256//") })
  }

  private func write(_ config: String, to home: CommandLineHome) throws {
    try home.write("{\"clubs\": {\"ours\": \(config)}, \"club\": \"ours\"}".utf8, to: ".config/byteclub/config.json")
  }

  @Test func `the printed line is enough to join a server without an authority, also after it was started again`()
    throws
  {
    let home = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: home.path + "/served", withIntermediateDirectories: false)
    let token = try home.run("serve", "member", "add", "ann", "--root", home.path + "/served").text
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let variables = ["BYTECLUB_TOKEN": token]
    let first = try serving(home) { config in
      try write(config, to: home)
      #expect(try home.run("config", "check").status == 0)
      let shown = try home.run("config", "show").text
      let pin = try pin(in: config)
      #expect(shown.contains("clubs.ours.pin = \"\(pin)\""), "\(shown)")
      #expect(try home.run("note", "put", "Hello.md", input: "the lighthouse\n", variables: variables).status == 0)
      #expect(try home.run("doctor", variables: variables).text.contains("a store of kind dropbox"))
    }
    let second = try serving(home) { config in
      try write(config, to: home)
      #expect(try home.run("note", "cat", "Hello.md", variables: variables).text == "the lighthouse\n")
    }
    #expect(try pin(in: first.config) == pin(in: second.config))
  }

  @Test func `a second server that cannot listen leaves the invitations to the first as they are`() throws {
    let home = try CommandLineHome()
    let root = home.path + "/served"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    func invite() throws -> (line: String, said: String) {
      let made = try home.run("serve", "invite", "ann", "--root", root, "--address", "https://club.example:8443")
      return (made.text.trimmingCharacters(in: .whitespacesAndNewlines), made.said)
    }
    let length = "https://club.example:8443/join#".count + 22
    let early = try invite()
    #expect(early.line.count == length && early.said.contains("so the line has no pin"), "\(early.said)")
    _ = try serving(home) { config in
      let port = try #require(config.split(separator: "127.0.0.1:").last?.prefix { $0.isNumber })
      let second = try home.start(["serve", "--root", root, "--listen", "127.0.0.1:\(port)"]).finish()
      #expect(second.status != 0)
      let pinned = try invite()
      #expect(pinned.line.count == length + 1 + 43 && !pinned.said.contains("has no pin"), "\(pinned.line.count)")
    }
  }

  @Test func `a server with another key gets no request, from whatever command`() throws {
    let home = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: home.path + "/served", withIntermediateDirectories: false)
    let wrong = "sha256//" + String(repeating: "A", count: 43) + "="
    let commands: [[String]] = [
      ["doctor"], ["whoami"], ["login", "--paste"], ["note", "ls"], ["note", "put", "New.md"], ["photo", "ls"],
      ["trash", "ls"], ["club", "init"],
    ]
    let served = try serving(home) { config in
      try write(config.replacing(try pin(in: config), with: wrong), to: home)
      for words in commands {
        let variables = words[0] == "login" ? [:] : ["BYTECLUB_TOKEN": "bc.token"]
        let outcome = try home.start(words, input: Array("code\n".utf8), variables).finish()
        #expect(outcome.status != 0, "\(words)")
        #expect(
          (outcome.text + outcome.said).contains("has another key"), "\(words): \(outcome.text)\(outcome.said)")
      }
    }
    // Each request has a line in the server's log.
    #expect(!served.said.contains("/2/") && !served.said.contains("/oauth2/"), "\(served.said)")
  }

  @Test(arguments: [
    (["--tls-self", "--tls-cert", "c.pem", "--tls-key", "k.pem"], "--tls-self makes a key, and --tls-key names one."),
    (["--tls-self", "--tls-key", "k.pem"], "--tls-cert needs --tls-key"),
  ])
  func `a key of its own excludes another one`(words: [String], sentence: String) throws {
    let home = try CommandLineHome()
    let outcome = try home.start(["serve", "--root", home.path] + words).finish()
    #expect(outcome.status == 2)
    #expect(outcome.said.contains(sentence), "\(outcome.said)")
  }
}
