import POSIX
import TestKit
import TextUI
import Testing

/// Notes: read, written, changed by others.
@Suite(.serialized) struct NoteTests {
  @Test func `an edited note has exactly the typed bytes, its mode, and others see it`() throws {
    let home = try MemberHome(notes: ["one.md": "first line\nsecond é 日本\n", "two.md": "2"])
    #expect(try home.run("note", "ls").text.contains("one.md"))
    let watching = try home.open(showing: "two.md")
    watching.press("Enter")
    try watching.see("first line")
    let session = try home.open(showing: "one.md")
    try session.edit(typing: "typed\nmore ")
    try session.see("changed  line 2  column 6")
    session.press("Ctrl-Q")
    try session.see("Saved \"one.md\".")
    let expected = "typed\nmore first line\nsecond é 日本\n"
    #expect(home.text("club/one.md") == expected)
    #expect(try home.mode("club/one.md") == 0o644)
    #expect(try home.run("note", "cat", "one.md").text == expected)
    let left = home.files(below: "club").filter { !$0.hasPrefix(".byteclub/versions/") }
    #expect(left == ["one.md", "two.md"], "no other file is left in the club")
    // The other member's open reader has it without a key.
    try watching.see("more first line")
    session.press("Esc")
    try session.see("n new")
    try session.quit()
    watching.press("q")
    try watching.see("n new")
    try watching.quit()
    #expect(try home.run("draft", "ls").text.contains("one.md") == false)
  }

  @Test func `files that others add and remove appear in the list without a key, and the choice stays`() throws {
    let home = try MemberHome(notes: ["b.md": "b", "m.md": "m"])
    let session = try home.open(showing: "m.md")
    try session.choose("m.md")
    try home.write("new", to: "club/a new one.md")
    try session.wait("the new note, the choice where it was", timeout: .patient) { screen in
      screen.contains("a new one.md") && screen.chosen.map { screen.row($0).contains("m.md") } == true
    }
    try remove(home.club + "/b.md")
    try session.seeGone("b.md")
    try session.quit()
  }

  @Test func `a link of a read note is a link of the terminal, and leaves with the note`() throws {
    let text = "see [the club](https://club.example/a) or [a file](file:///etc/passwd)\n"
    let home = try MemberHome(notes: ["a.md": text])
    let session = try home.open(showing: "a.md", ["TERM_PROGRAM": "WezTerm"])
    session.press("Enter")
    try session.see("see the club")
    session.press("q")
    try session.see("n new")
    try session.quit()
    let raw = session.rawBytes
    #expect(EscapeAudit.findings(in: raw, allowing: .links) == [])
    let opened = raw.ranges(of: Array("\u{1B}]8;id=1;https://club.example/a\u{1B}\\".utf8)).map(\.lowerBound)
    let closed = raw.ranges(of: Array("\u{1B}]8;;\u{1B}\\".utf8)).map(\.lowerBound)
    #expect(!opened.isEmpty && opened.count == closed.count && zip(opened, closed).allSatisfy { $0 < $1 })
    #expect(raw.ranges(of: Array("]8;".utf8)).count == opened.count + closed.count)
  }

  @Test func `the terminal has its cursor back also after ncurses has scrolled`() throws {
    let home = try MemberHome(notes: ["a.md": "a"])
    let session = try home.open(showing: "a.md")
    // A row at the end, then one before it: ncurses scrolls, and saves the hidden cursor (DECSC) around that. `quit`
    // looks at the cursor.
    try home.write("z", to: "club/zz.md")
    try session.see("zz.md")
    try home.write("b", to: "club/bb.md")
    try session.see("bb.md")
    try session.quit()
  }

