import POSIX
import TestKit
import TextUI
import Testing

/// What is left of a picture, and what another program finds, when the full screen is left.
extension TerminalTests {
  @Test("A picture in 24-bit colour leaves nothing behind", arguments: ["q", "1", "4", "SIGTERM"])
  func givenBackWithPicture(_ end: String) throws {
    let session = try start(["COLORTERM": "truecolor"])
    session.press("p")
    try session.wait("the picture") { $0.grid[88, 14].style.foreground.rgbValue != nil }
    if end == "SIGTERM" { session.signal(SIGTERM) } else { session.press(end) }
    _ = try session.waitExit()
    expectGivenBack(session)
    #expect(session.screen.cursor.y <= 1, "what comes next is where it would be without the program")
  }

  @Test(
    "A program has the terminal as a shell would give it, and the screen comes back whole",
    arguments: [false, true])
  func passedOver(_ isPainted: Bool) throws {
    let session = try start(["COLORTERM": "truecolor"])
    try session.wait(for: "90x16 trueColor ")
    session.press("p")
    if isPainted { try session.wait("the picture") { $0.grid[88, 14].style.foreground.rgbValue != nil } }
    session.press("h")
    // The cursor is shown, and is where it was before.
    try session.wait("the program") {
      $0.row(0) == "child has it" && !$0.isFullScreen && $0.grid.cursor == Point(0, 1)
    }
    #expect(session.modes == .cooked)
    #expect(!session.screen.reportsMouse)
    session.send("word\n")
    try session.wait(for: "got word")
    session.resize(Size(100, 20))
    session.send("\n")
    try session.wait {
      $0.row(0).hasPrefix("probe 100x20") && $0.contains("end exited(3)") && $0.contains("size 100x20")
    }
    #expect(session.screen.isFullScreen && session.screen.reportsMouse)
    try session.wait("the picture") { $0.grid[80, 5].style.foreground.rgbValue != nil }
    session.press("H")
    try session.wait(for: "end notStarted(")
    session.press("k")
    try session.wait(for: "end signalled(9)")
    session.press("Ctrl-S")
    try session.wait(for: "key Ctrl-S")
  }

  @Test func `Ctrl-C in such a program ends the program only`() throws {
    let session = try start()
    session.press("h")
    try session.wait(for: "child has it")
    session.press("Ctrl-C")
    try session.wait(for: "end signalled(2)")
  }
}
