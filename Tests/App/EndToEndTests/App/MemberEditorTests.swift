import POSIX
import TestKit
import TextUI
import Testing

/// The member's own editor.
@Suite(.serialized) struct MemberEditorTests {
  private func script(_ text: String, _ home: MemberHome) throws -> String {
    try home.write("#!/bin/sh\n" + text, to: "editor")
    guard chmod(home.path + "/editor", 0o755) == 0 else { throw MemberHome.Missing(description: "no script") }
    return home.path + "/editor"
  }

  @Test func `each version that the editor writes reaches the club while it runs`() throws {
    let home = try MemberHome(notes: ["note.md": "begin\n"])
    let editor = try script(
      """
      echo "on: $(cat "$1")"; ls -ld "$1" "$(dirname "$1")" | cut -c1-10
      read x; printf 'version one\\n' >"$1.new" && mv "$1.new" "$1"; echo wrote-one
      read x; printf 'version two\\n' >"$1"; echo wrote-two
      read x; printf 'version three\\n' >"$1"
      """, home)
    let watching = try home.open(showing: "note.md")
    watching.press("Enter")
    try watching.see("begin")
    let session = try home.open(showing: "note.md", ["EDITOR": editor])
    session.press("e")
    try session.wait("the editor", timeout: .patient) { $0.contains("on: begin") && !$0.isFullScreen }
    #expect(session.modes == .cooked)
    try session.wait("private modes", timeout: .patient) { $0.contains("-rw-------") && $0.contains("drwx------") }
    session.send("\n")
    try session.see("wrote-one")
    try watching.see("version one")
    session.send("\n")
    try session.see("wrote-two")
    try watching.see("version two")
    #expect(home.text("club/note.md") == "version two\n")
    session.send("\n")
    try watching.see("version three")
    try session.wait("the app", timeout: .patient) { $0.isFullScreen && $0.contains("Saved \"note.md\".") }
    #expect(home.text("club/note.md") == "version three\n")
    try session.quit()
    #expect(home.files(below: ".local/share").filter { $0.hasSuffix("note.md") } == [], "the copy is gone")
  }

  @Test func `an editor gets no connection of the app`() throws {
    let told = try TemporaryFolder()
    let demo = try RunningDemo(["EDITOR": "ls -l /proc/self/fd >'\(told.path)/files'; touch '\(told.path)/done'; true"])
    try demo.session.see("Guestbook.md")
    demo.session.press("e")
    try demo.wait("the editor's end") { access(told.path + "/done", F_OK) == 0 }
    let files = demo.text(told.path + "/files")
    #expect(!files.isEmpty && !files.contains("socket:") && !files.contains("anon_inode"), "\(files)")
  }

  @Test func `a remark comes back from the editor with its lines, and is added so`() throws {
    let home = try MemberHome(notes: ["note.md": "begin\n"])
    let editor = try script("cat \"$1\" >'\(home.path)/before'; printf 'low\\n\\ntide\\n' >\"$1\"\n", home)
    let session = try home.open(showing: "note.md", ["EDITOR": editor])
    session.press("@")
    try session.see("Nobody has said anything here yet.")
    session.send("low")
    try session.see("Remark: low")
    session.press("Ctrl-O")
    try session.wait("the field", timeout: .patient) { $0.isFullScreen && $0.contains("Remark: low↵ ↵ tide") }
    #expect(home.text("before") == "low\n")
    session.press("Enter")
    try session.see("n new remark")
    #expect(home.text("club/note.md.talk.md")?.hasSuffix(": low\n\n  tide\n") == true)
    #expect(home.files(below: ".local/share").filter { $0.hasSuffix("remark.md") } == [], "the copy is gone")
    session.press("Esc")
    try session.see("Enter open")
    try session.quit()
  }

  @Test func `an editor that changes nothing changes nothing`() throws {
    let home = try MemberHome(notes: ["note.md": "begin\n"])
    let session = try home.open(showing: "note.md", ["VISUAL": "true", "EDITOR": "false"])
    session.press("e")
    try session.see("Saved \"note.md\".")
    #expect(home.text("club/note.md") == "begin\n")
    try session.quit()
  }

  @Test(
    "An editor that fails is told, and the app goes on",
    arguments: [
      ("/no/such/editor", "The editor was not found."), ("exit 3 #", "The editor ended with code 3"),
      ("", "The editor was not found."),
    ])
  func failing(_ editor: String, _ sentence: String) throws {
    let home = try MemberHome(notes: ["note.md": "begin\n"])
    // Without a variable, an editor on the path would be taken.
    let session = try home.open(showing: "note.md", ["EDITOR": editor, "PATH": "/no/such/directory"])
    session.press("e")
    // A later notice may take its place on the line; what was written tells.
    try session.wait("the list again", timeout: .patient) { $0.isFullScreen && $0.contains(sentence) }
    #expect(home.text("club/note.md") == "begin\n")
    try session.quit()
  }

  @Test func `a note's name is one argument, whatever is in it`() throws {
    let home = try MemberHome()
    try home.write("text", to: "club/-rf $(touch canary) ;touch canary.md")
    let editor = try script("printf 'seen' >\"$1\"", home)
    let session = try home.open(showing: "touch canary", ["EDITOR": editor])
    session.press("e")
    try session.see("Saved \"")
    #expect(home.text("club/-rf $(touch canary) ;touch canary.md") == "seen")
    #expect(home.files(below: "").allSatisfy { !$0.hasSuffix("canary") && !$0.hasSuffix("/canary.md") })
    try session.quit()
  }
}
