import POSIX
import TestKit
import TextUI
import Testing

/// Pictures that the terminal draws itself, on a terminal that answers like kitty.
extension TerminalTests {
  private static let cell = Size(10, 20)
  private static let pictureSize = Size(90, 16)

  /// The answers come after the barrier, as around tmux; they must count as well.
  private func kitty(_ environment: [String: String] = [:]) throws -> PtySession {
    let session = try start(environment.merging(["COLORTERM": "truecolor"]) { $1 })
    session.send(bytes: Array("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t".utf8))
    try session.wait(for: "graphics kitty")
    return session
  }

  private func shown(_ session: PtySession) -> PictureTerminal {
    var terminal = PictureTerminal(Self.pictureSize, cell: Self.cell)
    terminal.feed(session.rawBytes)
    return terminal
  }

  /// The probe's picture is at column 62, row 2, of 8 by 4 cells.
  private func isWhole(_ terminal: PictureTerminal, shift: Int = 0) -> Bool {
    let colors = terminal.colors
    let width = Self.pictureSize.width * Self.cell.width
    return (0..<80).allSatisfy { y in
      (0..<80).allSatisfy { x in
        let color = UInt32((x + shift) & 255) << 16 | UInt32(y & 255) << 8 | UInt32((x * y) & 255)
        return colors[(40 + y) * width + 620 + x] == color
      }
    }
  }

  private func wait(
    _ session: PtySession, _ goal: String, until isReached: (PictureTerminal) -> Bool
  ) throws {
    try session.waitForOutput(goal) { bytes in
      var terminal = PictureTerminal(Self.pictureSize, cell: Self.cell)
      terminal.feed(bytes)
      return terminal.problems == [] && isReached(terminal)
    }
  }

  @Test func `a picture is drawn by the terminal, under nothing, and goes with its key`() throws {
    let session = try kitty()
    session.press("g")
    try wait(session, "the picture") { isWhole($0) }
    #expect(session.screen.grid[63, 3].base != 0x2580, "no block is under it")
    session.press("l")
    try wait(session, "the next picture") { isWhole($0, shift: 1) }
    session.press("g")
    try wait(session, "no picture") { $0.isEmpty }
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: .pictures) == [])
  }

  @Test func `text over a picture covers it, and a list that scrolls beside it leaves it in place`() throws {
    let session = try kitty()
    session.press("g")
    try wait(session, "the picture") { isWhole($0) }
    session.press("v")
    try wait(session, "the covered picture") {
      $0.color(x: 645, y: 65) == nil && $0.color(x: 625, y: 65) != nil && $0.color(x: 645, y: 45) != nil
    }
    session.press("v")
    try wait(session, "the whole picture") { isWhole($0) }
    for step in 1...5 {
      session.press("j")
      try session.wait(for: "item \(15 + step)")
    }
    let before = session.rawBytes.count
    session.press("y")
    try session.wait(for: "key y")
    try wait(session, "the picture in its place") { isWhole($0) }
    #expect(session.rawBytes.count - before < 300)
  }

  @Test func `a repaint, another program and another size bring it back`() throws {
    let session = try kitty()
    session.press("g")
    try wait(session, "the picture") { isWhole($0) && $0.sentCount == 1 }
    session.press("r")
    try wait(session, "the picture after a repaint") { isWhole($0) && $0.sentCount == 2 }
    session.press("k")
    try wait(session, "the picture after a program") { isWhole($0) && $0.sentCount == 3 }
    session.resize(Size(90, 15))
    try wait(session, "the picture in another size") { isWhole($0) && $0.sentCount > 3 }
  }

  @Test("No picture is kept however the program ends", arguments: ["q", "1", "4", "5", "SIGTERM"])
  func nothingLeft(_ end: String) throws {
    let session = try kitty(["SWIFT_BACKTRACE": "enable=no"])
    session.press("g")
    try wait(session, "the picture") { isWhole($0) }
    if end == "SIGTERM" { session.signal(SIGTERM) } else { session.press(end) }
    _ = try session.waitExit()
    expectGivenBack(session)
    let terminal = shown(session)
    #expect(terminal.keepsNothing)
  }

  @Test func `another program finds no picture`() throws {
    let session = try kitty()
    session.press("g")
    try wait(session, "the picture") { isWhole($0) }
    session.press("h")
    try session.wait(for: "child has it")
    let terminal = shown(session)
    #expect(terminal.keepsNothing)
  }

  @Test func `the Linux console is asked nothing`() throws {
    let session = try start(["TERM": "linux"])
    session.press("j")
    try session.wait(for: "key j")
    #expect(session.rawBytes.firstRange(of: Array("\u{1B}_G".utf8)) == nil)
    #expect(session.rawBytes.firstRange(of: Array("\u{1B}[16t".utf8)) == nil)
  }
}
