import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// The search through names and texts, from `:search` to the matching line.
@Suite struct SearchTests {
  private func searching(_ names: [String] = ["a.md", "b.txt", "c.md"], size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: names, size: size)
    robot.press(":")
    robot.type("search old pier")
    robot.press("Enter")
    robot.take()
    return robot
  }

  private func found(_ robot: Robot) {
    let line = FoundFile(Samples.path("b.txt"), line: 40, text: "the Pier is old, says ann", more: 2)
    robot.happen(.files(.found("old pier", [line, FoundFile(Samples.path("c.md"))], total: 3, remark: "")))
  }

  @Test func `a slow search says how much is unread, and one that was stopped says nothing`() {
    let robot = searching()
    robot.happen(.files(.searching("old pier", [], unread: 880, of: 1000)))
    #expect(robot.notice == "Searching for \"old pier\": 880 of 1,000 notes are not searched yet. Esc stops.")
    #expect(robot.rows.count == 3)
    robot.happen(.files(.searching("old pier", [], unread: 1230, of: 1_234_567)))
    #expect(robot.notice == "Searching for \"old pier\": 1,230 of 1,234,567 notes are not searched yet. Esc stops.")
    robot.press("Esc")
    robot.happen(.files(.searching("old pier", [FoundFile(Samples.path("b.txt"))], unread: 870, of: 1000)))
    #expect(robot.notice == "The search has stopped." && robot.rows.count == 3)
  }

  @Test func `hits come to the screen while the search goes on, and leave the selection where it is`() {
    let robot = searching()
    let line = FoundFile(Samples.path("b.txt"), line: 40, text: "the Pier is old, says ann")
    robot.happen(.files(.searching("old pier", [line], unread: 870, of: 1000)))
    #expect(robot.rows == ["b.txt"] && robot.screen.contains("40: the Pier is old"))
    #expect(robot.notice == "Searching for \"old pier\": 1 found, 870 of 1,000 notes are not searched yet. Esc stops.")
    robot.happen(.files(.searching("old pier", [FoundFile(Samples.path("c.md"))], unread: 860, of: 1000)))
    robot.press("j")
    robot.happen(.files(.searching("old pier", [FoundFile(Samples.path("a.md"))], unread: 0, of: 1000)))
    #expect(robot.rows == ["a.md", "b.txt", "c.md"] && robot.chosen == "c.md")
    // The result stands for all that came before: another member has changed a.md meanwhile.
    found(robot)
    #expect(robot.rows == ["b.txt", "c.md"] && robot.chosen == "c.md")
    robot.press("Esc")
    #expect(robot.rows.count == 3)
  }

  @Test func `hits above the first row move the cursor to them while the member has not`() {
    let names = (100...160).map { "n\($0).md" }
    let robot = searching(names)
    for name in names.reversed() {
      let hit = FoundFile(Samples.path(name), line: 1, text: "old pier")
      robot.happen(.files(.searching("old pier", [hit], unread: 9, of: 1000)))
    }
    #expect(robot.chosen == "n100.md" && robot.grid.text(ofRow: 2).hasPrefix(" > n100.md"))
    robot.press("End")
    let hits = names.map { FoundFile(Samples.path($0), line: 1, text: "old pier") }
    robot.happen(.files(.found("old pier", hits, total: 61, remark: "")))
    #expect(robot.chosen == "n160.md")
  }

  @Test(arguments: [
    ("tag:common", "found by its tag"), ("tag:common pier", "found by its name"), ("by:ann", ""), ("-tag:common", ""),
  ])
  func `a hit without a line says what found it`(words: String, reason: String) {
    #expect(FindField.Found(words: words, files: [:]).reason == reason)
    let robot = Robot(notes: ["a.md", "c.md"])
    robot.press(":")
    robot.type("search \(words)")
    robot.press("Enter")
    robot.happen(.files(.found(words, [FoundFile(Samples.path("c.md"))], total: 2, remark: "")))
    #expect(robot.screen.contains("found by") == !reason.isEmpty)
  }

  @Test func `a search that is stopped keeps its hits, and a new one begins without them`() {
    let robot = searching()
    robot.happen(.files(.searching("old pier", [FoundFile(Samples.path("b.txt"))], unread: 870, of: 1000)))
    robot.press("Esc")
    #expect(robot.rows == ["b.txt"] && robot.take().contains("cancel [notes.search]"))
    robot.press(":")
    robot.type("search old pier")
    robot.press("Enter")
    robot.happen(.files(.searching("old pier", [FoundFile(Samples.path("c.md"))], unread: 870, of: 1000)))
    #expect(robot.rows == ["c.md"])
  }

  @Test func `a note that was found by its name alone has the words marked there`() {
    let robot = searching(["old pier.md", "b.txt"])
    robot.happen(.files(.found("old pier", [FoundFile(Samples.path("old pier.md"))], total: 2, remark: "")))
    #expect(robot.grid.text(ofRow: 2).hasPrefix(" > old pier.md"))
    let marked = (0..<40).filter { robot.grid[$0, 2].style.attributes.contains(.underline) }
    #expect(marked == [3, 4, 5, 7, 8, 9, 10])
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12)])
  func `each note that was found has its first line below its name`(size: Size) {
    let robot = searching(size: size)
    found(robot)
    #expect(robot.rows == ["b.txt", "c.md"])
    let top = size.height > 12 ? 2 : 1
    let width = robot.state.paneWidth ?? size.width
    func row(_ y: Int) -> String { String(robot.grid.text(ofRow: top + y).prefix(width)) }
    #expect(row(0).hasPrefix(" > b.txt"))
    #expect(row(1).hasPrefix("     40: the Pier is old, says ann"))
    #expect(row(1).contains("+2"))
    #expect(robot.grid[9, top + 1].style.attributes.contains(.underline) == false)
    #expect(robot.grid[13, top + 1].text == "P" && robot.grid[13, top + 1].style.attributes.contains(.underline))
    #expect(row(2).hasPrefix("   c.md"))
    #expect(row(3).hasPrefix("     found by its name"))
    robot.press("j")
    #expect(row(2).hasPrefix(" > c.md") && robot.chosen == "c.md")
    robot.mouse(.press, 5, top + 1)
    #expect(robot.chosen == "b.txt")
    robot.press("Esc")
    #expect(robot.rows.count == 3 && row(1).hasPrefix(" > b.txt"))
  }

  @Test func `a narrow screen scrolls through what was found two lines at a time`() {
    let names = (1...30).map { "n\($0 + 10).md" }
    let robot = searching(names, size: Size(40, 12))
    let files = names.map { FoundFile(Samples.path($0), line: 1, text: "old pier") }
    robot.happen(.files(.found("old pier", files, total: 30, remark: "")))
    for _ in 0..<29 { robot.press("j") }
    #expect(robot.chosen == "n40.md" && robot.screen.contains(" > n40.md"))
    robot.press("g")
    #expect(robot.grid.text(ofRow: 1).hasPrefix(" > n11.md"))
  }

  @Test(arguments: [Size(80, 24), Size(40, 12)])
  func `Enter opens a note at the line that was found, with the words marked`(size: Size) {
    let robot = searching(size: size)
    found(robot)
    robot.press("Enter")
    #expect(robot.take().last == "run open b.txt to read [notes.open]")
    let lines = (1...60).map { $0 == 40 ? "the Pier is old" : $0 == 50 ? "old" : $0 == 3 ? "a pier" : "line \($0)" }
    robot.happen(.opened(Samples.note("b.txt", lines.joined(separator: "\n")), .read))
    #expect(robot.screen.contains("the Pier is old") && robot.screen.contains("2 of 4"))
    robot.press("n")
    #expect(robot.screen.contains("3 of 4"))
    robot.press("n")
    #expect(robot.screen.contains("4 of 4"))
    robot.press("Esc")
    #expect(robot.view == "reader" && !robot.screen.contains("of 4"))
    robot.press("Esc")
    #expect(robot.view.isEmpty && robot.rows == ["b.txt", "c.md"])
  }

  @Test func `a note that was found by its name alone opens at its beginning, with nothing sought in it`() {
    let robot = searching()
    found(robot)
    robot.press("j", "Enter")
    #expect(robot.take().last == "run open c.md to read [notes.open]")
    robot.happen(.opened(Samples.note("c.md", "a text without these words"), .read))
    #expect(robot.screen.contains("a text without these words") && !robot.screen.contains("not found"))
  }

  @Test func `a search that begins over a note shows its list`() {
    let robot = Robot(notes: ["a.md", "b.txt", "c.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.press(":")
    robot.type("search old pier")
    robot.press("Enter")
    #expect(robot.view.isEmpty)
    found(robot)
    #expect(robot.screen.contains("40: the Pier is old"))
    let photos = Robot(photos: ["a.jpg", "b.jpg"])
    photos.press("Enter", ":")
    photos.type("search b")
    photos.press("Enter")
    let match = FoundFile(Samples.path("photos/b.jpg"), line: 1, text: "a pier")
    photos.happen(.photos(.files(.found("b", [match], total: 2, remark: ""))))
    #expect(photos.view.isEmpty && photos.rows == ["b.jpg"] && photos.screen.contains("a pier"))
  }

  @Test func `what a search marks stays marked when the note changes`() {
    let robot = searching()
    found(robot)
    robot.press("Enter")
    robot.happen(.opened(Samples.note("b.txt", "old\npier\n"), .read))
    robot.happen(.opened(Samples.note("b.txt", "new\nold\npier\npier\n", revision: "r2"), .reread))
    #expect(robot.screen.contains("of 3"))
  }
}
