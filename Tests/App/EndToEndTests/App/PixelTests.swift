import TestKit
import TextUI
import Testing

/// The app on terminals that draw pixels: the answers are played back, and the output is decoded.
@Suite(.serialized) struct PixelTests {
  private static let size = Size(80, 24)

  private func open(_ answers: String, showing bytes: String) throws -> (MemberHome, PtySession) {
    let home = try MemberHome(notes: ["note.md": ""])
    try home.write(Pictures.png(width: 300, height: 200), to: "club/photos/a.png")
    let session = try home.open(showing: "note.md", size: Self.size, ["COLORTERM": "truecolor"])
    session.send(bytes: Array(answers.utf8))
    session.press("2")
    try session.see("a.png")
    session.press("Enter")
    try session.see("300 x 200")
    try session.waitForBytes(bytes)
    return (home, session)
  }

  private func shown(_ session: PtySession, _ cell: Size) -> PictureTerminal {
    var terminal = PictureTerminal(Self.size, cell: cell)
    terminal.feed(session.rawBytes)
    return terminal
  }

  private func wait(_ session: PtySession, _ goal: String, until isReached: (PictureTerminal) -> Bool) throws {
    try session.waitForOutput(goal) { bytes in
      var terminal = PictureTerminal(Self.size, cell: Size(10, 20))
      terminal.feed(bytes)
      return isReached(terminal)
    }
  }

  @Test func `kitty gets the photo once; a pan takes few bytes; nothing is kept at the end`() throws {
    let answers = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.35.2)\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c"
    let (home, session) = try open(answers, showing: "c=")
    defer { withExtendedLifetime(home) {} }
    try wait(session, "the photo") { $0.color(x: 400, y: 240) != nil }
    session.press("+", "+", "+")
    try session.see("195 %")
    session.press("?")
    try wait(session, "help over the photo") { $0.color(x: 400, y: 240) == nil }
    session.press("Esc")
    try wait(session, "the photo after help") { $0.color(x: 400, y: 240) != nil }
    let before = shown(session, Size(10, 20))
    #expect(before.problems == [])
    session.press("Right")
    try wait(session, "the next part") { $0.colors != before.colors && $0.color(x: 400, y: 240) != nil }
    #expect(shown(session, Size(10, 20)).sentCount == before.sentCount)
    session.press("i")
    try session.see("Content hash")
    session.press("q")
    try session.see("300 x 200")
    session.press("q")
    try session.see("u upload")
    try session.quit()
    let terminal = shown(session, Size(10, 20))
    #expect(terminal.keepsNothing)
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: [.window, .pictures]) == [])
  }

  @Test func `kitty on this machine reads the photo in shared memory`() throws {
    let answers =
      "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=32;OK\u{1B}\\\u{1B}P>|kitty(0.35.2)\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c"
    let (home, session) = try open(answers, showing: "a=t,t=s,f=24,")
    defer { withExtendedLifetime(home) {} }
    try session.waitForBytes("c=")
    #expect(session.rawBytes.firstRange(of: Array("_Gi=32,s=1,v=1,S=3,a=q,t=s,f=24;".utf8)) != nil)
    #expect(session.rawBytes.firstRange(of: Array("f=100".utf8)) == nil)
    session.press("q")
    try session.see("u upload")
    try session.quit()
    #expect(shown(session, Size(10, 20)).keepsNothing)
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: [.window, .pictures]) == [])
  }

  @Test func `Ctrl-Z takes the pictures away, and fg brings them back`() throws {
    let home = try MemberHome(notes: ["note.md": ""])
    try home.write(Pictures.png(width: 300, height: 200), to: "club/photos/a.png")
    let session = try PtySession(
      "bash", ["--norc", "-i"], size: Self.size,
      environment: home.environment(["COLORTERM": "truecolor", "PS1": "$ "]), keeping: home)
    session.send("'\(try MemberHome.binary())' --folder '\(home.club)'\n")
    try session.wait("the list", timeout: .patient) { $0.isFullScreen && $0.contains("note.md") }
    let answers = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.35.2)\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c"
    session.send(bytes: Array(answers.utf8))
    session.press("2")
    try session.see("a.png")
    session.press("Enter")
    try wait(session, "the photo") { $0.color(x: 400, y: 240) != nil }
    session.press("Ctrl-Z")
    try session.wait("the shell's prompt", timeout: .patient) { $0.contains("Stopped") && !$0.isFullScreen }
    #expect(shown(session, Size(10, 20)).keepsNothing)
    session.send("fg\n")
    try wait(session, "the photo again") { $0.color(x: 400, y: 240) != nil }
    session.press("q", "q")
    try session.wait("the shell's prompt", timeout: .patient) { !$0.isFullScreen }
    #expect(shown(session, Size(10, 20)).keepsNothing)
    session.send("exit\n")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
  }

  @Test func `a terminal with sixels gets sixels, as large as its cells`() throws {
    let (home, session) = try open("\u{1B}[6;12;6t\u{1B}[?63;1;4;22c", showing: "\u{1B}P0;1q\"1;1;")
    defer { withExtendedLifetime(home) {} }
    session.press("q")
    try session.see("u upload")
    try session.quit()
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: [.window, .pictures]) == [])
  }

  @Test func `iTerm2 gets inline images`() throws {
    let answers = "\u{1B}P>|iTerm2 3.5.4\u{1B}\\\u{1B}[6;16;8t\u{1B}[?62;4c"
    let (home, session) = try open(answers, showing: "\u{1B}]1337;File=inline=1;size=")
    defer { withExtendedLifetime(home) {} }
    session.press("q")
    try session.see("u upload")
    try session.quit()
  }

  @Test func `inside tmux the pixels go around it, and cells stand for them`() throws {
    let home = try MemberHome(notes: ["note.md": ""])
    try home.write(Pictures.png(width: 300, height: 200), to: "club/photos/a.png")
    let session = try home.open(
      showing: "note.md", size: Self.size, ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"])
    let answers = "\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1;2c\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.35.2)\u{1B}\\"
    session.send(bytes: Array(answers.utf8))
    session.press("2")
    try session.see("a.png")
    try session.waitForBytes("\u{1B}Ptmux;\u{1B}\u{1B}_Ga=t,f=100,i=")
    try session.waitForBytes("\u{10EEEE}")
    session.press("q")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    try session.waitForBytes("\u{1B}Ptmux;\u{1B}\u{1B}_Ga=d,d=I,i=")
  }

  @Test func `doctor prints the questions, the answers and the decision`() throws {
    let home = try MemberHome()
    let session = try home.start(["doctor", "--folder", home.club])
    try session.waitForBytes("\u{1B}[c")
    session.send(bytes: Array("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.35.2)\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c".utf8))
    _ = try session.waitExit(timeout: .patient)
    let text = String(decoding: session.rawBytes, as: UTF8.self)
    #expect(text.contains("kitty graphics: "))
    #expect(text.contains("Pictures"))
    #expect(session.modes == .cooked)
  }
}
