import FileStores
import Testing
import TextUI
import Transfers

@testable import Screens

@Suite struct FrameTests {
  @Test func `an error stays until a key is pressed`() {
    let robot = Robot(notes: ["a"])
    robot.happen(.warned("It did not work."))
    robot.happen(.detailed([Samples.entry("a")]))
    robot.resize(100, 30)
    #expect(robot.screen.contains("! It did not work."))
    robot.press("F5")
    #expect(!robot.screen.contains("It did not work."))
  }

  @Test func `Esc never quits, whatever is on the screen`() {
    for robot in scenes() {
      for _ in 0..<20 { robot.press("Esc") }
      #expect(!robot.take().contains("quit"))
    }
  }

  @Test func `q closes a view, and quits on a tab`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "t"), .read))
    robot.press("q")
    #expect(robot.view.isEmpty && !robot.take().contains("quit"))
    robot.press("q")
    #expect(robot.take() == ["quit"])
    let photos = Robot(photos: ["a.jpg"])
    photos.press("Enter", "q")
    #expect(photos.view.isEmpty && !photos.take().contains("quit"))
    photos.press("q")
    #expect(photos.take() == ["quit"])
  }

  @Test func `Ctrl-C on a tab asks`() {
    let robot = Robot(notes: ["a"])
    robot.press("Ctrl-C")
    #expect(robot.question == "Quit byteclub?")
    robot.press("n")
    #expect(robot.take().isEmpty)
    robot.press("Ctrl-C", "y")
    #expect(robot.take() == ["quit"])
  }

  @Test func `the program is ended when it is told to`() {
    for robot in scenes() {
      robot.take()
      robot.send(.terminate)
      #expect(robot.take() == ["quit"])
    }
  }

  @Test func `a click on a tab shows it, and not while a text is typed`() {
    let robot = Robot(notes: ["a"])
    let column = Array(robot.grid.text(ofRow: 0)).firstIndex(of: "2") ?? 0
    robot.mouse(.press, column, 0)
    #expect(robot.state.tab == .photos)
    robot.press("1", "n")
    robot.mouse(.press, column, 0)
    #expect(robot.state.tab == .notes && robot.view == "form")
  }

  @Test func `a click on a tab works while a note is read`() {
    let robot = Robot(notes: ["a.md"])
    let column = Array(robot.grid.text(ofRow: 0)).firstIndex(of: "2") ?? 0
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.mouse(.press, column, 0)
    #expect(robot.state.tab == .photos)
    robot.mouse(.press, (Array(robot.grid.text(ofRow: 0)).firstIndex(of: "1") ?? 0), 0)
    #expect(robot.state.tab == .notes && robot.view == "reader")
  }

  @Test func `a click on a key of the footer presses it`() throws {
    let robot = Robot(notes: ["a.md", "b.md"])
    func click(_ word: String) throws {
      let footer = robot.footer
      let start = try #require(footer.firstRange(of: word)?.lowerBound)
      robot.mouse(.press, footer.distance(from: footer.startIndex, to: start), robot.state.frame.size.height - 1)
    }
    try click("n new")
    #expect(robot.view == "form")
    try click("Esc")
    #expect(robot.view == "")
    try click("open")
    #expect(robot.view == "opening")
    robot.press("Esc", "D")
    robot.mouse(.press, 2, robot.state.frame.size.height - 1)
    #expect(robot.question != nil, "the answers of a question are not clicked")
  }

  @Test func `a click chooses a row, a second one opens it`() {
    let robot = Robot(notes: Samples.names(100))
    robot.mouse(.press, 5, 5)
    #expect(robot.chosen == "note-003.md" && robot.view.isEmpty)
    robot.mouse(.release, 5, 5)
    robot.mouse(.press, 5, 5)
    #expect(robot.view == "opening")
  }

  @Test func `the wheel scrolls lists and texts`() {
    let robot = Robot(notes: Samples.names(100).map { $0.replacing(".md", with: ".txt") })
    robot.mouse(.wheelDown, 5, 5)
    #expect(robot.grid.text(ofRow: 2).contains("note-003.txt"))
    robot.mouse(.wheelUp, 5, 5)
    #expect(robot.grid.text(ofRow: 2).contains("note-000.txt"))
    robot.press("Enter")
    let text = (0..<99).map { "line \($0)\n" }.joined()
    robot.happen(.opened(Samples.note(robot.chosen ?? "", text), .read))
    robot.mouse(.wheelDown, 5, 5)
    #expect(robot.grid.text(ofRow: 2) == " line 3")
    robot.press("i")
    robot.mouse(.press, 3, 4)
    #expect(robot.grid.cursor == Point(3, 4))
  }

  @Test func `the wheel scrolls the help, the history, a version and both texts of a conflict`() {
    let help = Robot(notes: ["a"])
    help.press("?")
    let before = help.screen
    help.mouse(.wheelDown, 5, 5)
    #expect(help.screen != before && help.state.help != nil)
    help.mouse(.wheelUp, 5, 5)
    #expect(help.screen == before)
    for scene in [Scene.history, .version, .conflict] {
      let robot = scene.robot(Size(40, 12), text: Array((0..<99).map { "line \($0)\n" }.joined().utf8))
      if scene == .history {
        let path = robot.state.notes.files.selected ?? Samples.path("a")
        robot.happen(.historyListed(path, (0..<50).map { Samples.entry(path, ago: 60 * $0, revision: "\($0)") }))
      }
      let before = robot.screen
      robot.mouse(.wheelDown, 5, 5)
      #expect(robot.screen != before, "\(scene)")
    }
  }

  @Test func `a key that means nothing says so once`() {
    let robot = Robot(notes: ["a", "b"])
    robot.press("E")
    #expect(robot.notice == "E does nothing here. ? shows the keys.")
    robot.press("E")
    #expect(robot.notice == nil)
    robot.press("F5")
    #expect(robot.notice == "F5 does nothing here. ? shows the keys.")
    robot.press("D", "E")
    #expect(robot.notice == nil && robot.question != nil)
  }

  @Test func `on a narrow screen a notice is whole, too`() {
    let robot = Robot(notes: ["a.md"], size: Size(40, 12))
    robot.happen(.files(.reported("No connection: \"a.md\" as it was before we all went to the pier.")))
    #expect(robot.grid.text(ofRow: 9).hasPrefix(" No connection: "))
    #expect(robot.grid.text(ofRow: 10).hasSuffix("to the pier."))
  }

  @Test(arguments: [Scene.editor, .form])
  func `F1 shows the help over a text that is typed, and Esc leads back to it`(scene: Scene) {
    let robot = scene.robot()
    let (view, text, before) = (robot.view, robot.text, robot.screen)
    robot.take()
    #expect(robot.footer.contains("F1 help"))
    robot.press("F1")
    #expect(robot.grid.text(ofRow: 3).contains(scene == .editor ? "Editor" : "New note"))
    #expect(robot.footer.contains("PgUp/PgDn"))
    robot.press("PgDn", "Ctrl-F", "Ctrl-B", "j", "Esc", "Esc")
    #expect(robot.view == view && robot.text == text && robot.screen == before && robot.take().isEmpty)
    robot.press("F1")
    robot.paste("pasted")
    #expect(robot.state.help == nil && robot.text?.contains("pasted") == true)
  }

  @Test(arguments: [
    (Scene.reader, "Reading a note"), (.notes, "Notes"), (.photos, "PanoPhotos"), (.viewer, "Photo viewer"),
  ])
  func `the help begins with the keys of what is seen`(scene: Scene, title: String) {
    let robot = scene.robot(Size(40, 12))
    robot.press("?")
    #expect(robot.grid.text(ofRow: 3).contains(title))
    #expect(robot.footer.contains("Enter run") && robot.footer.contains("Esc back"))
  }

  @Test func `clicks beside rows, on the last lines and during a question do nothing`() {
    let robot = Robot(notes: ["a", "b"])
    robot.press("D")
    for y in 1..<24 { robot.mouse(.press, 5, y) }
    robot.press("Esc")
    for y in 5..<23 { robot.mouse(.press, 5, y) }
    #expect(robot.chosen == "a" && robot.view.isEmpty && robot.take().isEmpty)
  }

  @Test(arguments: [Size(39, 12), Size(40, 11), Size(10, 24), Size(120, 5)])
  func `a terminal that is too small says so until it grows`(size: Size) {
    let robot = Robot(notes: ["a.md"], size: size)
    #expect(robot.screen.hasPrefix("terminal too small".prefix(size.width > 18 ? 18 : size.width - 1)))
    #expect(!robot.screen.contains("a.md"))
    robot.resize(40, 12)
    #expect(robot.screen.contains("a.md"))
  }

  @Test func `no scene breaks at any small size`() {
    for robot in scenes() {
      for width in [0, 1, 2, 3, 6, 10, 39, 40, 41, 200] {
        for height in [0, 1, 2, 3, 11, 12, 13, 60] {
          robot.resize(width, height)
          #expect(robot.grid.size == Size(width, height))
        }
      }
      for key in ["Down", "PgDn", "End", "Up", "x", "Esc"] { robot.press(key) }
      robot.resize(0, 0)
      for key in ["Down", "PgDn", "End", "Up", "Enter", "x", "Esc"] { robot.press(key) }
      robot.resize(80, 24)
      #expect(robot.grid.text(ofRow: 0).contains("Byte Club"))
    }
  }

  private func scenes() -> [Robot] { Scene.allCases.map { $0.robot() } }
}
