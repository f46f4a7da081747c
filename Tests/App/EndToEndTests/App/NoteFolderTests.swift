import TestKit
import TextUI
import Testing

/// Folders of notes: the app and the commands on one club.
@Suite(.serialized) struct NoteFolderTests {
  private func home() throws -> MemberHome {
    try MemberHome(notes: [
      "index.md": "top\n", "trips/oslo.md": "fjord\n", "trips/2026/bergen.md": "rain\n", ".obsidian/app.md": "x",
      "trips/map.bin": "x",
    ])
  }

  @Test func `a vault is entered, searched, written to and put in order, with a way back`() throws {
    let home = try home()
    let session = try home.open(showing: "trips/")
    let top = try session.see("2 notes")
    #expect(top.contains("index.md") && !top.contains("obsidian") && !top.contains("oslo.md"))
    try session.choose("trips/")
    session.press("Enter")
    let inside = try session.see("oslo.md")
    #expect(inside.contains("2026/") && !inside.contains("index.md") && !inside.contains("map.bin"))
    // Finding goes through all folders.
    session.press("/")
    session.send("berg")
    try session.see("trips/2026/bergen.md")
    session.press("Esc")
    try session.see("oslo.md")
    // A new note is made in the folder that is shown.
    session.press("n")
    try session.see("in trips/")
    session.send("rome\nsun")
    try session.see("sun")
    session.press("Ctrl-Q")
    try session.see("Saved \"trips/rome.md\".")
    #expect(home.text("club/trips/rome.md")?.hasPrefix("sun") == true)
    // It moves, and comes back.
    try session.see("rome.md")
    session.press("m")
    try session.see("Move to: ")
    session.send("trips/2026")
    session.press("Enter")
    try session.see("z undoes.")
    #expect(home.text("club/trips/2026/rome.md")?.hasPrefix("sun") == true && home.text("club/trips/rome.md") == nil)
    session.press("z")
    try session.see("back to \"trips/rome.md\".")
    #expect(home.text("club/trips/rome.md")?.hasPrefix("sun") == true && home.text("club/trips/2026/rome.md") == nil)
    session.press(":", "q", "Enter")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
  }

  @Test func `what a command does in a folder is in the open app without a key`() throws {
    let home = try home()
    let session = try home.open(showing: "trips/")
    #expect(try home.run("note", "put", "plans/2027", input: "later\n").status == 0)
    try session.see("plans/")
    #expect(try home.run("note", "mv", "trips/", "journeys/").status == 0)
    try session.see("journeys/")
    try session.seeGone("trips/")
    #expect(try home.run("note", "rm", "journeys/", "--yes").status == 0)
    try session.seeGone("journeys/")
    #expect(home.text("club/journeys/oslo.md") == nil)
    try session.quit()
  }

  @Test func `with the setting off, the app shows the notes at the top alone`() throws {
    let home = try home()
    let session = try home.open(showing: "index.md", ["BYTECLUB_NOTES_FOLDERS": "false"])
    #expect(!session.screen.contains("trips"))
    try session.quit()
  }
}
