import Foundation
import Synchronization
import TestKit
import Testing

/// Texts that come by a pipe, once: whatever ends the command, they are on this machine, and it says where.
@Suite(.enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct PipedTextTests {
  struct Row: Sendable {
    var words: [String]
    var path: String
    var kind = "webdav"
    var signal = SIGINT

    /// The settings of a club at this server.
    func config(_ server: String) -> String {
      let place = kind == "webdav" ? #""url":"\#(server)/club""# : #""server":"\#(server)","folder":"/""#
      return #"{"clubs":{"lab":{"store":"\#(kind)",\#(place)}}}"#
    }
  }

  private static let member = ["BYTECLUB_TOKEN": "token"]

  @Test(arguments: [
    Row(words: ["note", "put", "new"], path: "new.md"),
    // Here the first question is for the account.
    Row(words: ["note", "put", "new"], path: "new.md", kind: "dropbox"),
    Row(words: ["note", "append", "log", "-"], path: "log.md"),
    Row(words: ["note", "append", "log", "-"], path: "log.md", kind: "dropbox"),
    Row(words: ["photo", "caption", "p.jpg", "-"], path: "photos/p.jpg.md"),
    Row(words: ["photo", "caption", "p.jpg", "-"], path: "photos/p.jpg.md", kind: "dropbox"),
  ])
  func `a text is a draft on the disk before the first request, so that a kill then loses nothing`(row: Row) throws {
    let program = Mutex<pid_t>(0)
    let server = try RawServer { connection in
      // The program asks after it has its input, which it gets once its number is known.
      while connection.request() != nil { kill(program.withLock { $0 }, SIGKILL) }
    }
    defer { server.stop() }
    let home = try CommandLineHome()
    try home.write(row.config(server.url).utf8, to: ".config/byteclub/config.json")
    let command = try home.start(row.words, input: Array("1\n2\n3\n".utf8), PipedTextTests.member)
    program.withLock { $0 = command.process }
    #expect(try command.finish().status == 128 + SIGKILL)
    server.stop()
    let list = try home.start(["draft", "ls"], PipedTextTests.member).finish()
    #expect(list.text.hasPrefix("draft "), "\(list.text) \(list.said)")
    #expect(list.text.contains(row.path), "\(list.text) \(list.said)")
    #expect(try home.start(["draft", "cat", row.path], PipedTextTests.member).finish().text == "1\n2\n3\n")
  }

  @Test(arguments: [
    Row(words: ["note", "put", "new"], path: "new.md"),
    Row(words: ["note", "put", "new"], path: "new.md", signal: SIGTERM),
    // Here the first question is for the account.
    Row(words: ["note", "put", "new"], path: "new.md", kind: "dropbox"),
    Row(words: ["note", "append", "log", "-"], path: "log.md"),
    Row(words: ["photo", "caption", "p.jpg", "-"], path: "photos/p.jpg.md"),
  ])
  func `a text whose look-up at a silent server is interrupted is kept`(row: Row) throws {
    let server = try RawServer { connection in while connection.request() != nil {} }
    defer { server.stop() }
    let home = try CommandLineHome()
    try home.write(row.config(server.url).utf8, to: ".config/byteclub/config.json")
    let command = try home.start(row.words, input: Array("1\n2\n3\n".utf8), PipedTextTests.member)
    try command.wait(forNotice: "Waiting for")
    command.signal(row.signal)
    let outcome = try command.finish()
    #expect(outcome.status == 130, "\(outcome.said)")
    #expect(outcome.said.contains("The text of \"\(row.path)\" is kept on this machine"), "\(outcome.said)")
    server.stop()
    let list = try home.start(["draft", "ls"], PipedTextTests.member).finish()
    // The save has taken the place of the draft.
    #expect(list.text.hasPrefix("to send ") && list.text.split(separator: "\n").count == 1, "\(list.text) \(list.said)")
    #expect(list.text.contains(row.path), "\(list.text) \(list.said)")
    #expect(try home.start(["draft", "cat", row.path], PipedTextTests.member).finish().text == "1\n2\n3\n")
  }

  @Test(arguments: [
    (["note", "append", ".log", "-"], "log.md"),
    (["photo", "caption", "../p.jpg", "-"], "_p.jpg.md"),
  ])
  func `a text whose name the club cannot have is a draft of a name like it`(words: [String], name: String) throws {
    let home = try CommandLineHome()
    let outcome = try home.start(words, input: Array("text\n".utf8)).finish()
    #expect(outcome.status == 1)
    #expect(outcome.said.contains("The text of \"\(name)\" is a draft on this machine"), "\(outcome.said)")
    #expect(try home.run("draft", "cat", name).text == "text\n")
    #expect(home.files(ending: ".md") == ["ByteClub/Welcome.md"])
  }

  /// Answers any write with a status, and says that nothing is there.
  private static func answer(_ request: RawRequest, _ status: Int) -> RawAnswer {
    func answer(_ status: Int, _ body: String, _ more: String = "") -> RawAnswer {
      let fields = "\(more)Connection: close\r\nContent-Length: \(body.utf8.count)"
      return RawAnswer(raw: "HTTP/1.1 \(status) Words\r\n\(fields)\r\n\r\n\(body)")
    }
    let root =
      "<response><href>/club/</href><propstat><prop><resourcetype><collection/></resourcetype></prop>"
      + "<status>HTTP/1.1 200 OK</status></propstat></response>"
    if request.method == "PUT" || request.target.hasSuffix("/upload") {
      return answer(status, "<html>no</html>", status < 400 ? "Location: http://127.0.0.1:1/x\r\n" : "")
    }
    if request.target.hasSuffix("get_current_account") {
      return answer(200, #"{"account_id":"dbid:1","name":{"display_name":"Ray W"},"email":"ray@example.com"}"#)
    }
    switch request.method {
    case "PROPFIND" where request.target.hasPrefix("/club") && request.target.count < 7:
      return answer(
        207, #"<?xml version="1.0"?><multistatus xmlns="DAV:">\#(root)</multistatus>"#,
        "Content-Type: application/xml\r\n")
    case "OPTIONS": return answer(200, "", "DAV: 1\r\n")
    case "MKCOL": return answer(201, "")
    case "POST":
      return answer(409, #"{"error_summary":"path/not_found/","error":{".tag":"path","path":{".tag":"not_found"}}}"#)
    default: return answer(404, "")
    }
  }

  @Test(arguments: ["dropbox", "dropbox-v1", "webdav"], [301, 307, 400, 403, 404, 405, 413])
  func `a text that the server refuses, with whatever status, is on this machine, and the command says so`(
    kind: String, status: Int
  ) throws {
    let server = try RawServer.answering { PipedTextTests.answer($0, status) }
    defer { server.stop() }
    let home = try CommandLineHome()
    let row = Row(words: ["note", "put", "new"], path: "new.md", kind: kind)
    try home.write(row.config(server.url).utf8, to: ".config/byteclub/config.json")
    let outcome = try home.start(row.words, input: Array("my words\n".utf8), PipedTextTests.member).finish()
    #expect(outcome.status != 0 && !outcome.said.contains("Saved"), "\(outcome.said)")
    #expect(outcome.said.contains(/The text of "new.md" is (kept|a draft) on this machine/), "\(outcome.said)")
    let list = try home.start(["draft", "ls"], PipedTextTests.member).finish()
    #expect(list.text.contains("my words"), "\(list.text) \(list.said)")
  }

  @Test func `a caption that is too large is a draft of a note`() throws {
    let home = try CommandLineHome()
    let text = String(repeating: "x", count: 70_000)
    let outcome = try home.run("photo", "caption", "p.jpg", "-", input: text)
    #expect(outcome.status == 1)
    #expect(outcome.said.contains("The caption has 70000 bytes; 65536 is the most."), "\(outcome.said)")
    #expect(outcome.said.contains("byteclub draft send \"p.jpg.md\""), "\(outcome.said)")
    #expect(try home.run("draft", "cat", "p.jpg.md").text == text)
    // From the command line it is not the only copy.
    #expect(try home.run("photo", "caption", "q.jpg", String(text.prefix(65_537))).status == 1)
    #expect(try !home.run("draft", "ls").text.contains("q.jpg"))
  }
}
