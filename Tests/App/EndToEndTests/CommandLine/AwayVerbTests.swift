import ArgumentParser
import Foundation
import TestKit
import Testing

@testable import byteclub

/// Verbs that read and write while the server does not answer, by the real program.
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

  @Test func `of a folder that goes to the trash or comes back in part, the files that are done are given`() throws {
    for name in ["x", "y"] { try home.write("of \(name)\n".utf8, to: "one/past/\(name).md") }
    let server = try RunningServer(in: home, place: ["--club-root", "garage=\(home.path)/one"], port: "0")
    _ = try server.configure(token: token)
    for words in [["note", "rm", "past/x"], ["note", "ls"], ["trash", "ls"], ["sync", "now"]] {
      #expect(try home.start(words, ["BYTECLUB_TOKEN": token]).finish().status == 0)
    }
    #expect(try server.finish().status == 0)
    func paths(_ outcome: Spawn.Outcome) throws -> [String] {
      let json = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
      return (json?["results"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
    }
    // A new text that only waits goes at once; the club's note waits.
    #expect(try run("note", "put", "past/new", input: "all new\n").status == 6)
    let removed = try run("note", "rm", "past/", "--yes", "--json")
    #expect(removed.status == 6 && removed.text.contains("are in the trash, and 1 file waits to be sent."))
    #expect(try paths(removed) == ["past/new.md"], "\(removed.text)")
    // The note that still waits is back at once; the one in the server's trash waits.
    let back = try run("trash", "restore", "past/", "--json")
    #expect(back.status == 6 && back.text.contains("are back, and 1 file waits to be sent."))
    #expect(try paths(back) == ["past/y.md"], "\(back.text)")
  }

  private static let kept = "is kept on this machine, not yet in the club."
  /// Files that are in the club when the server ends, and the trashed ones.
  private static let files = [
    "trips/a.md", "trips/s/b.md", "photos/oslo/quay.jpg", "photos/boat.jpg.md", "templates/m.md",
  ]
  private static let removed = ["gone.md", "left.md", "past/x.md", "past/y.md"]

  /// The writing verbs that wait, with the name of what their sentence is about, in an order in which none is in the way of
  /// the next.
  private static let waiting: [(words: [String], about: String)] = [
    (["note", "new", "one"], "\"one.md\""), (["note", "new", "three", "--template", "m"], "\"three.md\""),
    (["note", "put", "two"], "\"two.md\""),
    (["note", "append", "index"], "\"index.md\""), (["note", "edit", "log"], "\"log.md\""),
    (["note", "today"], "The text of"), (["note", "mv", "trips/", "travels/"], "\"trips\" to \"travels\""),
    (["note", "mv", "log", "diary"], "\"log.md\" to \"diary.md\""), (["note", "rm", "diary"], "\"diary.md\""),
    (["note", "rm", "travels/", "--yes"], "\"travels/\" to the trash"),
    (["photo", "mv", "oslo/", "bergen/"], "\"oslo\" to \"bergen\""),
    (["photo", "rm", "bergen/", "--yes"], "\"bergen/\" to the trash"),
    (["photo", "caption", "pier.jpg", "Low tide"], "\"photos/pier.jpg.md\""),
    (["photo", "caption", "boat.jpg", ""], "the caption of \"boat.jpg\" to the trash"),
    (["photo", "rm", "boat.jpg"], "\"boat.jpg\""),
    (["trash", "restore", "gone"], "\"gone.md\" from the trash"),
    (["trash", "restore", "past/"], "\"past/\" from the trash"),
    (["talk", "add", "index", "Low tide."], "\"index.md.talk.md\""),
    (["talk", "reply", "index", "ID", "+1"], "\"index.md.talk.md\""),
    (["talk", "fix", "index", "ID", "High tide."], "\"index.md.talk.md\""),
    (["talk", "rm", "index", "ID"], "\"index.md.talk.md\""),
    (["talk", "join", "lost.md", "pier.jpg"], "\"lost.md\" to \"photos/pier.jpg\""),
  ]

  /// Those that need the server, and have done nothing without it.
  private static let needing = [
    ["note", "mkdir", "made"], ["note", "restore", "index", "r1"], ["note", "link", "index"],
    ["photo", "link", "pier.jpg"],
    ["photo", "ask", "--to", "oslo"], ["link", "rm", "index"], ["trash", "empty", "--yes"],
  ]

  /// Those that write nothing into the club, or say themselves what waits.
  private static let others = [
    "note ls", "note cat", "note show", "note history", "note diff", "photo ls", "photo info", "photo tour",
    "photo get",
    "photo view", "photo put", "link ls", "trash ls", "draft ls", "draft cat", "draft send", "draft discard",
    "sync status",
    "sync now", "sync ls", "search", "talk ls", "club export", "cache clear",
  ]

  /// The names of all verbs of clubs.
  private static func verbs(of command: any ParsableCommand.Type, _ names: [String] = []) -> [String] {
    command.configuration.subcommands.flatMap { below -> [String] in
      let path = names + [below._commandName]
      return (below is any ClubVerb.Type ? [path.joined(separator: " ")] : []) + verbs(of: below, path)
    }
  }

  @Test func `each verb of a club is in the tables of verbs that wait, need the server, or write nothing`() {
    let known = (Self.waiting.map(\.words) + Self.needing).map { $0.prefix(2).joined(separator: " ") }
    #expect(Set(Self.verbs(of: RootCommand.self)) == Set(known + Self.others))
  }

  @Test(arguments: [false, true])
  func `each verb that writes says that its change waits, or that it needs the server`(asJSON: Bool) throws {
    for file in Self.files + Self.removed {
      try home.write(file.hasSuffix(".jpg") ? Pictures.jpeg : Array("of \(file)\n".utf8), to: "one/\(file)")
    }
    try home.write(
      "# Remarks on lost.md\n\n- **eve** 2026-11-26 18:04Z eeeeeeee: hers\n".utf8, to: "one/lost.md.talk.md")
    let server = try RunningServer(in: home, place: ["--club-root", "garage=\(home.path)/one"], port: "0")
    _ = try server.configure(token: token)
    for name in ["gone", "left", "past/"] { #expect(try run("note", "rm", name, "--yes").status == 0) }
    let id = try run("talk", "add", "index", "Here.").text.trimmingCharacters(in: .whitespacesAndNewlines)
    for words in [["note", "ls"], ["photo", "ls"], ["trash", "ls"], ["talk", "ls"], ["sync", "now"]] {
      #expect(try home.start(words, ["BYTECLUB_TOKEN": token]).finish().status == 0)
    }
    #expect(try server.finish().status == 0)
    func outcome(_ words: [String]) throws -> Spawn.Outcome {
      try home.start(
        words.map { $0 == "ID" ? id : $0 } + (asJSON ? ["--json"] : []), input: Array("typed\n".utf8),
        ["BYTECLUB_TOKEN": token, "VISUAL": "sh -c 'echo two >> \"$1\"' --"]
      ).finish()
    }
    for (words, about) in Self.waiting {
      let outcome = try outcome(words)
      let said = asJSON ? outcome.text.replacing("\\\"", with: "\"") : outcome.said
      #expect(outcome.status == 6 && said.contains(Self.kept) && said.contains(about), "\(words): \(said)")
    }
    for words in Self.needing {
      let outcome = try outcome(words)
      #expect(outcome.status == 6 && !(outcome.text + outcome.said).contains(Self.kept), "\(words): \(outcome.said)")
    }
  }
}
