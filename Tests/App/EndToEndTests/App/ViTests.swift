import TestKit
import TextUI
import Testing

/// The editor with vi's keys, in the real program.
@Suite(.serialized) struct ViTests {
  @Test func `what vi's keys write is in the file`() throws {
    let home = try MemberHome(notes: ["one.md": "first line\nsecond\n"])
    try home.write(#"{"ui":{"editorKeys":"vi"}}"#, to: ".config/byteclub/config.json")
    let session = try home.open(showing: "one.md")
    session.press("Enter")
    try session.see("i edit")
    session.press("i")
    try session.see("NORMAL  unchanged  line 1  column 1")
    session.send("2dwonew é")
    try session.see("INSERT  changed  line 2")
    session.press("Esc")
    try session.see("NORMAL  changed  line 2")
    session.send(".:w\r")
    try session.see("Saved \"one.md\".")
    #expect(home.text("club/one.md") == "\nnew é\nnew é\nsecond\n")
    session.send("Gdd:wq\r")
    try session.see("i edit")
    try session.see("Saved \"one.md\".")
    #expect(home.text("club/one.md") == "\nnew é\nnew é\n")
    session.press("q")
    try session.see("n new")
    try session.quit()
  }
}
