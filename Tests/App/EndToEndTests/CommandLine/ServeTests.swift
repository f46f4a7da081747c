import Basics
import Foundation
import TestKit
import Testing
import TextUI

/// `byteclub serve` as whoever runs it has it: its verbs, its files, its end; and signing in to it by OAuth 1.0.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil)) struct ServeTests {
  /// A server that runs, and the home of who runs it.
  private final class Served {
    let home: CommandLineHome
    let port: String
    private let server: Spawn
    private var isEnded = false

    init(_ more: String...) throws {
      home = try CommandLineHome()
      try FileManager.default.createDirectory(atPath: home.path + "/club", withIntermediateDirectories: false)
      server = try home.start(["serve", "--root", home.path + "/club", "--listen", "127.0.0.1:0"] + more)
      // The log comes some milliseconds behind what is said to people.
      try server.wait(forNotice: "listening on 127.0.0.1:")
      let told = server.said.split(separator: "listening on 127.0.0.1:").last
      port = String(told?.prefix { $0.isNumber } ?? "")
    }

    deinit { if !isEnded { server.signal(SIGKILL) } }

    /// The settings that the server prints for a member's config.
    func settings() throws -> String {
      try server.wait(forOutput: "}\n")
      return server.told
    }

    func interrupt() { server.signal(SIGINT) }

    func finish() throws -> Spawn.Outcome {
      isEnded = true
      return try server.finish()
    }

    func manage(_ words: String...) throws -> Spawn.Outcome {
      try home.start(["serve"] + words + ["--root", home.path + "/club"]).finish()
    }
  }

  private func curl(_ arguments: String..., input: [UInt8] = []) throws -> String {
    try Spawn(
      "/usr/bin/curl", ["-s", "--max-time", "180"] + arguments, environment: ["PATH": "/usr/bin:/bin"], input: input
    ).finish().text
  }

  @Test func `the server's page in docs is what it prints, and the page offers every command`() throws {
    let page = try CommandLineHome().run("serve", "manual").text
    try RepositoryFile.expect("docs/byteclub-serve.1", toBe: page)
    for command in ["serve run", "serve invite new", "serve member add", "serve app add", "serve manual"] {
      #expect(page.contains("byteclub \(command)"), "\(command)")
    }
  }

  @Test func `the server has the version of byteclub`() throws {
    let home = try CommandLineHome()
    let server = (try #require(CommandLineHome.binary) as NSString).deletingLastPathComponent + "/byteclub-serve"
    let version = try Spawn(server, ["--version"], environment: home.environment).finish().text
    #expect(try version == home.run("--version").text)
  }

  @Test(arguments: ["bin", "libexec/byteclub"])
  func `an installed byteclub finds the server in its own folder and in libexec`(folder: String) throws {
    let home = try CommandLineHome()
    let program = try installed(in: home)
    let missing = try Spawn(program, ["serve", "--version"], environment: home.environment).finish()
    #expect(missing.said.contains("Install the package byteclub-serve, or put the program beside byteclub."))
    try home.write(Array("#!/bin/sh\necho \"found $1\"\n".utf8), to: folder + "/byteclub-serve")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: home.path + "/\(folder)/byteclub-serve")
    let found = try Spawn(program, ["serve", "--version"], environment: home.environment).finish()
    #expect(found.text == "found --version\n")
  }

  @Test func `the demo names the package that it needs`() throws {
    let home = try CommandLineHome()
    var environment = home.environment
    environment["TERM"] = "xterm-256color"
    let session = try PtySession(
      try installed(in: home), ["demo"], size: Size(120, 40), environment: environment, workingDirectory: home.path)
    try session.wait(for: "Install the package byteclub-serve", timeout: .patient)
    #expect(try session.waitExit(timeout: .patient) == .exited(1))
  }

  /// A copy of byteclub alone, in a folder `bin`.
  private func installed(in home: CommandLineHome) throws -> String {
    try FileManager.default.createDirectory(atPath: home.path + "/bin", withIntermediateDirectories: false)
    let program = home.path + "/bin/byteclub"
    try FileManager.default.copyItem(atPath: try #require(CommandLineHome.binary), toPath: program)
    return program
  }

  @Test func `an upload under way when Ctrl-C comes is finished and answered, and then the server ends`() throws {
    let served = try Served()
    let token = try served.manage("member", "add", "ann").text.trimmingCharacters(in: .whitespacesAndNewlines)
    // The server has asked for the content, and so is in the middle of the call, when the signal comes.
    let upload = try Spawn(
      "/usr/bin/curl",
      [
        "-sv", "--max-time", "180", "-H", "Expect: 100-continue", "--expect100-timeout", "180", "-H",
        "Authorization: Bearer \(token)", "-H", "Content-Type: application/octet-stream", "-H",
        "Dropbox-API-Arg: {\"path\":\"/late.bin\"}", "-X", "POST", "-T", "-",
        "http://127.0.0.1:\(served.port)/2/files/upload",
      ], environment: ["PATH": "/usr/bin:/bin"], input: nil)
    try upload.wait(forNotice: "100 Continue")
    served.interrupt()
    // Whoever comes now is not let in any more.
    let isClosed = try (0..<500).contains { _ in
      try curl("-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:\(served.port)/") == "000"
    }
    #expect(isClosed)
    upload.closeInput()
    let answer = try upload.finish()
    #expect(answer.said.contains("HTTP/1.1 200"))
    #expect(answer.text.contains("/late.bin"))
    #expect(served.home.read("club/late.bin") == [])
    let end = try served.finish()
    #expect(end.status == 0)
    #expect(end.text.contains(#""store": "dropbox""#))
    #expect(!(end.said + end.text).contains(token))
  }

  @Test func `the server's own files are its user's alone, and not in the club`() throws {
    let served = try Served()
    let token = try served.manage("member", "add", "ann").text.trimmingCharacters(in: .whitespacesAndNewlines)
    let address = "http://127.0.0.1:\(served.port)/2/files/upload"
    for text in ["one", "two"] {
      let told = try curl(
        "-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/octet-stream", "-H",
        "Dropbox-API-Arg: {\"path\":\"/a\",\"mode\":\"overwrite\"}", "--data-binary", text, address)
      #expect(told.contains("\"rev\""))
    }
    let own = served.home.files(ending: "").filter { $0.hasPrefix(".local/share/byteclub/serve") }
    #expect(own.contains { $0.hasSuffix("members.sqlite") } && own.contains { $0.contains("/versions/") })
    for name in own {
      var isFolder = ObjCBool(false)
      _ = FileManager.default.fileExists(atPath: served.home.path + "/" + name, isDirectory: &isFolder)
      #expect(try served.home.mode(name) == (isFolder.boolValue ? 0o700 : 0o600), "\(name)")
    }
    #expect(served.home.files(ending: "").filter { $0.hasPrefix("club/") } == ["club/a"])
    let inside = try served.home.start(
      ["serve", "member", "ls", "--root", served.home.path + "/club"],
      ["XDG_DATA_HOME": served.home.path + "/club/data"]
    ).finish()
    #expect(inside.status == 1 && inside.said.contains("inside the served folder"))
    #expect(!FileManager.default.fileExists(atPath: served.home.path + "/club/data"))
  }

  @Test func `beyond this machine it wants TLS, or to be told that it need not`() throws {
    let home = try CommandLineHome()
    let refused = try home.run(
      "serve", "--root", home.path, "--listen", "0.0.0.0:0", variables: ["XDG_DATA_HOME": "/x"])
    #expect(refused.status == 7)
    try FileManager.default.createDirectory(atPath: home.path + "/club", withIntermediateDirectories: false)
    let open = ["serve", "--root", home.path + "/club", "--listen", "0.0.0.0:0"]
    let plain = try home.start(open).finish()
    #expect(plain.status == 7 && plain.said.contains("--insecure"))
    let told = try home.start(open + ["--insecure"])
    try told.wait(forNotice: "Serving. A member's config")
    #expect(told.said.contains("Serving without TLS: anyone on the network can read files and tokens."))
    told.signal(SIGINT)
    #expect(try told.finish().status == 0)
  }

  @Test(arguments: [["nope", "--help"], ["member", "nope", "--help"], ["member", "nope"]])
  func `a command that the server does not have is wrong usage, with --help and without`(_ words: [String]) throws {
    let outcome = try CommandLineHome().start(["serve"] + words).finish()
    let named = words.prefix { $0 != "--help" }.joined(separator: " ")
    #expect(outcome.status == 2 && outcome.text.isEmpty)
    #expect(outcome.said.contains("byteclub serve has no command \"\(named)\"."), "\(outcome.said)")
  }

  @Test func `an invitation is one line with the address that the server was started with`() throws {
    let unknown = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: unknown.path + "/club", withIntermediateDirectories: false)
    let club = ["--root", unknown.path + "/club"]
    for words in [
      ["ann"], ["ann", "--address", "club.example"], ["ann", "--expires", "91d"], ["ann", "--expires", "0d"],
    ] {
      let wrong = try unknown.start(["serve", "invite"] + words + club).finish()
      #expect(wrong.status == 2 && wrong.text.isEmpty, "\(words): \(wrong.said)")
    }
    let served = try Served("--address", "https://club.example:8443/")
    let settings = try served.settings()
    #expect(settings.contains(#""server": "https://club.example:8443""#), "\(settings)")
    let made = try served.manage("invite", "ann")
    #expect(made.status == 0 && made.text.hasPrefix("https://club.example:8443/join#"))
    // In a pipe there is the line alone: no picture.
    #expect(made.text.count == "https://club.example:8443/join#".count + 22 + 1)
    #expect(made.said.contains("byteclub join") && !made.said.contains("/join#"))
    let here = try served.manage(
      "invite", "new", "ls", "--address", "http://127.0.0.1:\(served.port)", "--expires", "12h")
    #expect(here.said.contains("this machine alone") && here.said.contains("Without https"))
    let listed = try served.manage("invite", "ls").text.split(separator: "\n")
    #expect(listed.map { $0.prefix { $0 != " " } } == ["ann", "ls"] && listed[0].contains("until 20"))
    #expect(!listed.joined().contains("#"))
    #expect(try served.manage("member", "ls").text.isEmpty)
    #expect(try served.manage("member", "add", "ann").status == 5)
    let code = here.text.split(separator: "#")[1].prefix(22)
    let joined = try curl(
      "http://127.0.0.1:\(served.port)/2/byteclub/join", "-H", "Content-Type: application/json", "--data-binary", "@-",
      input: Array(#"{"code":"\#(code)","device":"AAAAAAAAAAAAAAAAAAAAAA"}"#.utf8))
    #expect(joined.contains(#""member": "ls""#) && joined.contains("bc."))
    #expect(try served.manage("member", "ls").text == "ls\n")
    #expect(try served.manage("invite", "rm", "ann").status == 0)
    let gone = try served.manage("invite", "rm", "ann")
    #expect(gone.status == 4 && gone.said.contains("Nobody named \"ann\" is invited."))
    let reader = try served.manage("invite", "new", "ls", "--read-only")
    #expect(reader.status == 2 && reader.said.contains("--read-only is for new ones"), "\(reader.said)")
    let device = try served.manage("invite", "new", "ls")
    #expect(device.status == 0 && device.said.hasPrefix("ls is a member already: this line adds a device.\n"))
    #expect(try served.manage("invite", "ls").text.hasSuffix("  another device\n"))
    #expect(try served.manage("invite", "rm", "ls").status == 0)
    let json = try served.manage("invite", "ben", "--json").text
    #expect(json.contains(#""line":"https://club.example:8443/join#"#) && json.contains(#""name":"ben""#))
  }

  @Test func `members and app keys come, are listed and go`() throws {
    let served = try Served()
    #expect(try served.manage("member", "add", "ann").text.split(separator: "\n").count == 1)
    #expect(try served.manage("member", "add", "ben").said.hasPrefix("ben brings this token in BYTECLUB_TOKEN"))
    #expect(try served.manage("member", "add", "ann").status == 5)
    #expect(try served.manage("member", "ls").text == "ann\nben\n")
    #expect(try served.manage("member", "code", "ann").text.count == 24)
    let removed = try served.manage("member", "rm", "ben")
    #expect(removed.status == 0 && removed.said == "Removed the member \"ben\" and ended all their tokens.\n")
    #expect(try served.manage("member", "ls").text == "ann\n")
    for words in [("rm", "ben"), ("code", "ben")] {
      let missing = try served.manage("member", words.0, words.1)
      #expect(missing.said.hasPrefix("byteclub: The club has no member \"ben\".") && missing.status == 4)
    }
    let app = try served.manage("app", "add").text.split(separator: "\n").map(String.init)
    #expect(app.count == 2)
    #expect(try served.manage("app", "ls").text.hasPrefix(app[0] + "  20"))
    #expect(try served.manage("app", "rm", app[0]).status == 0)
    #expect(try served.manage("app", "ls").text == "")
    #expect(try served.manage("app", "rm", app[0]).said.contains("The server has no app key"))
    #expect(try served.manage("app", "rm", "byteclub").status == 7)
  }

  @Test func `members and app keys are also told to scripts, one document a command`() throws {
    let served = try Served()
    func told(_ words: String...) throws -> (status: Int32, json: [String: Any]) {
      let outcome = try served.home.start(["serve"] + words + ["--json", "--root", served.home.path + "/club"]).finish()
      #expect(outcome.said == "" && outcome.text.split(separator: "\n").count == 1)
      let json = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
      return (outcome.status, try #require(json))
    }
    func first(_ json: [String: Any]) throws -> [String: String] {
      try #require((json["results"] as? [[String: Any]])?.first).compactMapValues { $0 as? String }
    }
    let added = try told("member", "add", "ann")
    #expect(added.status == 0 && added.json["ok"] as? Bool == true)
    #expect(try first(added.json)["name"] == "ann" && first(added.json)["token"]?.isEmpty == false)
    #expect(try first(told("member", "ls").json) == ["name": "ann"])
    #expect(try first(told("member", "code", "ann").json)["code"]?.count == 23)
    #expect(try Set(first(told("app", "add").json).keys) == ["key", "secret"])
    #expect(try Set(first(told("app", "ls").json).keys) == ["key", "made"])
    for (words, status, kind) in [
      (["add", "ann"], Int32(5), "exists"), (["rm", "ben"], 4, "notFound"), (["add", "a\u{7}"], 1, "badName"),
      (["frob", "x"], 2, "badInput"),
    ] {
      let refused = try told("member", words[0], words[1])
      #expect(refused.status == status && (refused.json["error"] as? [String: String])?["kind"] == kind, "\(words)")
    }
    #expect(try first(told("member", "rm", "ann").json) == ["name": "ann"])
  }

  @Test func `a name or path that could drive a terminal is spelled out on standard error`() throws {
    let home = try CommandLineHome()
    let evil = "\u{1B}]0;title\u{7}\u{202E}"
    for words in [
      ["member", "ls", "--root", home.path + "/" + evil],
      ["restore", home.path + "/" + evil, "--root", home.path + "/x"],
      [evil],
    ] {
      let refused = try home.start(["serve"] + words).finish()
      #expect(refused.status != 0 && refused.said.contains("^[]0;title"), "\(words): \(refused.said)")
      #expect(!refused.notices.contains(0x1B) && !refused.said.contains("\u{202E}"))
    }
  }

  @Test func `a port that is in use is said in words`() throws {
    let served = try Served()
    try FileManager.default.createDirectory(
      atPath: served.home.path + "/other", withIntermediateDirectories: false)
    let outcome = try served.home.run(
      "serve", "--root", served.home.path + "/other", "--listen", "127.0.0.1:\(served.port)")
    #expect(outcome.status == 1)
    #expect(
      outcome.said.hasSuffix(
        "byteclub: Port \(served.port) of 127.0.0.1 is in use. Stop the other program or choose another --listen.\n"))
  }

  @Test func `files for TLS that cannot be used are named with the reason`() throws {
    let home = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: home.path + "/club", withIntermediateDirectories: false)
    func openssl(_ words: String...) throws {
      let made = try Spawn("/usr/bin/openssl", words, environment: ["PATH": "/usr/bin:/bin", "HOME": home.path])
        .finish()
      #expect(made.status == 0, "\(made.said)")
    }
    func file(_ name: String) -> String { home.path + "/" + name }
    for name in ["a", "b"] {
      try openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-keyout", file(name + ".key"), "-out", file(name + ".pem"))
    }
    try openssl("pkey", "-in", file("a.key"), "-aes256", "-passout", "pass:word", "-out", file("locked.key"))
    try home.write("nothing".utf8, to: "text")
    for (certificate, key, sentence) in [
      ("none", "a.key", "byteclub cannot read the certificate \"\(file("none"))\": No such file or directory."),
      ("a.pem", "none", "byteclub cannot read the private key \"\(file("none"))\": No such file or directory."),
      ("a.key", "a.key", "The file \"\(file("a.key"))\" has a private key but no certificate."),
      ("a.pem", "a.pem", "The file \"\(file("a.pem"))\" has a certificate but no private key."),
      ("text", "a.key", "The file \"\(file("text"))\" has no certificate."),
      ("a.pem", "locked.key", "The private key in \"\(file("locked.key"))\" has a passphrase."),
      (
        "a.pem", "b.key",
        "The key in \"\(file("b.key"))\" does not belong to the certificate in \"\(file("a.pem"))\"."
      ),
    ] {
      let outcome = try home.run(
        "serve", "--root", file("club"), "--listen", "127.0.0.1:0", "--tls-cert", file(certificate), "--tls-key",
        file(key))
      #expect(outcome.status == 1)
      #expect(
        outcome.said.hasPrefix(sentence.hasPrefix("byteclub ") ? sentence : "byteclub: " + sentence), "\(outcome.said)")
    }
  }

  @Test(arguments: ["HMAC-SHA1", "PLAINTEXT"])
  func `byteclub login signs in to an old club by OAuth 1, and no log has a secret`(_ signature: String) throws {
    let served = try Served()
    let home = served.home
    let first = try served.manage("member", "add", "ann").text.trimmingCharacters(in: .whitespacesAndNewlines)
    let app = try served.manage("app", "add").text.split(separator: "\n").map(String.init)
    let word = try served.manage("member", "code", "ann").text.trimmingCharacters(in: .whitespacesAndNewlines)
    let config =
      #"{"logLevel":"debug","club":"museum","clubs":{"museum":{"store":"dropbox-v1","server":"http://127.0.0.1:\#(served.port)","folder":"/byteclub","appKey":"\#(app[0])","appSecret":"\#(app[1])","signature":"\#(signature)"}}}"#
    try home.write(config.utf8, to: ".config/byteclub/config.json")
    // What a member types comes through a pipe with a name, so that it comes when the page is done.
    let pipe = home.path + "/typed"
    #expect(mkfifo(pipe, 0o600) == 0)
    let typing = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(typing) }
    let binary = try #require(CommandLineHome.binary)
    let login = try Spawn(
      "/bin/sh", ["-c", "exec \"$0\" login --paste <\"$1\"", binary, pipe],
      environment: ["HOME": home.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"])
    try login.wait(forNotice: "press Enter")
    let address = try #require(
      login.said.split(whereSeparator: \.isWhitespace).first { $0.contains("/1/oauth/authorize?") })
    let page = try curl("-c", home.path + "/cookies", String(address))
    #expect(page.contains(app[0]) && page.contains("127.0.0.1"))
    let request = try #require(page.split(separator: "name=\"request\" value=\"").last).prefix { $0 != "\"" }
    let done = try curl(
      "-b", home.path + "/cookies", "--data-urlencode", "request=\(request)", "--data-urlencode", "word=\(word)",
      String(address.prefix { $0 != "?" }))
    #expect(done.contains("Signed in as ann"))
    #expect(write(typing, "\n", 1) == 1)
    let signedIn = try login.finish()
    #expect(signedIn.status == 0, "\(signedIn.said)")
    #expect(signedIn.said.contains("as ann"))
    #expect(try home.run("whoami").text.hasPrefix("ann"))
    #expect(try home.run("club", "init").status == 0)
    #expect(try home.run("note", "put", "Hello.md", input: "the lighthouse\n").status == 0)
    #expect(home.read("club/byteclub/Hello.md") == Array("the lighthouse\n".utf8))
    let name = try #require(home.files(ending: ".json").first { $0.contains("/tokens/") })
    let kept = String(decoding: try #require(home.read(name)), as: UTF8.self)
    // The token and its secret stand there as one word with a space between.
    let pattern = try Regex("[0-9a-f]{16} [0-9a-f]{32}")
    let tokens = kept.matches(of: pattern).flatMap { kept[$0.range].split(separator: " ").map(String.init) }
    #expect(tokens.count == 2)
    #expect(try home.run("logout").status == 0)
    #expect(try home.run("whoami").status == 3)
    served.interrupt()
    let end = try served.finish()
    #expect(end.said.contains("/1/oauth/access_token 200"))
    let logs = home.files(ending: "").filter {
      !$0.hasPrefix("club/") && !$0.contains("/serve/") && !$0.hasSuffix("config.json") && $0 != "typed"
        && $0 != "cookies"
    }.compactMap { home.read($0) }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    #expect(logs.contains("/1/files_put/auto/byteclub/Hello.md: 200 after"))
    #expect(!logs.contains("oauth_"))
    #expect(logs.contains("put \"Hello.md\" create: 15 bytes"))
    let said = end.said + end.text + signedIn.said + signedIn.text
    for secret in tokens + [first, app[1], word] { #expect(!(said + logs).contains(secret)) }
    // Only databases hold texts: the outbox, the local copy and the past of notes.
    #expect(try home.run("draft", "ls").text == "")
    let others = home.files(ending: "").filter {
      !$0.hasPrefix("club/") && !$0.contains("/serve/") && !$0.contains(".sqlite") && $0 != "typed"
    }.compactMap { home.read($0) }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    #expect(!(said + others).contains("lighthouse"))
  }
}
