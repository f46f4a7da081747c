import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// The editor's menu of insertions, and pasted pictures.
@Suite struct InsertTests {
  private func editor(_ text: String = "one ", name: String = "a.md") -> Robot {
    let robot = Robot(notes: Set([name, "packing list.md", "trips/oslo.md"]).sorted())
    robot.happen(.photos(.listed(Samples.table(["pier.jpg", "oslo/roof (2).jpg"], folder: "photos"))))
    robot.happen(.writingAsked(Samples.path(name)))
    robot.happen(.opened(Samples.note(name, text), .write))
    robot.press("Ctrl-E")
    robot.take()
    return robot
  }

  private func insert(_ robot: Robot, _ words: String) {
    robot.press("Alt-i")
    robot.type(words)
    robot.press("Enter")
  }

  @Test func `the menu lists the insertions, and Esc leads back to the text`() {
    let robot = editor()
    robot.press("Alt-i")
    #expect(robot.view == "choice" && robot.screen.contains("picture of the club") && robot.screen.contains("table"))
    robot.press("Esc")
    #expect(robot.view == "editor" && robot.text == "one ")
  }

  @Test(arguments: [
    ("one ", "a.md", "pier", "one ![pier](photos/pier.jpg)"),
    ("[[b]] ", "a.md", "pier", "[[b]] ![[pier.jpg]]"),
    ("one ", "trips/oslo.md", "roof", "one ![roof (2)](../photos/oslo/roof%20%282%29.jpg)"),
  ])
  func `a picture of the club is linked in the style of the note`(
    before: String, name: String, words: String, after: String
  ) {
    let robot = editor(before, name: name)
    insert(robot, "club")
    #expect(robot.view == "choice")
    robot.type(words)
    robot.press("Enter")
    #expect(robot.view == "editor" && robot.text == after)
    robot.press("Ctrl-_")
    #expect(robot.text == before)
  }

  @Test(arguments: [
    ("one ", "a.md", "oslo", "one [oslo](trips/oslo.md)"), ("[[b]] ", "a.md", "oslo", "[[b]] [[oslo]]"),
    ("one ", "trips/oslo.md", "pack", "one [packing list](../packing%20list.md)"),
  ])
  func `a link to a note is written`(before: String, name: String, words: String, after: String) {
    let robot = editor(before, name: name)
    insert(robot, "link")
    robot.type(words)
    robot.press("Enter")
    #expect(robot.text == after)
  }

  @Test func `today's date is the member's`() {
    let robot = editor()
    insert(robot, "date")
    #expect(robot.take() == ["run read the template none [notes.template]"])
    robot.happen(
      .templateRead(nil, NoteTemplate([], at: Timestamp(seconds: 1_795_996_770), offset: 3600, member: "ann")))
    #expect(robot.text == "one 2026-11-30")
  }

  @Test(arguments: [
    ("2x1", "|   |   |\n| - | - |\n|   |   |\n"), ("1 X 2", "|   |\n| - |\n|   |\n|   |\n"),
  ])
  func `a table has the columns and rows that are asked`(size: String, table: String) {
    let robot = editor("")
    insert(robot, "table")
    robot.type(size)
    #expect(robot.screen.contains(" column"))
    robot.press("Enter")
    #expect(robot.text == table)
  }

  @Test(arguments: ["0 x 3", "51 x 2", "3", "a x b", "1 x 2 x 3", "99999999999999999999 x 1"])
  func `a table of no size is refused`(size: String) {
    #expect(NoteLink.tableSize(size) == nil)
  }

  @Test func `a picture of this machine is uploaded before its link is written`() {
    let robot = editor()
    insert(robot, "machine")
    #expect(robot.view == "picture" && robot.take() == ["run complete \"\" for a note [notes.path]"])
    robot.paste("/home/ray/Pictures/roof.jpg")
    robot.press("Enter")
    #expect(robot.view == "picture", "the key waits for the completion")
    let path = "/home/ray/Pictures/roof.jpg"
    robot.happen(
      .picture(
        .completed(
          path,
          PathCompletion(
            choices: [.init(path: path, isDirectory: false)], common: path, meaning: .files([path])))))
    #expect(robot.view == "editor" && robot.takeRuns().last == "run upload \(path) for a note")
    #expect(robot.text == "one ")
    robot.happen(.picture(.began(path, local: path)))
    robot.happen(transfers: .appeared(Samples.transfer("t1", "roof.jpg")))
    robot.type("and ")
    robot.happen(transfers: .finished(Samples.done("t1", "roof.jpg")))
    #expect(robot.text == "one and ![roof](photos/roof.jpg)")
  }