  @Test func `a change elsewhere in the note comes into the open text, and the save has both`() throws {
    let home = try MemberHome(notes: ["shared.md": "first line\n\nmiddle\n\nlast line\n"])
    let session = try home.open(showing: "shared.md")
    try session.edit(typing: "MINE ")
    try session.see("MINE first line")
    try home.write("first line\n\nmiddle\n\nlast line of THEIRS\n", to: "club/shared.md")
    try session.see("words came in: 1 line.")
    session.press("Ctrl-Q")
    try session.see("Saved \"shared.md\".")
    let screen = try session.see("last line of THEIRS")
    #expect(screen.contains("MINE first line"))
    #expect(home.text("club/shared.md") == "MINE first line\n\nmiddle\n\nlast line of THEIRS\n")
    session.press("Esc")
    try session.see("n new")
    try session.quit()
    #expect(try home.run("draft", "ls").text.contains("shared") == false)
  }

  @Test(
    "When a note was changed underneath, the member chooses and no text is lost",
    arguments: [("m", "mine"), ("t", "theirs"), ("c", "both"), ("e", "edit"), ("Esc", "later")])
  func conflict(_ key: String, _ choice: String) throws {
    let home = try MemberHome(notes: ["shared.md": "old text\n"])
    let session = try home.open(showing: "shared.md")
    try session.edit(typing: "MINE ")
    try session.see("MINE old text")
    try home.write("THEIRS\n", to: "club/shared.md")
    session.press("Ctrl-Q")
    let screen = try session.see("two versions")
    #expect(screen.contains("MINE old text") && screen.contains("THEIRS"))
    #expect(home.text("club/shared.md") == "THEIRS\n", "nothing is overwritten")
    session.press(key)
    switch choice {
    case "mine":
      try session.see("all chosen")
      session.press("Ctrl-S")
      try session.see("Saved \"shared.md\".")
      #expect(home.text("club/shared.md") == "MINE old text\n")
    case "theirs":
      try session.see("all chosen")
      session.press("Ctrl-S")
      try session.seeGone("two versions")
      try session.wait("their text in the reader", timeout: .patient) { $0.row(2).contains("THEIRS") }
      #expect(home.text("club/shared.md") == "THEIRS\n")
    case "both":
      // While the second is written, it is there under another name, and not whole.
      try session.wait("two files with a text each", timeout: .patient) { _ in
        let files = home.files(below: "club")
        return files.allSatisfy { $0.hasPrefix("shared") }
          && files.compactMap { home.text("club/" + $0) }.sorted() == ["MINE old text\n", "THEIRS\n"]
      }
      try session.wait("their text in the reader", timeout: .patient) { $0.row(2).contains("THEIRS") }
    case "edit":
      try session.see("part 1 of 1")
      session.send("merged ")
      try session.see("merged MINE old text")
      session.press("Ctrl-S")
      try session.see("all chosen")
      session.press("Ctrl-S")
      try session.wait("the save and the reader", timeout: .patient) {
        $0.contains("Saved \"shared.md\".") && $0.contains("merged MINE old text")
      }
      #expect(home.text("club/shared.md") == "merged MINE old text\n")
    default:
      try session.see("is kept. Open the note")
      #expect(home.text("club/shared.md") == "THEIRS\n")
      session.signal(15)
      #expect(try session.waitExit(timeout: .patient) == .exited(0))
      let again = try home.start()
      try again.see("shared.md\"")
      again.press("Enter")
      try again.wait("my text", timeout: .patient) { $0.contains("MINE old text") }
    }
  }

  @Test func `a new note is written in two fields`() throws {
    let home = try MemberHome(notes: ["old.md": "x"])
    let session = try home.open(showing: "old.md")
    session.press("n")
    try session.see("title")
    session.press("Ctrl-Q")
    try session.see("The note needs a name.")
    session.send("For Ray")
    try session.see("For Ray")
    session.press("Tab")
    session.send("Solve this:\n2 + 2")
    try session.see("2 + 2")
    session.press("Ctrl-Q")
    try session.see("Saved \"For Ray.md\".")
    #expect(home.text("club/For Ray.md") == "Solve this:\n2 + 2")
    try session.wait("the new note is chosen", timeout: .patient) { screen in
      screen.chosen.map { screen.row($0).contains("For Ray.md") } ?? false
    }
    // The name is taken now: nothing is overwritten, and the text stays in the form.
    session.press("n")
    try session.see("title")
    session.send("For Ray")
    session.press("Tab")
    session.send("other text")
    try session.see("other text")
    session.press("Ctrl-Q")
    try session.wait("an answer", timeout: .patient) { $0.contains("was not saved") || $0.contains("two versions") }
    #expect(home.text("club/For Ray.md") == "Solve this:\n2 + 2")
  }

