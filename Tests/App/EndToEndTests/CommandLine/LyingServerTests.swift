import Dispatch
import Foundation
import POSIX
import TestKit
import Testing

/// Commands of the real program whose server lies, stalls or sends nonsense: each ends, and says why.
@Suite(.enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(2))) struct LyingServerTests {
  /// A server that has a say in each answer; false ends the connection.
  private final class LyingServer {
    let server: RawServer
    let home: CommandLineHome

    init(_ answer: @escaping @Sendable (RawRequest) -> RawAnswer) throws {
      server = try RawServer.answering(answer)
      home = try CommandLineHome()
      let config = #"{"clubs":{"lab":{"store":"dropbox","server":"\#(server.url)"}}}"#
      try home.write(config.utf8, to: ".config/byteclub/config.json")
    }

    deinit { server.stop() }

    func run(_ arguments: [String]) throws -> Spawn.Outcome { try start(arguments).finish() }

    func start(_ arguments: [String]) throws -> Spawn { try home.start(arguments, ["BYTECLUB_TOKEN": "token"]) }
  }

  private static func json(_ text: String) -> RawAnswer { RawAnswer(200, body: Array(text.utf8)) }

  private static func file(_ path: String, size: Int) -> String {
    let name = path.split(separator: "/").last ?? ""
    return #"{".tag":"file","name":"\#(name)","path_lower":"\#(path)","path_display":"\#(path)","rev":"a1c10ce0dd78","#
      + #""size":\#(size)}"#
  }

  private static func page(_ entries: String, hasMore: Bool = false) -> RawAnswer {
    json(#"{"entries":[\#(entries)],"cursor":"same","has_more":\#(hasMore)}"#)
  }

  @Test func `a photo whose bytes are fewer than the server says is given up with the reason`() throws {
    let lab = try LyingServer { request in
      let file = Self.file("/photos/p.jpg", size: 1000)
      guard request.target.hasSuffix("download") else { return Self.json(file) }
      return RawAnswer(
        raw: "HTTP/1.1 200 OK\r\nDropbox-API-Result: \(file)\r\nContent-Length: 400\r\n\r\n"
          + String(repeating: "x", count: 400))
    }
    let outcome = try lab.run(["photo", "get", "p.jpg", "--to", lab.home.path])
    #expect(outcome.status == 1, "\(outcome.said)")
    #expect(outcome.said.contains("sends only 400 of the 1000 bytes that it says"), "\(outcome.said)")
    #expect(lab.home.read("p.jpg") == nil)
  }

  @Test func `a note whose bytes are damaged on the way is not printed`() throws {
    let lab = try LyingServer { request in
      let hash = String(repeating: "0", count: 64)
      let file = Self.file("/a.md", size: 5).dropLast() + #","content_hash":"\#(hash)"}"#
      guard request.target.hasSuffix("download") else { return Self.json(String(file)) }
      return RawAnswer(raw: "HTTP/1.1 200 OK\r\nDropbox-API-Result: \(file)\r\nContent-Length: 5\r\n\r\nwrong")
    }
    let outcome = try lab.run(["note", "cat", "a.md"])
    #expect(outcome.status != 0, "\(outcome.said)")
    #expect(outcome.output.isEmpty)
    #expect(!outcome.said.isEmpty)
  }

  @Test(arguments: [["note", "ls"], ["photo", "ls"], ["club", "export", "copy"], ["trash", "ls"], ["doctor"]])
  func `a list that repeats itself is an error`(_ arguments: [String]) throws {
    let lab = try LyingServer { request in
      request.target.hasSuffix("latest_cursor")
        ? Self.json(#"{"cursor":"now"}"#) : Self.page(Self.file("/a.md", size: 5), hasMore: true)
    }
    var arguments = arguments
    if arguments.last == "copy" { arguments[2] = lab.home.path + "/copy" }
    let outcome = try lab.run(arguments)
    #expect(outcome.status == 1)
    #expect((outcome.said + outcome.text).contains("sends the same pages of"), "\(outcome.said)")
  }

  @Test(arguments: [["note", "ls"], ["doctor"], ["whoami"]])
  func `the command reports a silent server, and takes its late answer`(_ arguments: [String]) throws {
    let silence = DispatchSemaphore(value: 0)
    let lab = try LyingServer { request in
      // The first answer that is waited for ends the silence for all.
      silence.wait()
      silence.signal()
      if request.target.hasSuffix("get_current_account") {
        return Self.json(#"{"account_id":"dbid:1","name":{"display_name":"Ray W"},"email":"ray@example.com"}"#)
      }
      return request.target.hasSuffix("latest_cursor") ? Self.json(#"{"cursor":"now"}"#) : Self.page("")
    }
    defer { silence.signal() }
    let command = try lab.start(arguments)
    try command.wait(forNotice: " (3 s).")
    silence.signal()
    let outcome = try command.finish()
    #expect(
      outcome.said.contains("Waiting for \(lab.server.url) (3 s).")
        || outcome.said.contains("Waiting for 127.0.0.1:\(lab.server.port) (3 s)."), "\(outcome.said)")
    if arguments != ["doctor"] { #expect(outcome.status == 0, "\(outcome.said)") }
  }

  @Test(arguments: [
    ["note", "ls"], ["note", "ls", "--long"], ["note", "cat", "a"], ["note", "history", "a"], ["note", "rm", "a"],
    ["photo", "ls"], ["photo", "get", "p.jpg"], ["photo", "view", "p.jpg"], ["trash", "ls"], ["link", "ls"],
    ["sync", "now"], ["search", "word"], ["club", "export", "copy"], ["whoami"],
  ])
  func `Ctrl-C ends the wait for a silent server at once`(_ arguments: [String]) throws {
    let silence = DispatchSemaphore(value: 0)
    let lab = try LyingServer { _ in
      silence.wait()
      silence.signal()
      return RawAnswer(503)
    }
    // The server says nothing before the command has ended.
    defer { silence.signal() }
    let command = try lab.start(arguments.map { $0 == "copy" ? lab.home.path + "/copy" : $0 })
    try command.wait(forNotice: " (3 s).")
    command.signal(SIGINT)
    let outcome = try command.finish()
    #expect(outcome.status == 130, "\(outcome.said)")
    #expect(outcome.text.isEmpty, "\(outcome.text)")
  }

  @Test(arguments: [["note", "ls"], ["sync", "now"], ["search", "word"], ["club", "export", "copy"]])
  func `Ctrl-C ends the wait for a server that falls silent after the sign-in`(_ arguments: [String]) throws {
    let silence = DispatchSemaphore(value: 0)
    let lab = try LyingServer { request in
      if request.target.hasSuffix("get_current_account") {
        return Self.json(#"{"account_id":"dbid:1","name":{"display_name":"Ray W"},"email":"ray@example.com"}"#)
      }
      silence.wait()
      silence.signal()
      return RawAnswer(503)
    }
    defer { silence.signal() }
    let command = try lab.start(arguments.map { $0 == "copy" ? lab.home.path + "/copy" : $0 })
    try command.wait(forNotice: " (3 s).")
    command.signal(SIGINT)
    let outcome = try command.finish()
    #expect(outcome.status == 130, "\(outcome.said)")
  }

  @Test func `a malformed entry leaves the rest of a list, and the command reports it`() throws {
    let lab = try LyingServer { request in
      if request.target.hasSuffix("latest_cursor") { return Self.json(#"{"cursor":"now"}"#) }
      return Self.page(
        [Self.file("/a.md", size: 5), Self.file("/b.md", size: -1), #"{".tag":"file"}"#].joined(separator: ","))
    }
    let outcome = try lab.run(["note", "ls"])
    #expect(outcome.status == 0 && outcome.text == "a.md\nb.md\n", "\(outcome.text)")
    #expect(outcome.said.contains("lists an entry that byteclub cannot read"), "\(outcome.said)")
  }
}
