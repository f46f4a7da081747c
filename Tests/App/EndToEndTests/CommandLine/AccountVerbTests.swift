import Foundation
import Synchronization
import TestKit
import Testing

/// Signing in, as a script does it, against a service that a test plays.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct AccountVerbTests {
  /// A service that takes one code, one refresh token and two access tokens.
  private final class Service: Sendable {
    private static let secrets = ["the-code", "first-access", "second-access", "the-refresh"]
    let server: RawServer
    private let asked: Log

    /// What it was asked, each with its whole head and body.
    private final class Log: Sendable {
      let lines = Mutex<[String]>([])
      let isFirstAccepted = Mutex(true)
    }

    init() throws {
      let log = Log()
      asked = log
      server = try RawServer.answering { request in
        let body = String(decoding: request.body, as: UTF8.self)
        log.lines.withLock { $0.append("\(request.target) \(body)") }
        let isFirst = "\(request.headers)".contains("Bearer first-access")
        let isKnown =
          (isFirst && log.isFirstAccepted.withLock { $0 }) || "\(request.headers)".contains("Bearer second-access")
        switch request.target {
        case "/oauth2/token" where body.contains("code=the-code"):
          return Service.json(
            #"{"access_token":"first-access","token_type":"bearer","expires_in":14400,"refresh_token":"the-refresh"}"#)
        case "/oauth2/token" where body.contains("refresh_token=the-refresh"):
          return Service.json(#"{"access_token":"second-access","token_type":"bearer","expires_in":14400}"#)
        case "/oauth2/token": return Service.json(#"{"error":"invalid_grant"}"#, status: 400)
        case "/2/users/get_current_account" where isKnown:
          return Service.json(#"{"account_id":"dbid:1","name":{"display_name":"Ray W"},"email":"ray@example.com"}"#)
        case "/2/auth/token/revoke" where isKnown: return Service.json("null")
        case let target where isKnown && target.hasPrefix("/2/files/list_folder"):
          return Service.json(
            #"{"error_summary":"path/not_found/..","error":{".tag":"path","path":{".tag":"not_found"}}}"#, status: 409)
        default: return Service.json(#"{"error":{".tag":"invalid_access_token"}}"#, status: 401)
        }
      }
    }

    deinit { server.stop() }

    var lines: [String] { asked.lines.withLock { $0 } }
    func refuseFirst() { asked.isFirstAccepted.withLock { $0 = false } }

    func home() throws -> CommandLineHome {
      let home = try CommandLineHome()
      let config =
        #"{"logLevel":"debug","club":"lab","clubs":{"lab":{"store":"dropbox","server":"\#(server.url)","folder":"/club"}}}"#
      try home.write(config.utf8, to: ".config/byteclub/config.json")
      return home
    }

    /// Whether a text has a secret in it.
    static func tells(_ text: String) -> Bool { secrets.contains { text.contains($0) } }

    private static func json(_ text: String, status: Int = 200) -> RawAnswer {
      RawAnswer(status, body: Array(text.utf8))
    }
  }

  /// Every file below a home but the tokens', as one text.
  private func everything(_ home: CommandLineHome) -> String {
    home.files(ending: "").filter { !$0.contains("/tokens/") }
      .compactMap { home.read($0) }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }

  @Test func `login, whoami and logout follow one another, and nothing secret is left behind`() throws {
    let service = try Service()
    let home = try service.home()
    let nobody = try home.run("whoami", "--json")
    #expect(nobody.status == 3)
    #expect(nobody.text.contains(#""kind":"notSignedIn""#))
    #expect(nobody.text.contains("byteclub login --club lab"))

    let login = try home.run("login", "--paste", "--json", input: "the-code\n")
    #expect(login.status == 0, "\(login.said)")
    #expect(login.text.contains(#""name":"Ray W""#))
    #expect(login.said.contains("\(service.server.url)/oauth2/authorize?response_type=code&client_id=byteclub"))
    let token = try #require(home.files(ending: ".json").first { $0.contains("/tokens/") })
    #expect(try home.mode(token) == 0o600)
    #expect(try home.mode((token as NSString).deletingLastPathComponent) == 0o700)

    service.refuseFirst()
    let who = try home.run("whoami")
    #expect(who.text == "Ray W <ray@example.com> on 127.0.0.1:\(service.server.port)\n")
    let logout = try home.run("logout")
    #expect(logout.status == 0, "\(logout.said)")
    #expect(service.lines.last == "/2/auth/token/revoke null")
    #expect(try home.run("logout").status == 3)
    #expect(home.files(ending: ".json").allSatisfy { !$0.contains("/tokens/") })

    for outcome in [nobody, login, who, logout] { #expect(!Service.tells(outcome.text + outcome.said)) }
    #expect(!Service.tells(everything(home)))
    let log = String(decoding: try #require(home.read(".local/state/byteclub/log")), as: UTF8.self)
    #expect(log.contains(try Regex(#" debug POST 127\.0\.0\.1:\d+/oauth2/token: 200 after \d+ ms, \d+ bytes\n"#)))
    #expect(service.lines.filter { $0.hasPrefix("/oauth2/token") }.count == 2)
  }

  @Test func `a wrong code signs nobody in`() throws {
    let service = try Service()
    let home = try service.home()
    let login = try home.run("login", "--paste", input: "wrong\n")
    #expect(login.status == 3)
    #expect(login.said.contains("refused the code"))
    #expect(try home.run("login", "--paste").status == 1)
    #expect(try home.run("whoami").status == 3)
  }

  @Test func `a service that cannot be reached is a temporary failure, and the sign-in stays`() throws {
    let service = try Service()
    let home = try service.home()
    let login = try home.run("login", "--paste", input: "the-code\n")
    #expect(login.said.contains("The club's folder does not exist yet. Make it with: byteclub club init --club lab"))
    service.server.stop()
    #expect(try home.run("whoami").status == 6)
    let logout = try home.run("logout")
    #expect(logout.status == 6)
    #expect(logout.said.contains("You are still signed in."))
    #expect(try home.run("logout", "--only-here").status == 0)
    #expect(try home.run("whoami").status == 3)
  }

  @Test func `the variable's token is used, and no program that is started has it`() throws {
    let service = try Service()
    let home = try service.home()
    let variables = ["BYTECLUB_TOKEN": "first-access"]
    let who = try home.run("whoami", "--json", variables: variables)
    #expect(who.text.contains(#""source":"variable""#))
    #expect(try home.run("login", "--paste", input: "the-code\n", variables: variables).status == 1)
    // The editor looks at its own variables, and at those that byteclub was started with.
    let editor = "env > \(home.path)/seen; tr '\\0' '\\n' < /proc/$PPID/environ > \(home.path)/parent; true"
    _ = try home.run("--folder", home.path, "note", "put", "a.md", input: "text")
    let edit = try home.run(
      "--folder", home.path, "note", "edit", "a.md", variables: variables.merging(["EDITOR": editor]) { $1 })
    #expect(!Service.tells(edit.text + edit.said))
    #expect(home.read("seen").map { String(decoding: $0, as: UTF8.self) }?.contains("EDITOR=") == true)
    #expect(home.read("parent").map { String(decoding: $0, as: UTF8.self) }?.contains("EDITOR=") == true)
    #expect(!Service.tells(everything(home)))
    #expect(home.files(ending: ".json").allSatisfy { !$0.contains("/tokens/") })
  }

  @Test func `a program can bring the token`() throws {
    let service = try Service()
    let home = try service.home()
    let config =
      #"{"clubs":{"lab":{"store":"dropbox","server":"\#(service.server.url)","tokenCommand":["sh","-c","echo first-access; echo x >> \"$HOME/count\""]}}}"#
    try home.write(config.utf8, to: ".config/byteclub/config.json")
    let who = try home.run("whoami", "--json")
    #expect(who.status == 0, "\(who.said)")
    #expect(who.text.contains(#""source":"command""#))
    service.refuseFirst()
    let refused = try home.run("whoami")
    #expect(refused.status == 3)
    #expect(refused.said.contains("tokenCommand"))
    #expect(!Service.tells(refused.said))
  }

  @Test func `nobody signs in to a directory`() throws {
    let home = try CommandLineHome()
    for verb in ["login", "logout", "whoami"] {
      let outcome = try home.run(verb)
      #expect(outcome.status == 1)
      #expect(outcome.said.contains("is a directory of this machine"))
    }
  }

  @Test func `a file that others can read is refused with the command that mends it`() throws {
    let service = try Service()
    let home = try service.home()
    _ = try home.run("login", "--paste", input: "the-code\n")
    let token = try #require(home.files(ending: ".json").first { $0.contains("/tokens/") })
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: home.path + "/" + token)
    let who = try home.run("whoami")
    #expect(who.status == 7)
    #expect(who.said.contains("chmod 600"))
  }

  @Test func `the app's secret is not shown with the other settings`() throws {
    let home = try CommandLineHome()
    let config =
      #"{"clubs":{"old":{"store":"dropbox-v1","server":"http://127.0.0.1:1","appKey":"k3y","appSecret":"app-s3cret","signature":"PLAINTEXT"}}}"#
    try home.write(config.utf8, to: ".config/byteclub/config.json")
    for words in [["config", "show"], ["config", "show", "--json"], ["whoami"], ["doctor"]] {
      let outcome = try home.start(words).finish()
      #expect(!(outcome.text + outcome.said).contains("app-s3cret"))
      #expect(!outcome.said.contains("there is no setting"))
    }
    let shown = try home.run("config", "show").text
    #expect(shown.contains("clubs.old.appSecret = \"(not shown)\""))
    #expect(shown.contains("clubs.old.appKey = \"k3y\""))
  }

  @Test(arguments: [
    #"{"store":"dropbox","server":"https://ann:pa55@h.example"}"#,
    #"{"store":"webdav","url":"https://ann:pa55@h.example/d"}"#,
    #"{"store":"s3","endpoint":"https://ann:pa55@h.example","bucket":"b"}"#,
    #"{"store":"webdav","url":"https://ann:pa55/x@h.example/d","user":"ann"}"#,
  ])
  func `no command shows a password that stands in an address of the config`(club: String) throws {
    let home = try CommandLineHome()
    try home.write(#"{"clubs":{"old":\#(club)},"log":{"level":"debug"}}"#.utf8, to: ".config/byteclub/config.json")
    for words in [
      ["config", "show"], ["config", "show", "--json"], ["config", "check"], ["config", "check", "--json"],
      ["club", "ls"],
      ["club", "ls", "--json"], ["whoami"], ["doctor"], ["note", "ls"], ["note", "ls", "--json"], ["login"],
    ] {
      let outcome = try home.start(words).finish()
      #expect(!(outcome.text + outcome.said).contains("pa55"), "\(words) \(outcome.text) \(outcome.said)")
    }
    for log in home.files(ending: "log") {
      #expect(home.read(log).map { String(decoding: $0, as: UTF8.self).contains("pa55") } != true, "\(log)")
    }
    #expect(try home.run("config", "show").text.contains("https://...@h.example"))
  }
}
