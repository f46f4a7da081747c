import Foundation
import TestKit
import Testing

/// Verbs that read while the server does not answer, by the real program.
@Suite(.enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct AwayVerbTests {
  private let home: CommandLineHome
  private let token: String

  /// A club with one note, whose server has ended. The member has read everything.
  init() throws {
    home = try CommandLineHome()
    try FileManager.default.createDirectory(atPath: "\(home.path)/one/photos", withIntermediateDirectories: true)
    for name in ["boat", "pier"] { try home.write(Pictures.jpeg, to: "one/photos/\(name).jpg") }
    try home.write("the light\nhouse\n".utf8, to: "one/log.md")
    try home.write("see [[log]] and [it](log.md)\n".utf8, to: "one/index.md")
    let server = try RunningServer(in: home, place: ["--club-root", "garage=\(home.path)/one"], port: "0")
    token = try server.admit("ann", to: "one")
    _ = try server.configure(token: token)
    #expect(try run("search", "light").status == 0)
    #expect(try run("photo", "ls").status == 0)
    #expect(try run("sync", "now").status == 0)
    #expect(try server.finish().status == 0)
  }

  private func run(_ words: String..., input: String = "") throws -> Spawn.Outcome {
    try home.start(words, input: Array(input.utf8), ["BYTECLUB_TOKEN": token]).finish()
  }

  @Test func `a search has all that the copy has, says how old it is, and has no failed part`() throws {
    let found = try run("search", "light")
    #expect(found.status == 0, "\(found.said)")
    #expect(found.text == "log.md:1: the light\n")
    #expect(found.said.contains("this is the local copy"), "\(found.said)")
  }

  @Test func `a text that waits is the newest version of note diff, which says so`() throws {
    #expect(try run("note", "put", "log", input: "the light\nhouse at noon\n").status == 6)
    let diff = try run("note", "diff", "log")
    #expect(diff.status == 0, "\(diff.said)")
    #expect(diff.text == "--- a/log.md\n+++ b/log.md\n@@ -1,2 +1,2 @@\n the light\n-house\n+house at noon\n")
    #expect(diff.said.contains("This is your text of \"log.md\". The club does not have it yet"))
    #expect(try run("note", "put", "new", input: "all new\n").status == 6)
    #expect(try run("note", "diff", "new").text.contains("+all new\n"))
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(try run("note", "diff", "log", "--json").output)) as? [String: Any])
    let result = try #require((json["results"] as? [[String: Any]])?.first)
    #expect(result["from"] is String && result["to"] is NSNull)
  }

  @Test(arguments: [true, false])
  func `a rename and the mends of its links wait together, and the error says so`(asJSON: Bool) throws {
    let moved =
      try asJSON
      ? run("note", "mv", "log", "diary", "--mend-links", "--json") : run("note", "mv", "log", "diary", "--mend-links")
    #expect(moved.status == 6)
    let said = asJSON ? moved.text : moved.said
    #expect(
      said.contains("is kept on this machine, not yet in the club. Mended links in 1 note; it is sent when"), "\(said)")
    let waiting = try run("sync", "ls").text
    #expect(waiting.contains("diary.md") && waiting.contains("index.md"), "\(waiting)")
    #expect(try run("note", "diff", "index").text.contains("+see [[diary]] and [it](diary.md)\n"))
  }

  @Test func `a move of a photo, and one into the trash, wait, and the errors say so`() throws {
    let moved = try run("photo", "mv", "pier.jpg", "oslo/")
    #expect(moved.status == 6 && !moved.said.contains("Moved"), "\(moved.said)")
    #expect(moved.said.contains("The move of \"pier.jpg\" to \"oslo/pier.jpg\" is kept on this"), "\(moved.said)")
    let renamed = try run("photo", "mv", "oslo/pier.jpg", "quay.jpg")
    #expect(renamed.status == 6 && renamed.said.contains("is kept on this machine"), "\(renamed.said)")
    let removed = try run("photo", "rm", "boat.jpg")
    #expect(removed.status == 6 && !removed.said.contains("Put"), "\(removed.said)")
    #expect(try run("sync", "ls").text.contains("boat.jpg"))
  }

  @Test func `doctor tells what waits here, although the club is away`() throws {
    #expect(try run("note", "put", "new", input: "all new\n").status == 6)
    let doctor = try run("doctor")
    #expect(doctor.status == 1)
    #expect(doctor.text.contains("one save waits to be sent") && doctor.text.contains("WRONG"), "\(doctor.text)")
  }
}
