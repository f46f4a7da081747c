import TestKit
import TextUI
import Testing

/// Two members of one club whose server no authority knows.
@Suite(.enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct JoiningInAppTests {
  @Test func `two homes meet by invitations and keys alone, and see each other's notes as news`() throws {
    let host = try CommandLineHome()
    let server = try RunningServer(["--tls-self"], in: host)
    let lines = try ["ann", "ben"].map { try server.invitation($0, scheme: "https") }
    let size = Size(100, 30)

    let ann = try MemberHome(hasClub: false).start([], size: size)
    try ann.see("Where is your club?")
    ann.paste(lines[0])
    try ann.see("You are ann in the club")
    try ann.writeNote("Tides", "high at noon")

    // Ben makes a club on his machine, and joins from there.
    let ben = try MemberHome(hasClub: false).start([], size: size)
    try ben.see("Where is your club?")
    ben.press("Enter")
    try ben.see("Welcome.md")
    ben.send(":join \(lines[1])\n")
    #expect(try ben.see("You are ben in the club").contains("which has one note"))
    try ben.press("g", choosing: "Tides.md")
    try ben.read("high at noon", by: "ann")
    try ben.writeNote("Reply", "thank you")

    try ann.see("Notes 2 · 1 new")
    // Passing by is not reading.
    try ann.press("g", choosing: "Reply.md")
    try ann.press("G", choosing: "Tides.md")
    try ann.see("● Reply.md")
    try ann.press("g", choosing: "Reply.md")
    try ann.read("thank you", by: "ben")
    try ann.seeGone("1 new")

    try ann.writeNote("Tea", "at five")
    try ben.see("Notes 3 · 1 new")
    ben.press("L")
    let clubs = try ben.wait("the news in the list of clubs", timeout: .patient) { screen in
      screen.contains("Byte Club · Clubs") && screen.contains("1 new")
    }
    #expect(clubs.contains("~/ByteClub"))
    ben.press("Esc")
    try ben.see("n new")
    try ben.press("g", choosing: "Reply.md")
    try ben.press("j", choosing: "Tea.md")
    try ben.read("at five", by: "ann")
    try ben.seeGone("1 new")
    for session in [ann, ben] { try session.quit() }
    #expect(try server.finish().status == 0)
  }
}

extension PtySession {
  /// Presses a key of the list, and waits until the row of this name is chosen.
  fileprivate func press(_ key: String, choosing name: String) throws {
    press(key)
    try wait("the row of \(name)", timeout: .patient) { screen in
      screen.chosen.map { screen.row($0).contains(name) } ?? false
    }
  }

  /// Opens the chosen note, whose author and text must be these, and goes back.
  fileprivate func read(_ text: String, by author: String) throws {
    press("Enter")
    let screen = try wait("the note", timeout: .patient) { $0.footer.contains("i edit") && $0.contains(text) }
    #expect(screen.row(1).contains(" \(author) "))
    press("q")
    try see("n new")
  }
}
