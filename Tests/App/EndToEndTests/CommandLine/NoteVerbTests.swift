import Foundation
import POSIX
import TestKit
import Testing

/// The note verbs of the real program.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct NoteVerbTests {
  @Test func `the first command makes the club and says so on standard error`() throws {
    let home = try CommandLineHome()
    let first = try home.run("note", "ls")
    #expect(first.status == 0)
    #expect(first.text == "Welcome.md\n")
    #expect(first.said.contains("~/ByteClub"))
    let second = try home.run("note", "ls")
    #expect(second.said == "")
    #expect(try home.run("draft", "ls").status == 0)
    #expect(try home.mode(".local/share/byteclub") == 0o700)
    #expect(try home.mode(".local/share/byteclub/outbox.sqlite") == 0o600)
    #expect(try home.mode(".local/state/byteclub/log") == 0o600)
  }

  @Test func `with a config, a club whose directory is missing is an error that names club init`() throws {
    let home = try CommandLineHome()
    try home.write(#"{"clubs":{"home":{"path":"~/gone"}}}"#.utf8, to: ".config/byteclub/config.json")
    let failed = try home.run("note", "ls")
    #expect(failed.status == 4)
    #expect(failed.said.contains("byteclub club init"))
    #expect(try home.run("club", "init").status == 0)
    #expect(try home.run("note", "ls").status == 0)
    #expect(FileManager.default.fileExists(atPath: home.path + "/gone/photos"))
  }

  @Test func `what put writes, cat gives back, byte by byte`() throws {
    let home = try CommandLineHome()
    let bytes = (0...255).map { UInt8($0) } + Array("\u{1B}[31m\r\n".utf8)
    let put = try home.start(["note", "put", "raw.bin", "-"], input: bytes).finish()
    #expect(put.status == 0)
    #expect(put.output.isEmpty)
    #expect(home.read("ByteClub/raw.bin") == bytes)
    #expect(try home.run("note", "cat", "raw.bin").output == bytes)
  }

  @Test func `a new note without an ending gets md, and is found without it`() throws {
    let home = try CommandLineHome()
    #expect(try home.run("note", "put", "Answer", input: "forty-two\n").said.contains("\"Answer.md\""))
    #expect(try home.run("note", "cat", "Answer").text == "forty-two\n")
    #expect(try home.run("note", "put", "Answer", input: "new\n").status == 0)
    #expect(home.files(ending: "Answer.md") == ["ByteClub/Answer.md"])
  }

  @Test func `put replaces the revision that it found on starting, and no other`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "race.md", input: "one\n")
    let binary = try #require(CommandLineHome.binary)
    let session = try PtySession(
      binary, ["note", "put", "race.md"], environment: ["HOME": home.path, "XDG_RUNTIME_DIR": ""])
    // It asks for the text when it has looked at the note.
    try session.wait(for: "Type the note.")
    try home.write("theirs\n".utf8, to: "ByteClub/race.md")
    session.send("mine\n")
    session.press("Ctrl-D")
    #expect(try session.waitExit() == .exited(5))
    #expect(home.read("ByteClub/race.md") == Array("theirs\n".utf8))
  }

  @Test func `if-rev writes over that revision alone`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "a.md", input: "one\n")
    let text = try home.run("note", "cat", "a.md", "--json").text
    let revision = try #require(text.split(separator: "\"revision\":\"").last?.split(separator: "\"").first)
    #expect(try home.run("note", "put", "a.md", "--if-rev", String(revision), input: "two\n").status == 0)
    #expect(try home.run("note", "put", "a.md", "--if-rev", String(revision), input: "three\n").status == 5)
    #expect(home.read("ByteClub/a.md") == Array("two\n".utf8))
  }

  @Test func `a note goes to the trash and comes back`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "gone.md", input: "text\n")
    #expect(try home.run("note", "rm", "gone").status == 0)
    #expect(home.read("ByteClub/gone.md") == nil)
    let listed = try home.run("trash", "ls").text
    #expect(listed.hasSuffix("  gone.md\n") && listed.split(separator: " ").count == 2)
    #expect(try home.run("trash", "restore", "gone.md").status == 0)
    #expect(home.read("ByteClub/gone.md") == Array("text\n".utf8))
  }

  @Test func `of several, what can be done is done, and the exit code says so`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "one.md", input: "1\n")
    let outcome = try home.run("note", "rm", "nothing", "one.md")
    #expect(outcome.status == 8)
    #expect(outcome.said.contains("The club has no note \"nothing\""))
    #expect(home.read("ByteClub/one.md") == nil)
  }

  @Test func `a name that is taken is not renamed over`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "a.md", input: "a\n")
    _ = try home.run("note", "put", "b.md", input: "b\n")
    #expect(try home.run("note", "mv", "a", "b").status == 5)
    #expect(home.read("ByteClub/b.md") == Array("b\n".utf8))
  }

  @Test func `each save of the editor is in the club, and its copy is gone afterwards`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "a.md", input: "one\n")
    let outcome = try home.run("note", "edit", "a", variables: ["VISUAL": "sh -c 'echo two >> \"$1\"' --"])
    #expect(outcome.status == 0)
    #expect(home.read("ByteClub/a.md") == Array("one\ntwo\n".utf8))
    #expect(home.files(ending: "/a.md") == ["ByteClub/a.md"])
  }

  @Test func `a note that was changed elsewhere while it was edited has both changes`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "a.md", input: "one\ntwo\nthree\n")
    let theirs = "printf \"one\\ntwo\\nTHREE\\n\" > \(home.club)/a.md"
    let script = "sh -c '\(theirs); printf \"ONE\\ntwo\\nthree\\n\" > \"$1\"' --"
    let outcome = try home.run("note", "edit", "a", variables: ["EDITOR": script])
    #expect(outcome.status == 0 && outcome.said == "Merged your text of \"a.md\" with another change.\n")
    #expect(home.read("ByteClub/a.md") == Array("ONE\ntwo\nTHREE\n".utf8))
  }

  @Test func `a note that was changed while it was edited keeps both texts`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "a.md", input: "one\n")
    let script = "sh -c 'echo theirs > \(home.club)/a.md; echo mine > \"$1\"' --"
    let outcome = try home.run("note", "edit", "a", variables: ["EDITOR": script, "BYTECLUB_MEMBER": "ray"])
    #expect(outcome.status == 5)
    #expect(home.read("ByteClub/a.md") == Array("theirs\n".utf8))
    let copies = home.files(ending: ".md").filter { $0.contains("(ray's version, ") }
    #expect(copies.count == 1)
    #expect(copies.first.flatMap { home.read($0) } == Array("mine\n".utf8))
  }

  @Test func `an editor's first save makes a note, and without one there is none`() throws {
    let home = try CommandLineHome()
    let none = try home.run("note", "edit", "plan", variables: ["EDITOR": "true"])
    #expect(none.status == 0 && none.said.contains("\"plan.md\" was not made."), "\(none.said)")
    let failed = try home.run("note", "edit", "plan", variables: ["EDITOR": "false"])
    #expect(failed.status == 1 && failed.said.contains("It saved nothing of \"plan.md\"."), "\(failed.said)")
    #expect(home.read("ByteClub/plan.md") == nil)
    let made = try home.run("note", "edit", "plan", variables: ["EDITOR": "sh -c 'echo text > \"$1\"' --"])
    #expect(made.status == 0 && made.said.contains("Saved \"plan.md\"."), "\(made.said)")
    #expect(home.read("ByteClub/plan.md") == Array("text\n".utf8))
  }

  @Test func `an older version is printed by its revision`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "put", "a.md", input: "one\n")
    let text = try home.run("note", "cat", "a.md", "--json").text
    let revision = try #require(text.split(separator: "\"revision\":\"").last?.split(separator: "\"").first)
    _ = try home.run("note", "put", "a.md", input: "two\n")
    for rev in [revision, revision.dropLast()] {
      #expect(try home.run("note", "cat", "a.md", "--rev", String(rev)).text == "one\n")
    }
    let wrong = try home.run("note", "cat", "a.md", "--rev", "nothing")
    #expect(wrong.status != 0 && wrong.text == "")
  }

  @Test func `names end with NUL for xargs, and a quiet command says nothing but errors`() throws {
    let home = try CommandLineHome()
    for name in ["Zebra.md", "apple.md"] {
      #expect(try home.run("--folder", home.path, "note", "put", name, "--quiet", input: "x\n").said == "")
    }
    for flags in ["-z", "-qz"] {
      #expect(try home.run("--folder", home.path, "note", "ls", flags).text == "apple.md\0Zebra.md\0")
    }
    #expect(try home.run("--folder", home.path, "-q", "note", "cat", "gone").said.contains("no note \"gone\""))
  }

  @Test func `if-new never replaces a note`() throws {
    let home = try CommandLineHome()
    #expect(try home.run("note", "put", "a.md", "--if-new", input: "one\n").status == 0)
    #expect(try home.run("note", "put", "a.md", "--if-new", input: "two\n").status == 5)
    #expect(home.read("ByteClub/a.md") == Array("one\n".utf8))
  }

  @Test func `a name that is no UTF-8 is reached as lists show it`() throws {
    let home = try CommandLineHome()
    _ = try home.run("note", "ls")
    let name = Array("\(home.club)/bad".utf8CString.dropLast()) + [CChar(bitPattern: 0xFE)] + ".md".utf8CString
    let made = open(name, O_CREAT | O_WRONLY, 0o600)
    try #require(made >= 0)
    #expect(write(made, "odd\n", 4) == 4)
    close(made)
    #expect(try home.run("note", "cat", #"bad\xFE.md"#).text == "odd\n")
    #expect(try home.run("note", "cat", "bad\u{FFFD}").text == "odd\n")
    #expect(try home.run("note", "rm", #"bad\xFE.md"#).status == 0)
    #expect(try home.run("note", "ls").text == "Welcome.md\n")
    #expect(try home.run("trash", "restore", #"bad\xFE"#).status == 0)
    #expect(try home.run("note", "cat", #"bad\xFE.md"#).text == "odd\n")
  }
}
