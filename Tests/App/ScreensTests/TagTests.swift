import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// The way from a tag to the list of its notes, and back.
@Suite struct TagTests {
  private static let text =
    String(repeating: "word\n\n", count: 40) + "about #piers\n\n" + String(repeating: "x\n\n", count: 40)

  /// A note with a tag, in focus and scrolled to.
  private func reading(_ size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"], size: size)
    robot.press("Down", "Up", "Enter")
    robot.happen(.opened(Samples.note("a.md", Self.text), .read))
    robot.press("Tab")
    robot.take()
    return robot
  }

  private func body(_ robot: Robot) -> [String] { (1..<22).map { robot.grid.text(ofRow: $0) } }

  private func find(_ robot: Robot, _ words: String = "tag:piers", in names: [String] = ["a.md", "c.md"]) {
    let files = names.map { FoundFile(Samples.path($0), line: 81, text: "about #piers") }
    robot.happen(.files(.found(words, files, total: 3, remark: "")))
  }

  /// Opens the selected note, and closes the search in it.
  private func open(_ robot: Robot, _ name: String, _ text: String) {
    robot.press("Enter")
    robot.happen(.opened(Samples.note(name, text), .read))
    robot.press("Esc")
  }

  @Test func `Backspace leads from the list of a tag back to the note, at the same place, and the list is whole again`()
  {
    let robot = reading()
    let before = body(robot)
    robot.press("Enter")
    #expect(robot.view.isEmpty && robot.take().contains("run search tag:piers [notes.search]"))
    #expect(robot.notice?.hasSuffix("Esc stops. Backspace leads back to \"a.md\".") == true)
    find(robot)
    #expect(robot.rows == ["a.md", "c.md"] && robot.footer.hasPrefix(" Backspace to the note"))
    #expect(robot.notice?.hasSuffix("Esc shows all. Backspace leads back to \"a.md\".") == true)
    robot.press("Down", "Backspace")
    #expect(robot.view == "reader" && body(robot) == before)
    #expect(robot.take().last == "run open a.md to reread [notes.open]")
    robot.press("Esc")
    #expect(robot.view.isEmpty && robot.rows == ["a.md", "b.md", "c.md"] && robot.chosen == "a.md")
    #expect(!robot.footer.contains("to the note"))
    robot.press("Backspace")
    #expect(robot.notice == "No tag led here." && robot.view.isEmpty)
  }

  @Test func `while the tag is looked for, Backspace stops the search and leads back`() {
    let robot = reading()
    robot.press("Enter")
    robot.take()
    robot.press("Backspace")
    #expect(robot.view == "reader")
    #expect(robot.take().suffix(2) == ["cancel [notes.search]", "run open a.md to reread [notes.open]"])
    find(robot)
    robot.press("Esc")
    #expect(robot.rows.count == 3, "the late result changes nothing")
  }

  @Test(arguments: [true, false])
  func `Esc clears the filter and ends the way back`(isFound: Bool) {
    let robot = reading()
    robot.press("Enter")
    if isFound { find(robot) }
    robot.press("Esc")
    #expect(robot.view.isEmpty && robot.rows.count == 3)
    robot.press("Backspace")
    #expect(robot.notice == "No tag led here." && robot.view.isEmpty)
  }

  @Test func `an earlier filter comes back with the note`() {
    let robot = Robot(notes: ["a.md", "b.md", "c.txt"])
    robot.press("/")
    robot.type("md")
    robot.press("Enter", "Down", "Enter")
    robot.happen(.opened(Samples.note("b.md", "about #piers"), .read))
    robot.press("Tab", "Enter")
    find(robot, in: ["c.txt"])
    #expect(robot.rows == ["c.txt"])
    robot.press("Backspace", "Esc")
    #expect(robot.rows == ["a.md", "b.md"] && robot.chosen == "b.md" && robot.screen.contains("filter: md"))
  }

  @Test func `Backspace leads back step by step through lists and notes`() {
    let robot = reading()
    robot.press("Enter")
    find(robot)
    robot.press("End")
    open(robot, "c.md", "see #boats")
    robot.press("Esc")
    #expect(robot.view.isEmpty && robot.rows == ["a.md", "c.md"])
    open(robot, "c.md", "see #boats")
    robot.press("Tab", "Enter")
    find(robot, "tag:boats", in: ["b.md"])
    #expect(robot.rows == ["b.md"])
    var places: [String] = []
    for _ in 0..<3 {
      robot.press("Backspace")
      places.append(robot.view.isEmpty ? "\(robot.rows)" : "\(robot.state.notes.reader?.note.entry.path ?? .root)")
    }
    #expect(places == ["c.md", "[\"a.md\", \"c.md\"]", "a.md"])
  }

  @Test func `a search that fails leads back to the note, and says why`() {
    let robot = reading()
    let before = body(robot)
    robot.press("Enter")
    robot.happen(.files(.failed(.search("tag:piers"), StoreError(.offline, "The store is away."))))
    #expect(robot.view == "reader" && body(robot) == before)
    #expect(robot.notice?.hasPrefix("byteclub could not search the notes. The store is away.") == true)
  }

  @Test func `another search ends the way back`() {
    let robot = reading()
    robot.press("Enter")
    find(robot)
    robot.press(":")
    robot.type("search boats")
    robot.press("Enter")
    find(robot, "boats", in: ["b.md"])
    robot.press("Backspace")
    #expect(robot.view.isEmpty && robot.notice == "No tag led here.")
  }

  @Test func `the way back knows a note that was renamed, and forgets one in the trash`() {
    let robot = reading()
    robot.press("Enter")
    find(robot)
    robot.happen(.renamed(from: Samples.path("a.md"), Samples.entry("z.md")))
    robot.take()
    robot.press("Backspace")
    #expect(robot.take().last == "run open z.md to reread [notes.open]")
    let other = reading()
    other.press("Enter")
    find(other)
    other.happen(.trashed([Samples.trashed("a.md")]))
    other.press("Backspace")
    #expect(other.view.isEmpty && other.notice == "No tag led here.")
  }

  @Test func `the way back through tags has an end, and a new size reaches the note`() {
    let robot = reading()
    for _ in 0..<40 {
      robot.press("Enter")
      find(robot)
      robot.press("Home")
      open(robot, "a.md", "see #piers")
      robot.press("Tab")
    }
    #expect(robot.state.notes.tagSteps.count == 24)
    robot.press("Enter")
    robot.resize(40, 12)
    robot.press("Backspace")
    #expect(robot.state.notes.reader?.size == robot.state.frame.viewSize)
  }
}