  @Test func `the link of an upload also comes after a save, and not into another note`() {
    for isOpen in [true, false] {
      let robot = editor()
      robot.happen(.picture(.confirmed("/p/roof.jpg", pasted: [])))
      robot.type("x")
      robot.press(isOpen ? "Ctrl-S" : "Ctrl-Q")
      robot.happen(.picture(.ready("/p/roof.jpg", Samples.path("photos/roof.jpg"))))
      if isOpen {
        #expect(robot.text == "one x![roof](photos/roof.jpg)")
      } else {
        #expect(robot.notice?.contains("no link was written") == true)
      }
    }
  }

  @Test func `an upload that fails says why, and another can follow`() {
    let robot = editor()
    robot.happen(.picture(.confirmed("/p/roof.jpg", pasted: [])))
    robot.happen(.picture(.ended("/p/roof.jpg", StoreError(.unsupported, "It is no picture."))))
    #expect(robot.notice == "\"/p/roof.jpg\" was not uploaded. It is no picture." && robot.text == "one ")
    robot.take()
    robot.happen(.picture(.confirmed("/p/pier.jpg", pasted: [])))
    #expect(robot.take() == ["run upload /p/pier.jpg for a note"])
  }

  @Test(arguments: [
    ("insert", "choice"), ("insert  table", "choice"), ("insert upload", "picture"), ("insert x", "editor"),
  ])
  func `with vi's keys a command inserts`(command: String, view: String) {
    let robot = Robot(notes: ["a.md"], editorKeys: .vi)
    robot.happen(.writingAsked(Samples.path("a.md")))
    robot.happen(.opened(Samples.note("a.md", "one"), .write))
    robot.type(":\(command)\n")
    #expect(robot.view == view)
    if view == "editor" { #expect(robot.notice == "byteclub can insert: picture, upload, note, date, table.") }
  }

  // MARK: - Pasted paths

  @Test(arguments: [
    ("/home/ray/roof.jpg", "/home/ray/roof.jpg"), ("'/home/ray/my roof.jpg'", "/home/ray/my roof.jpg"),
    ("\"/a b.png\" ", "/a b.png"), ("/home/ray/my\\ roof.jpg", "/home/ray/my roof.jpg"),
    ("file:///home/ray/my%20roof.jpg", "/home/ray/my roof.jpg"), ("~/roof.webp", "~/roof.webp"),
  ])
  func `a path of a picture is known in every way that terminals write it`(pasted: String, path: String) {
    #expect(TypedPaths.picture(pasted: pasted) == path)
  }

  @Test(arguments: [
    "roof.jpg", "/home/ray/notes.txt", "see /home/ray/roof.jpg", "/a.jpg /b.jpg", "", "/", "https://a/b.jpg",
  ])
  func `other texts are text`(pasted: String) {
    #expect(TypedPaths.picture(pasted: pasted) == nil)
  }

  @Test func `a pasted picture is offered for upload, and replaces its path`() {
    let robot = editor()
    robot.paste("/p/roof.jpg")
    #expect(robot.text == "one /p/roof.jpg" && robot.question == nil)
    #expect(robot.takeRuns().contains("run look for \"/p/roof.jpg\" [notes.pasted]"))
    robot.happen(.picture(.found("/p/roof.jpg", pasted: Array("/p/roof.jpg".utf8))))
    #expect(robot.question == "Upload \"roof.jpg\" and show it here?")
    robot.press("y")
    #expect(robot.text == "one " && robot.takeRuns() == ["run upload /p/roof.jpg for a note"])
    robot.happen(.picture(.ready("/p/roof.jpg", Samples.path("photos/roof.jpg"))))
    #expect(robot.text == "one ![roof](photos/roof.jpg)")
  }

  @Test func `no keeps the pasted path`() {
    let robot = editor()
    robot.paste("/p/roof.jpg")
    robot.happen(.picture(.found("/p/roof.jpg", pasted: Array("/p/roof.jpg".utf8))))
    robot.press("n")
    #expect(robot.text == "one /p/roof.jpg" && robot.question == nil)
  }

  @Test func `text that was typed behind a pasted path stays`() {
    let robot = editor()
    robot.paste("/p/roof.jpg")
    robot.type(" x")
    robot.happen(.picture(.found("/p/roof.jpg", pasted: Array("/p/roof.jpg".utf8))))
    #expect(robot.question == nil, "the next letters are text")
    #expect(robot.text == "one /p/roof.jpg x")
  }

  @Test func `a link also comes while the next insertion is chosen`() {
    let robot = editor()
    robot.happen(.picture(.confirmed("/p/roof.jpg", pasted: [])))
    robot.press("Alt-i")
    robot.happen(.picture(.ready("/p/roof.jpg", Samples.path("photos/roof.jpg"))))
    #expect(robot.view == "choice")
    robot.press("Esc")
    #expect(robot.text == "one ![roof](photos/roof.jpg)")
  }
}
