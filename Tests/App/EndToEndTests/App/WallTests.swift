import TestKit
import TextUI
import Testing

/// `byteclub wall` by the real program.
@Suite struct WallTests {
  @Test func `the wall shows the newest photo, then the one that comes, and gives the terminal back`() throws {
    let home = try MemberHome(notes: ["note.md": ""])
    try home.write(Pictures.jpeg, to: "club/photos/pier.jpg")
    try home.write("At low tide", to: "club/photos/pier.jpg.md")
    // Nobody waits for the end of this turn: an arrival is shown at once.
    let session = try home.start(["wall", "--seconds", "3600", "--folder", home.club])
    let screen = try session.wait("the photo", timeout: .patient) { screen in
      screen.contains("pier.jpg") && screen.contains("At low tide")
        && (0..<screen.grid.size.width).contains { screen.grid[$0, 12].base == 0x2580 }
    }
    #expect(!screen.contains("PanoPhotos"))
    try home.write(Pictures.png(width: 64, height: 32), to: "club/photos/arrived.png")
    try session.see("arrived.png")
    session.press("Left")
    try session.see("At low tide")
    session.press("Space")
    try session.see("paused")
    session.press("q")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: .window) == [])
  }

  @Test func `without a terminal, a sentence names what works there`() throws {
    let home = try MemberHome(notes: ["note.md": ""])
    let outcome = try home.run("wall")
    #expect(outcome.status != 0 && outcome.text.isEmpty)
    #expect(outcome.said.contains("needs a terminal") && outcome.said.contains("byteclub photo ls"), "\(outcome.said)")
    let wrong = try home.run("wall", "--seconds", "0")
    #expect(wrong.status != 0 && wrong.said.contains("--seconds needs a number from 2"), "\(wrong.said)")
  }
}