  @Test func `H shows the versions of a note in a folder club, and one of them is made the newest again`() throws {
    let home = try MemberHome(notes: ["a.md": "the first text"])
    try home.write("a newer text", to: "text")
    #expect(try home.run("note", "put", "a.md", home.path + "/text").status == 0)
    let session = try home.open(showing: "a.md")
    session.press("H")
    try session.see("a.md: history")
    // Keys count once the versions are there.
    try session.see("14 B")
    session.press("Down")
    session.press("Enter")
    try session.see("read-only")
    session.press("R")
    try session.see("Restore \"a.md\"")
    session.press("y")
    try session.see("Restored \"a.md\".")
    #expect(home.text("club/a.md") == "the first text")
    try session.quit()
  }

  @Test(
    "Redo works on keys that terminals send, and what is typed behind it is in the file",
    arguments: ["\u{1B}_", "\u{1B}r", "\u{12}"])
  func redo(_ key: String) throws {
    let home = try MemberHome(notes: ["a.md": ""])
    let session = try home.open(showing: "a.md")
    try session.edit(typing: "one two")
    try session.see("one two")
    session.press("Ctrl-_")
    try session.wait("the last word to go", timeout: .patient) { $0.contains("one") && !$0.contains("two") }
    // Without a pause, as a fast typist or a script sends it.
    session.send(key + " and more")
    try session.see("one two and more")
    session.send("\u{1B}] and \u{1B}P last")
    try session.see("one two and more and  last")
    session.press("Ctrl-Q")
    try session.see("Saved \"a.md\".")
    #expect(home.text("club/a.md") == "one two and more and  last")
    session.press("Esc")
    try session.see("n new")
    try session.quit()
  }

  @Test func `rename, trash and undo do what they say on the disk`() throws {
    let home = try MemberHome(notes: ["a.md": "text a", "b.md": "text b"])
    let session = try home.open(showing: "b.md")
    session.press("R")
    try session.see("New name:")
    session.press("Ctrl-U")
    session.send("c.md\n")
    try session.see("Renamed \"a.md\" to \"c.md\".")
    #expect(home.text("club/c.md") == "text a" && home.text("club/a.md") == nil)
    session.press("z")
    try session.see("Renamed \"c.md\" back to \"a.md\".")
    #expect(home.text("club/a.md") == "text a" && home.text("club/c.md") == nil)
    session.press("D")
    try session.see("Move \"a.md\" to the trash?")
    session.press("n")
    try session.seeGone("to the trash?")
    #expect(home.text("club/a.md") == "text a")
    session.press("D")
    try session.see("Move \"a.md\" to the trash?")
    session.press("y")
    try session.see("Moved \"a.md\" to the trash.")
    #expect(home.text("club/a.md") == nil)
    session.press("z")
    try session.see("\"a.md\" is back.")
    #expect(home.text("club/a.md") == "text a")
    try session.quit()
  }

  @Test func `a note that is no text is shown only, and stays byte for byte`() throws {
    let home = try MemberHome(notes: ["a.md": "a"])
    let bytes: [UInt8] = [0x66, 0xFF, 0xFE, 0x00, 0x9B, 0x33, 0x31, 0x6D, 0x0A]
    try home.write(bytes, to: "club/binary")
    let session = try home.open(showing: "binary")
    try session.choose("binary")
    session.press("Enter")
    try session.see("read-only")
    session.press("i")
    try session.see("not UTF-8 text")
    session.press("q")
    try session.see("n new")
    try session.quit()
    #expect(home.bytes("club/binary") == bytes)
    #expect(EscapeAudit.findings(in: session.rawBytes) == [])
  }
}

private func remove(_ path: String) throws {
  guard unlink(path) == 0 else { throw MemberHome.Missing(description: "\(path) could not be removed") }
}
