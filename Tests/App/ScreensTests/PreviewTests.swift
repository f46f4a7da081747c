import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// The second pane, and the preview in it.
@Suite struct PreviewTests {
  private static func wide(_ notes: [String] = ["a.md", "b.md", "c.md"], size: Size = Size(120, 40)) -> Robot {
    Robot(notes: notes, size: size)
  }

  private static func content(_ lines: String...) -> PreviewContent {
    PreviewContent(lines: lines.map { PreviewLine($0) })
  }

  private static func answer(_ robot: Robot, _ lines: String...) throws {
    let request = try #require(robot.state.preview.request)
    robot.happen(.preview(.shown(request, PreviewContent(lines: lines.map { PreviewLine($0) }))))
  }

  @Test(arguments: [(99, nil), (100, 40), (120, 48), (200, 60)] as [(Int, Int?)])
  func `the list has a second pane from 100 columns on`(width: Int, list: Int?) {
    let robot = Self.wide(size: Size(width, 30))
    #expect(robot.state.paneWidth == list)
    #expect((robot.state.preview.request != nil) == (list != nil))
    if let list { #expect((1..<20).allSatisfy { robot.grid[list, $0].text == "│" }) }
  }

  @Test(arguments: [false, true]) func `a Markdown note is rendered beside the list`(isASCII: Bool) throws {
    let robot = Self.wide(["challenge.md"])
    var request = try #require(robot.state.preview.request)
    request.isASCII = isASCII
    let note = Array("# Challenge\n\nWalk to the **harbour**.\n\n- [ ] walked\n- [x] packed\u{1B}[31m\n".utf8)
    robot.happen(.preview(.shown(request, PreviewContent(lines: PreviewPerformer.rendered(note, request)))))
    #expect(robot.screen.contains("Walk to the harbour.") && !robot.screen.contains("# Challenge"))
    #expect(robot.screen.contains(isASCII ? "[x] packed^[[31m" : "\u{2611} packed^[[31m"))
    let row = try #require((0..<40).first { robot.grid.text(ofRow: $0).contains("harbour") })
    let letters = Array(robot.grid.text(ofRow: row))
    let column = try #require((0..<letters.count).first { letters[$0...].starts(with: "harbour") })
    #expect(robot.grid[column, row].style.attributes.contains(.bold))
  }

  @Test func `the preview follows the selection, and a newer request replaces an older one`() throws {
    let robot = Robot(Size(120, 40))
    robot.happen(.listed(Samples.table(["a.md", "b.md"])))
    #expect(robot.take().contains("run preview a.md [club.preview]"))
    try Self.answer(robot, "first line of a")
    #expect(robot.screen.contains("first line of a"))
    robot.press("j")
    #expect(robot.take().last == "run preview b.md [club.preview]")
    try Self.answer(robot, "text of b")
    #expect(robot.screen.contains("text of b") && !robot.screen.contains("first line of a"))
    robot.press("j")
    #expect(!robot.take().contains { $0.hasPrefix("run preview") })
  }

  @Test func `a late answer for another file is dropped`() throws {
    let robot = Self.wide()
    let late = try #require(robot.state.preview.request)
    robot.press("j")
    robot.happen(.preview(.shown(late, Self.content("of a"))))
    #expect(!robot.screen.contains("of a"))
  }

  @Test func `an answer that takes long leaves a quiet placeholder`() throws {
    let robot = Self.wide()
    try Self.answer(robot, "text of a")
    robot.press("j")
    #expect(robot.screen.contains("text of a"))
    robot.happen(.preview(.delayed(try #require(robot.state.preview.request))))
    #expect(!robot.screen.contains("text of a") && robot.screen.contains("Loading."))
    try Self.answer(robot, "text of b")
    #expect(robot.screen.contains("text of b") && !robot.screen.contains("Loading."))
  }

  @Test func `a changed file is previewed anew, and one whose size becomes known is not`() {
    let robot = Self.wide()
    robot.take()
    robot.happen(.detailed([Samples.entry("a.md", size: 5, ago: 10)], isLast: true))
    #expect(!robot.take().contains { $0.hasPrefix("run preview") })
    robot.happen(
      .changed(ChangeSet(changes: [.present(Samples.entry("a.md", size: 6, ago: 1))], cursor: ChangeCursor("1"))))
    #expect(robot.take().contains("run preview a.md [club.preview]"))
  }

  @Test func `the preview of a note that was found by its text is asked for with the place`() throws {
    let robot = Self.wide()
    robot.press("/")
    robot.type("tide")
    let found = FoundFile(Samples.path("b.md"), line: 140, text: "low tide")
    robot.happen(.notes(.files(.foundTexts("tide", [found]))))
    #expect(robot.state.preview.request?.path == Samples.path("b.md"))
    #expect(robot.state.preview.request?.sought == SoughtPlace(words: ["tide"], line: 139))
    robot.press("Esc")
    #expect(robot.state.preview.request?.sought == nil)
  }

  @Test func `the preview is read anew when a text of the note waits, is being saved, or was sent`() throws {
    let robot = Self.wide()
    func isAsked() -> Bool { robot.take().contains("run preview a.md [club.preview]") }
    try Self.answer(robot, "the club's text")
    robot.take()
    robot.happen(.waiting([Samples.unsent("a.md", "mine")]))
    #expect(isAsked())
    robot.happen(.waiting([Samples.unsent("a.md", "mine"), Samples.unsent("b.md", save: 4)]))
    #expect(!isAsked())
    robot.happen(.waiting([Samples.unsent("a.md", "mine again", save: 5)]))
    #expect(isAsked())
    robot.happen(.sent(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r2"))))
    #expect(isAsked())
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.press("i")
    robot.type("my ")
    robot.press("Ctrl-Q", "Esc")
    #expect(isAsked() && robot.state.preview.request?.own == .saving(session: 1))
  }

  @Test func `a photo is previewed anew when its caption waits`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], size: Size(120, 40))
    robot.take()
    robot.happen(.notes(.waiting([Samples.unsent("photos/a.jpg.md", "Low tide")])))
    #expect(robot.take().contains("run preview photos/a.jpg [club.preview]"))
  }

  @Test func `P hides and shows the preview, also below 100 columns`() {
    let robot = Self.wide()
    robot.press("P")
    #expect(robot.state.paneWidth == nil)
    robot.press("P")
    #expect(robot.state.paneWidth == 48)
    let narrow = Self.wide(size: Size(80, 24))
    narrow.press("P")
    #expect(narrow.state.paneWidth == 36)
    let small = Self.wide(size: Size(60, 24))
    small.press("P")
    #expect(small.state.paneWidth == nil && small.notice == "The preview needs 80 columns.")
  }

  @Test func `the rule moves, and both panes keep a useful width`() {
    let robot = Self.wide()
    robot.press("<")
    #expect(robot.state.paneWidth == 44)
    robot.press(">", ">")
    #expect(robot.state.paneWidth == 52)
    for _ in 0..<40 { robot.press("<") }
    #expect(robot.state.paneWidth == 28)
    for _ in 0..<40 { robot.press(">") }
    #expect(robot.state.paneWidth == 91)
    robot.press("<")
    #expect(robot.state.paneWidth.map { $0 < 91 } == true)
  }

  @Test func `J and K and the wheel scroll the preview, not the list`() throws {
    let robot = Self.wide()
    let request = try #require(robot.state.preview.request)
    let lines = (0..<100).map { PreviewLine("line \($0).") }
    robot.happen(.preview(.shown(request, PreviewContent(lines: lines))))
    robot.press("J")
    #expect(robot.screen.contains("line 5.") && !robot.screen.contains("line 4."))
    robot.press("K", "K")
    #expect(robot.screen.contains("line 0.") && robot.notice == "The preview begins here.")
    robot.mouse(.wheelDown, 100, 10)
    #expect(!robot.screen.contains("line 2.") && robot.screen.contains("line 3."))
    #expect(robot.chosen == "a.md")
    for _ in 0..<100 { robot.press("J") }
    #expect(robot.screen.contains("line 99.") && robot.notice == "The preview ends here.")
    robot.press("j")
    #expect(robot.state.preview.top == 0)
  }

  @Test func `views over the list have the whole width, and the preview is there again behind them`() throws {
    let robot = Self.wide()
    try Self.answer(robot, "text of a")
    robot.take()
    robot.press("?")
    #expect(robot.state.paneWidth == nil)
    robot.press("Esc")
    #expect(robot.screen.contains("text of a"))
    #expect(robot.take().isEmpty)
  }

  @Test func `a key without effect on the list asks for nothing`() {
    let robot = Self.wide()
    robot.take()
    robot.press("K", "r")
    #expect(!robot.take().contains { $0.hasPrefix("run preview") })
  }
}
