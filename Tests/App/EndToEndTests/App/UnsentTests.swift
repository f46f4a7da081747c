import CPlatform
import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// Saves that fail, and a data directory that cannot be written: the club's folder, or byteclub's own, is away.
@Suite(.timeLimit(.minutes(10))) struct UnsentTests {
  /// Exchanges a folder for a file in one step: the app, which may be making the folder just now, never finds neither.
  private func away(_ home: MemberHome, _ name: String) throws {
    try home.write("", to: "\(name).away")
    let (place, other) = ("\(home.path)/\(name)", "\(home.path)/\(name).away")
    guard cp_rename(AT_FDCWD, place, AT_FDCWD, other, 2) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  private func back(_ home: MemberHome, _ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(home.path)/\(name)")
    try FileManager.default.moveItem(atPath: "\(home.path)/\(name).away", toPath: "\(home.path)/\(name)")
  }

  /// The app in the editor of a.md, with something typed.
  private func typing(_ home: MemberHome) throws -> PtySession {
    let session = try home.open(showing: "a.md")
    try session.edit(typing: "my ")
    try session.see("my old")
    return session
  }

  @Test func `a failed Done is marked, counted, asked about, and sent when the store is back`() throws {
    let home = try MemberHome(notes: ["a.md": "old"])
    let session = try typing(home)
    try away(home, "club")
    session.press("Ctrl-Q")
    try session.see("1 to send")
    for _ in 0..<2 {
      session.press("i")
      try session.see("Ctrl-Q Done")
      session.press("Ctrl-Q")
      try session.see("i edit")
    }
    session.press("q")
    try session.see("n new")
    session.press("q")
    try session.see("1 note is not in the club yet.")
    session.press("Esc")
    try session.seeGone("1 note is not in the club yet.")
    try back(home, "club")
    session.press("r")
    try session.seeGone("to send")
    #expect(home.text("club/a.md") == "my old")
    try session.quit()
    let next = try home.open(showing: "a.md")
    #expect(!next.screen.contains("Draft of"))
    try next.quit()
  }

  @Test func `what is saved while the store is away is sent at the next start, without a question`() throws {
    let home = try MemberHome(notes: ["a.md": "old"])
    let session = try typing(home)
    try away(home, "club")
    session.press("Ctrl-Q")
    try session.see("1 to send")
    session.press("q")
    try session.see("n new")
    session.press("q")
    try session.see("1 note is not in the club yet.")
    session.press("q")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    try back(home, "club")
    let next = try home.open(showing: "a.md")
    try next.seeGone("to send")
    try next.wait("the text in the club", timeout: .patient) { _ in home.text("club/a.md") == "my old" }
    try next.see("Saved \"a.md\".")
    #expect(!next.screen.contains("Draft of"))
    try next.quit()
  }

  @Test func `typing where nothing can be kept is reported, and Done saves to the club`() throws {
    let home = try MemberHome(notes: ["a.md": "old"])
    let session = try home.open(showing: "a.md")
    try away(home, ".local/share/byteclub")
    try session.edit(typing: "my ")
    try session.see("cannot keep your typing on this machine")
    session.press("Ctrl-Q")
    try session.see("Saved \"a.md\".")
    #expect(home.text("club/a.md") == "my old")
    session.press("q")
    try session.see("n new")
    try session.quit()
  }

  @Test func `a text that neither place takes stays in its editor`() throws {
    let home = try MemberHome(notes: ["a.md": "old"])
    let session = try home.open(showing: "a.md")
    try away(home, ".local/share/byteclub")
    try session.edit(typing: "my ")
    try session.see("cannot keep your typing on this machine")
    try away(home, "club")
    session.press("Ctrl-Q")
    try session.see("was not saved")
    try session.see("Ctrl-Q Done")
    #expect(session.screen.contains("my old") && !session.screen.contains("unchanged"))
    session.press("Esc")
    try session.see("for good?")
    session.press("n")
    try session.seeGone("for good?")
    try back(home, "club")
    session.press("Ctrl-Q")
    try session.see("Saved \"a.md\".")
    #expect(home.text("club/a.md") == "my old")
    session.press("q")
    try session.see("n new")
    try session.quit()
  }
}
