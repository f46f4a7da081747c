import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct FormTests {
  private func form() -> Robot {
    let robot = Robot(notes: ["a.md"])
    robot.press("n")
    return robot
  }

  @Test(arguments: ["n", "+"])
  func `a new note has two fields, the name first`(key: String) {
    let robot = Robot(notes: [])
    robot.press(key)
    #expect(robot.view == "form")
    #expect(robot.grid.cursor?.y == 2)
    #expect(robot.screen.contains("title"))
  }

  @Test func `Tab goes from name to text and back, Enter from the name to the text`() {
    let robot = form()
    robot.type("For Ray")
    robot.press("Tab")
    robot.type("line 1\nline 2")
    robot.press("Shift-Tab")
    robot.type("!")
    robot.press("Enter")
    robot.press("Ctrl-E")
    robot.type(".")
    #expect(robot.text == "line 1\nline 2.")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take() == ["run create For Ray!: \"line 1\nline 2.\" draft 1"])
  }

  @Test func `the draft begins with the first character of either field`() {
    let robot = form()
    robot.type("ab")
    robot.press("Tab")
    robot.type("x")
    #expect(
      robot.take() == [
        "post begin draft 1 of new \"a\" over nothing: \"\"", "post retitle 1 \"ab\"", "post edits 1 0-0+\"x\"",
      ])
  }

  @Test func `a name is needed, and said to be`() {
    let robot = form()
    robot.press("Tab")
    robot.type("---\n")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take().isEmpty)
    #expect(robot.view == "form" && robot.text == "---\n")
    #expect(robot.notice == "The note needs a name. Type it in the first field.")
    #expect(robot.grid.cursor?.y == 2)
  }

  @Test func `a note without a typed name takes its first line's, which is shown while it is written`() {
    let robot = form()
    robot.press("Tab")
    robot.type("# The *garage* wall\n\nIt is curved.")
    #expect(robot.screen.contains("Name The garage wall.md"))
    robot.take()
    robot.press("Ctrl-Q")
    #expect(
      robot.take() == [
        "post retitle 1 \"The garage wall.md\"",
        "run create The garage wall.md: \"# The *garage* wall\n\nIt is curved.\" draft 1",
      ])
  }

  @Test func `a first line whose name is taken gets a number`() {
    let robot = Robot(notes: ["a.md", "plan.md", "plan (2).md"])
    robot.press("n", "Tab")
    robot.type("plan")
    robot.press("Ctrl-S")
    #expect(robot.notice == "Saving \"plan (3).md\".")
  }

  @Test func `Done twice saves once`() {
    let robot = form()
    robot.type("name")
    robot.press("Ctrl-Q")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take().isEmpty)
  }

  @Test func `a failure keeps the form and its text, and Done works again`() {
    let robot = form()
    robot.type("a")
    robot.press("Tab")
    robot.type("text")
    robot.press("Ctrl-Q")
    robot.happen(
      .failed(
        .create(name: "a", text: [], session: 1),
        StoreError(.exists, "There is a note \"a.md\" already.", remedy: "Choose another name.")))
    #expect(robot.view == "form" && robot.text == "text")
    #expect(robot.notice == "\"a\" was not saved. There is a note \"a.md\" already. Choose another name.")
    robot.press("Tab")
    robot.type("2")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take() == ["run create a2: \"text\" draft 1"])
  }

  @Test func `success closes the form and chooses the new note`() {
    let robot = form()
    robot.type("b")
    robot.press("Ctrl-Q")
    robot.happen(.saved(nil, .saved(Samples.entry("b.md", size: 0)), session: 1))
    #expect(robot.view.isEmpty)
    #expect(robot.rows == ["a.md", "b.md"] && robot.chosen == "b.md")
    #expect(robot.notice == "Saved \"b.md\".")
  }

  @Test(arguments: ["Esc", "Ctrl-C"])
  func `Cancel closes an empty form and asks when something was typed`(key: String) {
    let robot = form()
    robot.press(key)
    #expect(robot.view.isEmpty)
    robot.press("n")
    robot.type("x")
    robot.press(key)
    #expect(robot.question == "Discard the text? It stays in :waiting for a week.")
    robot.press("n")
    #expect(robot.view == "form")
    robot.press(key, "y")
    #expect(robot.view.isEmpty)
    #expect(robot.take().last == "run drop draft 2")
  }

  @Test func `what is typed in a narrow form is wrapped and the cursor is in it`() {
    let robot = Robot(notes: [], size: Size(40, 12))
    robot.press("n")
    robot.type("x")
    robot.press("Tab")
    robot.type(String(repeating: "word ", count: 60) + "end")
    #expect(robot.screen.contains("end"))
    #expect(robot.grid.cursor != nil)
  }

  @Test func `rename begins with the name and asks for the new one`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("R")
    #expect(robot.screen.contains("New name: a.md"))
    robot.press("Ctrl-A")
    robot.type("z")
    robot.press("Enter")
    #expect(robot.take() == ["run rename a.md to za.md"])
    robot.happen(.renamed(from: Samples.path("a.md"), Samples.entry("za.md")))
    #expect(robot.rows == ["b.md", "za.md"] && robot.chosen == "za.md")
    #expect(robot.notice == "Renamed \"a.md\" to \"za.md\". z undoes.")
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run rename back za.md to a.md"])
    robot.happen(.undone(.rename(Samples.path("za.md"), to: "a.md"), Samples.entry("a.md")))
    #expect(robot.rows == ["a.md", "b.md"] && robot.notice == "Renamed \"za.md\" back to \"a.md\".")
    robot.press("z")
    #expect(robot.notice == "Nothing to undo.")
  }

  @Test func `rename to the same name and Esc and Ctrl-C do nothing`() {
    for robot in [Robot(notes: ["a.md"]), Robot(photos: ["a.jpg"])] {
      robot.press("R", "Enter")
      #expect(robot.view.isEmpty)
      robot.press("R")
      robot.type("x")
      robot.press("Esc")
      #expect(robot.view.isEmpty)
      robot.press("R", "Ctrl-C")
      #expect(robot.view.isEmpty && robot.question == nil)
      #expect(robot.take().isEmpty)
    }
  }

  @Test func `the trash asks, and z takes back`() {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"])
    robot.press("j", "D")
    #expect(robot.question == "Move \"b.md\" to the trash?")
    #expect(robot.footer == " y yes   n no")
    robot.take()
    robot.press("n")
    #expect(robot.take().isEmpty)
    robot.press("D", "y")
    #expect(robot.take() == ["run trash b.md"])
    robot.happen(.trashed([Samples.trashed("b.md")]))
    #expect(robot.rows == ["a.md", "c.md"] && robot.chosen == "c.md")
    #expect(robot.notice == "Moved \"b.md\" to the trash. z undoes.")
    robot.press("z")
    #expect(robot.take().contains("run restore t1"))
    robot.happen(.undone(.restore([Samples.trashed("b.md")]), Samples.entry("b.md")))
    #expect(robot.rows == ["a.md", "b.md", "c.md"] && robot.chosen == "b.md")
  }

  @Test func `photos are renamed, trashed and taken back as notes are`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("D", "y")
    #expect(robot.take() == ["run trash photos/a.jpg"])
    robot.happen(photos: .trashed([Samples.trashed("photos/a.jpg")]))
    #expect(robot.rows == ["b.jpg"])
    robot.press("z")
    #expect(robot.take().last == "run restore t1")
    robot.press("R", "Ctrl-A")
    robot.type("x")
    robot.press("Enter")
    #expect(robot.take() == ["run rename photos/b.jpg to xb.jpg"])
  }
}
