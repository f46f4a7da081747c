import ClubServices
import Testing

@testable import Screens
@testable import TextUI

@Suite struct FindTests {
  private static let text = (1...60).map { $0 % 20 == 0 ? "the Café at line \($0)\n" : "line \($0)\n" }.joined()

  /// An open note of 60 lines, scrolled to line 30; "cafe" is in lines 20, 40 and 60.
  private func reading(_ size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: ["a.txt"], size: size)
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.txt", Self.text), .read))
    for _ in 0..<29 { robot.press("j") }
    robot.take()
    return robot
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12)])
  func `a slash finds as is typed, tells the place, and Esc goes back`(size: Size) {
    let robot = reading(size)
    let before = Robot(copyOf: robot).screen
    robot.press("/")
    robot.type("cafx")
    #expect(robot.screen.contains("Find: cafx") && robot.screen.contains("not found"))
    robot.press("Backspace")
    robot.type("e")
    #expect(robot.screen.contains("2 of 3") && robot.screen.contains("the Café at line 40"))
    #expect(robot.view == "reader" && robot.take().isEmpty)
    robot.press("Esc")
    #expect(robot.screen == before)
  }

  @Test func `n and N go from place to place, and round at the ends, which is said`() {
    let robot = reading()
    robot.press("/")
    robot.type("CAFÉ")
    robot.press("Enter")
    #expect(robot.screen.contains("2 of 3") && !robot.screen.contains("Find:"))
    robot.press("n")
    #expect(robot.screen.contains("3 of 3") && robot.screen.contains("the Café at line 60") && robot.notice == nil)
    robot.press("n")
    #expect(robot.screen.contains("1 of 3") && robot.notice == "Past the end: on from the top.")
    robot.press("N")
    #expect(robot.screen.contains("3 of 3") && robot.notice == "Past the top: on from the end.")
    robot.press("Esc")
    #expect(robot.view == "reader" && robot.grid.text(ofRow: 2) == " line 30" && !robot.screen.contains("of 3"))
    robot.press("n")
    #expect(robot.notice == "Press / and type what to find first.")
    robot.press("Esc")
    #expect(robot.view.isEmpty)
  }

  @Test func `who scrolls after a find stays there`() {
    let robot = reading()
    robot.press("/")
    robot.type("cafe")
    robot.press("Enter", "g")
    #expect(robot.grid.text(ofRow: 2) == " line 1")
    robot.press("Esc")
    #expect(robot.grid.text(ofRow: 2) == " line 1" && robot.view == "reader")
  }

  @Test func `a search word never runs as commands`() {
    let robot = reading()
    robot.press("/")
    robot.type("conflict")
    robot.press("Enter")
    #expect(robot.view == "reader" && robot.text == nil && robot.take().isEmpty)
  }

  @Test func `find works in versions`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("H")
    robot.happen(.historyListed(Samples.path("a.md"), Samples.versions("a.md")))
    robot.press("Down", "Enter")
    robot.happen(.versionRead(Samples.note("a.md", Self.text, revision: "r2")))
    robot.press("/")
    robot.type("cafe")
    robot.press("Enter", "n")
    #expect(robot.view == "version" && robot.screen.contains("2 of 3"))
    robot.press("Esc")
    #expect(robot.view == "version")
    robot.press("Esc")
    #expect(robot.view == "history")
  }

  @Test func `a long note is looked through between keys`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", String(repeating: "x", count: TextSearch.slice + 9) + "here"), .read))
    robot.take()
    robot.press("/", "h")
    #expect(robot.take() == ["run look on [notes.find]"])
    #expect(robot.screen.contains("looking"))
    robot.happen(.lookedOn)
    #expect(robot.view == "reader" && robot.take().isEmpty && robot.screen.contains("Find: h"))
    #expect(robot.grid.text(ofRow: 21).hasSuffix("1 of 1"))
  }

  @Test func `the first letter of a new search replaces the words of the one before, an arrow goes on with them`() {
    let robot = reading()
    robot.press("/")
    robot.type("cafe")
    robot.press("Enter", "/")
    #expect(robot.screen.contains("Find: cafe") && robot.screen.contains("2 of 3"))
    robot.type("line 7")
    #expect(robot.screen.contains("Find: line 7") && robot.screen.contains("1 of 1"))
    robot.press("Enter", "/", "End", "Backspace")
    robot.type("8")
    #expect(robot.screen.contains("Find: line 8"))
    robot.press("Enter", "/", "Down")
    robot.type("x")
    #expect(robot.screen.contains("Find: line 8x"))
    robot.press("Enter", "/", "Backspace")
    #expect(robot.view == "reader" && !robot.screen.contains("line 8x"))
  }

  @Test(arguments: [false, true])
  func `the second filter of a list is not the first with more letters`(isOfPhotos: Bool) {
    let robot =
      isOfPhotos ? Robot(photos: ["Packing.jpg", "Rules.jpg"]) : Robot(notes: ["Packing.md", "Rules.md"])
    robot.press("/")
    robot.type("Rules")
    robot.press("Enter", "/")
    #expect(robot.screen.contains("Find: Rules") && robot.rows.count == 1)
    robot.type("Packing")
    #expect(robot.screen.contains("Find: Packing") && robot.chosen?.contains("Packing") == true)
    robot.press("Enter", "/", "Left", "Right")
    robot.type(".")
    #expect(robot.screen.contains("Find: Packing.") && robot.rows.count == 1)
  }

  @Test func `a note that changes keeps what is found in it`() {
    let robot = reading()
    robot.press("/")
    robot.type("cafe")
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.txt", Self.text + "cafe\n", revision: "r2"), .reread))
    #expect(robot.screen.contains("of 4"))
  }

  @Test func `keys wait for a note that is being opened, but those that close it`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter")
    robot.take()
    robot.type("n12txzryYD ")
    robot.press("Tab", "Shift-Tab", "F5")
    #expect(robot.view == "opening" && robot.state.tab == .notes && robot.take().isEmpty && robot.notice == nil)
    robot.press("?")
    #expect(robot.state.help != nil)
    robot.press("Esc", ":")
    #expect(robot.state.help == nil && robot.state.line != nil)
    robot.press("Esc")
    #expect(robot.view == "opening" && robot.state.line == nil)
    robot.press("Ctrl-L", "Ctrl-Z")
    #expect(robot.take() == ["redraw", "suspend"])
    robot.press("Esc")
    #expect(robot.view.isEmpty && robot.take() == ["cancel [notes.open]"])
    robot.press("Enter", "q")
    #expect(robot.view.isEmpty)
    robot.press("Enter", "Ctrl-C")
    #expect(robot.view.isEmpty)
  }

  @Test func `a note is edited from the first line in view on, and is read there after the save`() {
    let robot = reading()
    robot.press("i")
    #expect(robot.grid.text(ofRow: 2) == " line 30" && robot.grid.cursor == Point(1, 2))
    robot.type("new ")
    robot.press("Ctrl-Q")
    #expect(robot.view == "reader" && robot.grid.text(ofRow: 2) == " new line 30")
    let renewed = Self.text.replacing("line 30", with: "new line 30")
    robot.happen(.opened(Samples.note("a.txt", renewed, revision: "r2"), .reread))
    #expect(robot.grid.text(ofRow: 2) == " new line 30")
    robot.press("G")
    let top = robot.grid.text(ofRow: 2)
    robot.press("i")
    #expect(robot.grid.text(ofRow: 2) == top && robot.grid.cursor == Point(1, 2))
  }
}
