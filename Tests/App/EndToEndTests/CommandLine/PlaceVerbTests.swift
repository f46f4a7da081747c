import Foundation
import TestKit
import Testing

/// Clubs at WebDAV and S3 servers, added by commands alone.
@Suite(.enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct PlaceVerbTests {
  private func everything(_ home: CommandLineHome) -> String {
    home.files(ending: "").filter { !$0.contains("/tokens/") }
      .compactMap { home.read($0) }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }

  @Test(.enabled(if: WebDAVProgram.Kind.apache.program != nil, "apache2 is not installed"))
  func `two homes meet in a folder of a WebDAV server, without a file edited`() async throws {
    let cloud = try await CloudFolder()
    let url = "http://127.0.0.1:\(cloud.port)/\((cloud.folder as NSString).lastPathComponent)"
    let ann = try CommandLineHome()
    let add = try ann.run("club", "add", "webdav", "--set", "url=\(url)/", "--set", "user=ann", "--json")
    #expect(add.status == 0, "\(add.text)\(add.said)")
    let name = try #require(add.text.components(separatedBy: #""name":""#).last?.components(separatedBy: "\"").first)
    #expect(add.text.contains(#""signIn":"byteclub login --club \#(name)""#), "\(add.text)")
    #expect(try ann.mode(".config/byteclub/clubs.d/\(name).json") == 0o600)

    #expect(try ann.run("whoami").status == 3)
    let wrong = try ann.run("login", "--club", name, input: "wrong\n")
    #expect(wrong.status == 3 && wrong.said.contains("does not accept this password"), "\(wrong.said)")
    let login = try ann.run("login", "--club", name, input: WebDAVProgram.password + "\n")
    #expect(login.status == 0, "\(login.said)")
    #expect(try ann.run("note", "put", "Tides", input: "high at noon\n").status == 0)
    #expect(try cloud.names().contains("Tides.md"))

    let invite = try ann.run("club", "invite")
    #expect(invite.status == 0 && invite.text.hasPrefix("byteclub:webdav?url="), "\(invite.text)\(invite.said)")
    #expect(!invite.text.contains("user"))
    let ray = try CommandLineHome()
    let join = try ray.run("join", "-", input: "<\(invite.text)>.")
    #expect(join.status == 2 && join.said.contains("--set user="), "\(join.said)")
    #expect(ray.files(ending: ".json").isEmpty)
    let line = invite.text.trimmingCharacters(in: .whitespacesAndNewlines)
    let second = try ray.run("club", "add", line, "--set", "user=ann", "--name", "cloud")
    #expect(second.status == 0 && second.said.contains("Sign in with: byteclub login --club cloud"), "\(second.said)")
    #expect(try ray.run("login", input: WebDAVProgram.password + "\n").status == 0)
    #expect(try ray.run("note", "cat", "Tides").text == "high at noon\n")

    let leave = try ray.run("club", "leave", "cloud", "--yes")
    #expect(leave.status == 0 && leave.said.contains("Removed the password"), "\(leave.said)")
    #expect(ray.files(ending: ".json").allSatisfy { !$0.contains("/tokens/") && !$0.contains("clubs.d") })
    for outcome in [add, wrong, login, invite, join, second, leave] {
      #expect(!(outcome.text + outcome.said).contains(WebDAVProgram.password))
    }
    #expect(!everything(ann).contains(WebDAVProgram.password))
  }

  @Test(.enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason)))
  func `a bucket is added with a key id, its secret key kept by login, and its line joined on a fresh home`() throws {
    let bucket = try Bucket()
    let ann = try CommandLineHome()
    let add = try ann.run(
      "club", "add", "s3", "--set", "endpoint=http://127.0.0.1:\(bucket.port)", "--set", "bucket=club", "--set",
      "prefix=ours", "--set", "accessKeyID=AKIATEST", "--name", "bucket")
    #expect(add.status == 0, "\(add.said)")
    let before = try ann.run("whoami", variables: Bucket.keys)
    #expect(before.status == 3 && before.said.contains("byteclub login --club bucket"), "\(before.said)")
    let login = try ann.run("login", input: "very-secret\n")
    #expect(login.status == 0 && login.said.contains("Signed in to http://127.0.0.1:\(bucket.port) as AKIATEST."))
    let file = try #require(ann.files(ending: ".json").first { $0.contains("/tokens/") })
    #expect(try ann.mode(file) == 0o600)
    #expect(try ann.run("note", "put", "Tides", input: "high at noon\n").status == 0)
    #expect(try bucket.names().contains("ours/Tides.md"))

    let invite = try ann.run("club", "invite", "bucket")
    #expect(!invite.text.contains("AKIATEST"))
    let ray = try CommandLineHome()
    let join = try ray.run("join", "-", "--json", input: invite.text)
    #expect(join.status == 0 && join.text.contains(#""name":"ours""#), "\(join.text)\(join.said)")
    // Without a key id, the keys are those of the environment.
    let read = try ray.start(["note", "cat", "Tides"], Bucket.keys).finish()
    #expect(read.text == "high at noon\n", "\(read.said)")
    let again = try ray.run("join", "-", input: invite.text)
    #expect(again.status == 1 && again.said.contains("\"ours\" is at this place already"), "\(again.said)")

    #expect(try ann.run("logout").said.contains("Removed the secret key"))
    for outcome in [add, before, login, invite, join] {
      #expect(!(outcome.text + outcome.said).contains("very-secret"))
    }
    #expect(!everything(ann).contains("very-secret"))
  }

  @Test func `wrong usage says what to type, and adds nothing`() throws {
    let home = try CommandLineHome()
    let away = try RawServer.answering { _ in RawAnswer(200, body: Array("<html>Welcome".utf8)) }
    defer { away.stop() }
    let rows: [(words: [String], status: Int32, said: String)] = [
      ([], 2, "byteclub club add webdav --set url=cloud.example.org"),
      (["floppy"], 2, "The kinds are: dropbox, webdav, s3"),
      (["webdav", "--set", "url=c.example"], 2, "--set user=ann"),
      (["webdav", "--set", "passwordCommand=sh"], 2, "The keys are: url, user, pin"),
      (["webdav", "--set", "url=http://c.example/d", "--set", "user=a"], 1, "is not encrypted"),
      (["webdav", "--set", "url=\(away.url)/d", "--set", "user=a"], 1, "Something else than a WebDAV server"),
      (["dropbox", "--set", "appKey=k", "--name", "home"], 2, "home is this machine's club"),
      (["byteclub:webdav?url=https"], 2, "is not whole"),
    ]
    for row in rows {
      let outcome = try home.start(["club", "add"] + row.words).finish()
      #expect(outcome.status == row.status && outcome.said.contains(row.said), "\(row.words) \(outcome.said)")
    }
    #expect(home.files(ending: ".json").isEmpty)
    try FileManager.default.createDirectory(atPath: home.club, withIntermediateDirectories: false)
    let invite = try home.run("club", "invite")
    #expect(invite.status == 2 && invite.said.contains("is a directory of this machine"), "\(invite.said)")
    #expect(try home.run("join", "byteclub:s3?bucket=b").status == 1)
  }

  @Test func `the line of a club in a Dropbox is joined without a question, and login is named`() throws {
    let home = try CommandLineHome()
    #expect(
      try home.run("club", "add", "dropbox", "--set", "appKey=k3y", "--set", "folder=Our Club", "--name", "ours").status
        == 0)
    let invite = try home.run("club", "invite", "ours", "--json")
    let line = try #require(invite.text.components(separatedBy: #""line":""#).last?.components(separatedBy: "\"").first)
    let friend = try CommandLineHome()
    let join = try friend.run("join", line)
    #expect(
      join.status == 0 && join.said.contains("Sign in with: byteclub login --club dropbox-our-club"), "\(join.said)")
    #expect(try friend.run("config", "check").status == 0)
  }
}
