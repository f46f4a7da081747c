import Dispatch
import Foundation
import POSIX
import TestKit
import Testing

/// Commands of the real program whose server lies, stalls or sends nonsense: each ends, and says why.
@Suite(.enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct LyingServerTests {
  /// A server that has a say in each answer; false ends the connection.
  private final class LyingServer {
    let server: RawServer
    let home: CommandLineHome

    convenience init(_ answer: @escaping @Sendable (RawRequest) -> RawAnswer) throws {
      try self.init(RawServer.answering(answer))
    }

    init(_ server: RawServer) throws {
      self.server = server
      home = try CommandLineHome()
      let config = #"{"clubs":{"lab":{"store":"dropbox","server":"\#(server.url)"}}}"#
      try home.write(config.utf8, to: ".config/byteclub/config.json")
    }

    deinit { server.stop() }

    func run(_ arguments: [String]) throws -> Spawn.Outcome { try start(arguments).finish() }

    func start(_ arguments: [String]) throws -> Spawn {
      try home.start(arguments, ["BYTECLUB_TOKEN": "token", "EDITOR": "true"])
    }
  }

  private static func json(_ text: String) -> RawAnswer { RawAnswer(200, body: Array(text.utf8)) }

  private static let account = json(
    #"{"account_id":"dbid:1","name":{"display_name":"Ray W"},"email":"ray@example.com"}"#)

  private static let notFound = RawAnswer(
    409, body: Array(#"{"error_summary":"path/not_found/","error":{".tag":"path","path":{".tag":"not_found"}}}"#.utf8))

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

  /// The answer to a save: its last chunk is missing, or another size is reported than came.
  @Test(arguments: [(0, ""), (10, "0\r\n\r\n")])
  func `a save whose answer is cut in its chunks is not called saved, and its text waits`(
    missing: Int, end: String
  ) throws {
    let file = #"{"name":"new.md","path_lower":"/new.md","path_display":"/new.md","rev":"a1c10ce0dd78","size":5}"#
    let answer = "\(String(file.utf8.count - missing, radix: 16))\r\n\(file)\r\n\(end)"
    let lab = try LyingServer { request in
      if request.target.hasSuffix("get_current_account") { return Self.account }
      if request.target.hasSuffix("upload") {
        return RawAnswer(raw: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + answer)
      }
      return Self.notFound
    }
    let put = try lab.home.start(["note", "put", "new"], input: Array("hello".utf8), ["BYTECLUB_TOKEN": "token"])
    let outcome = try put.finish()
    #expect(outcome.status == 6 && !outcome.said.contains("Saved"), "\(outcome.said)")
    #expect(outcome.said.contains("The text of \"new.md\" is kept on this machine"), "\(outcome.said)")
    #expect(try lab.run(["sync", "ls"]).text.contains("hello"))
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
      if request.target.hasSuffix("get_current_account") { return Self.account }
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
    ["sync", "now"], ["search", "word"], ["club", "export", "OUT"], ["whoami"], ["club", "copy", "lab", "OUT"],
    ["note", "edit", "a"], ["note", "mv", "a", "b"], ["draft", "send"], ["doctor"],
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
    let command = try lab.start(arguments.map { $0 == "OUT" ? lab.home.path + "/OUT" : $0 })
    try command.wait(forNotice: " (3 s).")
    command.signal(SIGINT)
    let outcome = try command.finish()
    #expect(outcome.status == 130, "\(outcome.said)")
    #expect(outcome.text.isEmpty, "\(outcome.text)")
    #expect(outcome.said.contains("127.0.0.1:\(lab.server.port) (3 s)."), "\(outcome.said)")
  }

  @Test(arguments: [
    ["note", "ls"], ["note", "edit", "a"], ["sync", "now"], ["search", "word"], ["club", "export", "OUT"],
  ])
  func `Ctrl-C ends the wait for a server that falls silent after the sign-in`(_ arguments: [String]) throws {
    let silence = DispatchSemaphore(value: 0)
    let lab = try LyingServer { request in
      if request.target.hasSuffix("get_current_account") { return Self.account }
      silence.wait()
      silence.signal()
      return RawAnswer(503)
    }
    defer { silence.signal() }
    let command = try lab.start(arguments.map { $0 == "OUT" ? lab.home.path + "/OUT" : $0 })
    try command.wait(forNotice: " (3 s).")
    command.signal(SIGINT)
    let outcome = try command.finish()
    #expect(outcome.status == 130, "\(outcome.said)")
  }

  /// A command in the midst of its work, and what is left of it.
  struct Stopped: Sendable {
    /// OUT is a new directory, DIR one with two notes and a photo.
    let words: [String]
    /// What it says; nil if nothing is left of it.
    var sentence: String?
    /// The files in OUT.
    var left: [String] = []
    /// True if the server falls silent within a note, and not within a photo.
    var stopsAtNote = false
  }

  /// A club with a note and a photo of 9 MB. The server falls silent within a file's bytes, and when it gets a file.
  private static func stalling(
    atNote: Bool, _ stalled: DispatchSemaphore, _ silence: DispatchSemaphore
  ) throws -> LyingServer {
    let (note, photo) = (file("/a.md", size: 5), file("/photos/p.jpg", size: 9_000_000))
    return try LyingServer(
      RawServer { connection in
        func stall() {
          stalled.signal()
          silence.wait()
          silence.signal()
        }
        while let head = connection.head() {
          if head.target.hasSuffix("/upload") || head.target.contains("upload_session") { return stall() }
          let body = String(decoding: connection.body(of: head), as: UTF8.self)
          let asked = "\(body) \(head.headers)"
          let isNote = asked.contains("a.md")
          switch head.target.split(separator: "/").last ?? "" {
          case "get_current_account": connection.send(account)
          case "get_latest_cursor": connection.send(json(#"{"cursor":"now"}"#))
          case "list_folder":
            let isAll = body.contains(#""recursive":true"#)
            connection.send(page(body.contains("photos") ? photo : isAll ? "\(note),\(photo)" : note))
          case "get_metadata" where isNote || asked.contains("p.jpg"): connection.send(json(isNote ? note : photo))
          case "download":
            let (entry, size) = isNote ? (note, 5) : (photo, 9_000_000)
            connection.send("HTTP/1.1 200 OK\r\nDropbox-API-Result: \(entry)\r\nContent-Length: \(size)\r\n\r\n")
            connection.send(isNote ? "he" : String(repeating: "x", count: 300_000))
            if !isNote || atNote { return stall() }
            connection.send("llo")
          default: connection.send(notFound)
          }
        }
      })
  }

  @Test(arguments: [
    Stopped(words: ["club", "export", "OUT"], sentence: "The copy was stopped after 1 of 2 files.", left: ["a.md"]),
    Stopped(
      words: ["club", "copy", "lab", "OUT"], sentence: "The copy was stopped after 1 of 2 files.", left: ["a.md"]),
    Stopped(words: ["club", "copy", "DIR", "lab"], sentence: "The copy was stopped after 0 of 3 files."),
    Stopped(
      words: ["photo", "get", "p.jpg", "--to", "OUT"],
      sentence: "The download was cancelled, and nothing is left of unfinished photos."),
    Stopped(
      words: ["photo", "put", "DIR/new.jpg"],
      sentence: "The upload was cancelled, and nothing is left of unfinished photos."),
    Stopped(words: ["photo", "view", "p.jpg"]), Stopped(words: ["note", "cat", "a"], stopsAtNote: true),
    Stopped(words: ["search", "word"], stopsAtNote: true), Stopped(words: ["sync", "now"], stopsAtNote: true),
  ])
  func `Ctrl-C in the midst of a file ends the command at once, and no half of a file has its name`(
    _ row: Stopped
  ) throws {
    let (stalled, silence) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let lab = try Self.stalling(atNote: row.stopsAtNote, stalled, silence)
    // The server says nothing more before the command has ended.
    defer { silence.signal() }
    try FileManager.default.createDirectory(atPath: lab.home.path + "/OUT", withIntermediateDirectories: false)
    for name in ["b.md", "c.md"] { try lab.home.write("text\n".utf8, to: "DIR/" + name) }
    try lab.home.write(Pictures.jpeg, to: "DIR/new.jpg")
    let command = try lab.start(
      row.words.map { $0.hasPrefix("OUT") || $0.hasPrefix("DIR") ? "\(lab.home.path)/\($0)" : $0 })
    #expect(stalled.wait(timeout: .now() + 180) == .success, "\(command.said)")
    command.signal(SIGINT)
    let outcome = try command.finish()
    #expect(outcome.status == 130, "\(outcome.said)")
    #expect(outcome.text.isEmpty, "\(outcome.text)")
    if let sentence = row.sentence { #expect(outcome.said.contains(sentence), "\(outcome.said)") }
    // No claim of a success.
    for word in ["Saved", "copied to", "The copy has", "Uploaded"] { #expect(!outcome.said.contains(word)) }
    let left = lab.home.files(ending: "").filter { $0.hasPrefix("OUT/") && lab.home.read($0) != nil }
    #expect(left.map { String($0.dropFirst(4)) } == row.left, "\(left)")
    #expect(try lab.run(["transfer", "ls"]).text.isEmpty)
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
