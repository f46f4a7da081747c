import POSIX
import TestKit
import TextUI
import Testing

/// Every way out, and what sizes do.
@Suite(.serialized) struct EndingTests {
  private func home() throws -> MemberHome { try MemberHome(notes: ["a.md": "text of a", "b.md": "b"]) }

  @Test("The terminal is given back at a signal", arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func signals(_ number: Int32) throws {
    let home = try home()
    let session = try home.open(showing: "b.md")
    session.signal(number)
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
  }

  @Test(
    "The terminal is given back at a crash, and at what else ends a program",
    arguments: [SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGUSR1, SIGALRM, SIGXCPU])
  func crash(_ number: Int32) throws {
    let home = try home()
    let session = try home.open(showing: "b.md")
    session.signal(number)
    #expect(try session.waitExit(timeout: .patient) == .signalled(number))
    session.expectGivenBack()
  }

  @Test func `SIGTERM while text is typed keeps the text`() throws {
    let home = try home()
    let session = try home.open(showing: "b.md")
    session.press("n")
    try session.see("title")
    session.send("name\nall of this")
    session.signal(SIGTERM)
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
    let text = try home.run("draft", "cat", "name").text
    #expect("all of this".hasPrefix(text))
  }

  @Test func `closing the terminal ends the app, and typed text is kept`() throws {
    let home = try home()
    let session = try home.open(showing: "b.md")
    try session.edit(typing: "TYPED ")
    try session.see("TYPED text of a")
    session.hangUp()
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    #expect(try home.run("draft", "cat", "a.md").text == "TYPED text of a")
  }

  @Test func `Ctrl-Z gives the shell its terminal, and fg brings the app back with its text`() throws {
    let home = try home()
    let session = try PtySession(
      "bash", ["--norc", "-i"], size: Size(80, 24),
      environment: home.environment(["PS1": "$ ", "HISTFILE": "/dev/null"]))
    session.send("'\(try MemberHome.binary())' --folder '\(home.club)'\n")
    try session.wait("the app", timeout: .patient) { $0.isFullScreen && $0.contains("b.md") }
    try session.edit(typing: "more ")
    try session.see("more text of a")
    // In a text this key undoes.
    session.press("Ctrl-S")
    try session.see("Saved \"a.md\".")
    session.press("Esc")
    try session.see("i edit")
    session.press("Ctrl-Z")
    try session.wait("the shell", timeout: .patient) { $0.contains("Stopped") && !$0.isFullScreen && !$0.reportsMouse }
    session.send("fg\n")
    try session.wait("the app again", timeout: .patient) { $0.isFullScreen && $0.contains("more text of a") }
    #expect(home.text("club/a.md") == "more text of a")
    session.press("q")
    try session.see("n new")
    session.press(":", "q", "Enter")
    try session.wait("the shell", timeout: .patient) { !$0.isFullScreen }
    session.send("exit\n")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
  }

  @Test func `Esc never quits, and Ctrl-C asks`() throws {
    let home = try home()
    let session = try home.open(showing: "b.md")
    session.press("?")
    try session.see("PgUp/PgDn")
    session.press("Esc")
    try session.see("n new")
    session.press("Ctrl-C")
    try session.see("Quit byteclub?")
    session.press("n")
    try session.seeGone("Quit byteclub?")
    session.press("Ctrl-C")
    try session.see("Quit byteclub?")
    session.press("y")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
  }

  // MARK: Sizes

  @Test("A storm of sizes ends with the right screen", arguments: ["list", "reader", "editor", "help", "photos"])
  func storm(_ view: String) throws {
    let home = try home()
    try home.write(Pictures.jpeg, to: "club/photos/beach.jpg")
    let session = try home.open(showing: "b.md")
    let mark: String
    switch view {
    case "reader", "editor":
      session.press("Enter")
      try session.see("text of a")
      if view == "editor" {
        session.press("i")
        try session.see("unchanged")
      }
      mark = "text of a"
    case "help":
      session.press("?")
      mark = "PgUp/PgDn"
    case "photos":
      session.press("2")
      try session.see("▀▀▀▀▀▀▀▀▀▀▀▀")
      mark = "beach.jpg"
    default: mark = " 1 B"
    }
    let before = try session.wait("the screen at rest", timeout: .patient) { screen in
      screen.contains(mark) && screen.row(0).contains("PanoPhotos 1") && !screen.row(0).hasSuffix("*")
        && (view != "list" || screen.contains(" 9 B"))
        && (view != "photos" || screen.row(17).contains("▀▀") && !screen.contains("loading"))
    }
    var random: UInt64 = 11
    func next(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 1 + Int((random >> 33) % UInt64(limit))
    }
    for step in 0..<100 {
      let fixed = [Size(10, 3), Size(1, 1), Size(300, 100), Size(40, 12)]
      session.resize(step % 10 < fixed.count ? fixed[step % 10] : Size(next(200), next(60)))
    }
    session.resize(Size(80, 24))
    session.press("Ctrl-L")
    do {
      try session.wait("the screen as before", timeout: .patient) { screen in
        (0..<22).allSatisfy { screen.row($0) == before.row($0) } && screen.footer == before.footer
      }
    } catch {
      Issue.record("Before it was:\n\((0..<22).map { before.row($0) }.joined(separator: "\n"))\n\(before.footer)")
      throw error
    }
    session.signal(SIGTERM)
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    #expect(EscapeAudit.findings(in: session.rawBytes) == [])
  }

  @Test func `a terminal that is too small says so as far as it fits, and recovers`() throws {
    let home = try home()
    let session = try home.start(size: Size(10, 24))
    try session.wait("the beginning of the sentence", timeout: .patient) { $0.row(0).hasPrefix("terminal") }
    session.resize(Size(30, 8))
    try session.see("terminal too small")
    session.resize(Size(40, 12))
    try session.see("b.md")
    session.resize(Size(39, 12))
    try session.see("terminal too small")
    session.resize(Size(80, 24))
    try session.see("n new")
    try session.quit()
  }

  @Test func `40 columns and 12 rows are enough to write a note`() throws {
    let home = try home()
    let session = try home.open(showing: "b.md", size: Size(40, 12))
    session.press("n")
    try session.see("title")
    session.send("small\nwritten on a small screen, wrapped over rows")
    try session.see("rows")
    session.press("Ctrl-Q")
    try session.see("Saved \"small.md\".")
    #expect(home.text("club/small.md") == "written on a small screen, wrapped over rows")
    try session.quit()
  }
}
