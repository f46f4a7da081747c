import ClubServices
import FileStores
import Imaging
import Testing
import TextUI

@testable import Screens

/// A caption is written in one line at the foot of the photos; a longer one in the notes' editor.
@Suite struct CaptionScreenTests {
  private let photo = Samples.path("photos/a.jpg")
  private let caption = Samples.path("photos/a.jpg.md")

  private func open(_ robot: Robot, _ text: String = "", revision: Revision? = nil) {
    let entry = FileEntry(path: caption, kind: .file, size: UInt64(text.utf8.count), revision: revision)
    robot.happen(.notes(.opened(OpenNote(entry: entry, bytes: Array(text.utf8), draft: nil), .write)))
  }

  private func viewed(_ robot: Robot) throws {
    robot.press("Enter")
    robot.happen(
      photos: .viewed(photo, try Samples.pyramid(), full: Samples.panorama().size, isWhole: true))
  }

  @Test func `c in the list opens the caption; saving it leads back, and asks for the preview anew`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], size: Size(120, 40))
    robot.press("c")
    #expect(robot.take().contains("run open photos/a.jpg.md to write [notes.open]"))
    open(robot)
    #expect(robot.view == "editor")
    robot.type("Low tide")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take().contains("run save photos/a.jpg.md over nothing: \"Low tide\" draft 1"))
    #expect(robot.state.tab == .photos && robot.view == "" && robot.chosen == "photos/a.jpg")
    robot.happen(.notes(.saved(caption, .saved(Samples.entry(caption, size: 8)), session: 1)))
    #expect(robot.take().contains("run preview photos/a.jpg [club.preview]"))
    #expect(robot.notice == "Saved \"photos/a.jpg.md\".")
    robot.press("1")
    #expect(!robot.rows.contains("a.jpg.md"))
  }

  @Test(arguments: ["Low tide", "Low tide\n"])
  func `a caption of one line is written at the foot of the photos, and Enter keeps it`(text: String) {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], size: Size(120, 40))
    robot.press("c")
    #expect(robot.screen.contains("b.jpg") && robot.screen.contains("Caption: loading"))
    open(robot, text, revision: Revision("r7"))
    #expect(robot.screen.contains("b.jpg") && robot.screen.contains("Caption: Low tide"))
    #expect(robot.footer.contains("Enter") && robot.footer.contains("Esc"))
    robot.press("Up")
    robot.type(" at six")
    #expect(robot.screen.contains("Caption: Low tide at six"))
    robot.take()
    robot.press("Enter")
    let end = text.hasSuffix("\n") ? "\n" : ""
    #expect(robot.take().contains { $0.hasPrefix("run save photos/a.jpg.md over r7: \"Low tide at six\(end)\"") })
    #expect(robot.state.tab == .photos && robot.view == "")
  }

  @Test func `a caption of several lines has the whole editor`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("c")
    open(robot, "Low tide\nat six", revision: Revision("r7"))
    #expect(!robot.screen.contains("b.jpg") && robot.screen.contains("at six"))
    robot.press("Enter")
    #expect(robot.view == "editor")
  }

  @Test func `Esc in a changed caption asks, and the photos stay in sight`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("c")
    open(robot)
    robot.type("x")
    robot.press("Esc")
    #expect(robot.question?.hasPrefix("Discard the text?") == true && robot.screen.contains("b.jpg"))
    robot.press("y")
    #expect(robot.state.tab == .photos && robot.view == "")
  }

  @Test func `c in the viewer leads back to the viewer, which shows the saved caption`() throws {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    try viewed(robot)
    robot.happen(photos: .captioned(photo, "Low tide"))
    robot.happen(photos: .captioned(Samples.path("photos/b.jpg"), "Another"))
    #expect(robot.screen.contains("Low tide") && !robot.screen.contains("Another"))
    robot.press("c")
    open(robot, "Low tide", revision: Revision("r7"))
    robot.type("Very l")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.take().contains { $0.hasPrefix("run save photos/a.jpg.md over r7") })
    #expect(robot.view == "viewer")
    robot.happen(.notes(.saved(caption, .saved(Samples.entry(caption, size: 8)), session: 1)))
    #expect(robot.take().contains("run caption photos/a.jpg [photos.caption]"))
  }

  @Test func `leaving the editor without a change leads back, too`() throws {
    let robot = Robot(photos: ["a.jpg"])
    try viewed(robot)
    robot.press("c")
    open(robot, "Low tide", revision: Revision("r7"))
    robot.press("Esc")
    #expect(robot.view == "viewer")
    robot.press("c", "Esc")
    #expect(robot.view == "viewer")
  }

  @Test func `a conflict stays in sight until it is settled`() throws {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("c")
    open(robot, "Low tide", revision: Revision("r7"))
    robot.type("x")
    robot.press("Ctrl-Q")
    let conflict = Samples.conflict("photos/a.jpg.md")
    robot.happen(.notes(.saved(caption, .conflict(conflict), session: 1)))
    #expect(robot.notice?.contains("Both texts are safe") == true)
    robot.press("1")
    #expect(robot.view == "conflict")
  }

  @Test func `a caption that is no text is shown, and is not edited`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("c")
    let entry = FileEntry(path: caption, kind: .file, size: 2, revision: Revision("r1"))
    robot.happen(.notes(.opened(OpenNote(entry: entry, bytes: [0, 0xFF], draft: nil), .write)))
    #expect(robot.view == "reader" && robot.notice?.contains("read-only") == true)
    robot.press("q")
    #expect(robot.state.tab == .photos)
  }

  @Test func `a photo behind a link keeps its way back to the note while its caption is written`() throws {
    let robot = Robot(notes: ["Welcome.md"])
    robot.press("2")
    robot.happen(.photos(.listed(Samples.table(["a.jpg"], folder: "photos"))))
    robot.press("1", "Enter")
    robot.happen(.notes(.opened(Samples.note("Welcome.md", "![pier](photos/a.jpg)"), .read)))
    robot.press("Tab", "Enter")
    #expect(robot.view == "viewer")
    robot.press("c")
    open(robot, "Low tide", revision: Revision("r7"))
    robot.press("Esc")
    #expect(robot.view == "viewer")
    robot.press("q")
    #expect(robot.view == "reader")
  }

  @Test func `a caption cannot drive the terminal`() throws {
    let robot = Robot(photos: ["a.jpg"])
    try viewed(robot)
    robot.happen(photos: .captioned(photo, "\u{1B}[2J\u{202E}x"))
    #expect(robot.screen.contains("^[[2J<U+202E>x"))
  }

  @Test func `words typed into find show the caption that has them, below the names`() {
    let robot = Robot(photos: ["a.jpg", "tide.jpg"], size: Size(100, 40))
    robot.press("/")
    robot.type("tide")
    #expect(robot.take().contains { $0.hasPrefix("run search texts") && $0.hasSuffix("[photos.texts]") })
    let found = FoundFile(photo, line: 1, text: "Low tide at the pier")
    robot.happen(.photos(.files(.foundTexts("tide", [found]))))
    #expect(robot.rows == ["tide.jpg", "a.jpg"])
    #expect(robot.screen.contains("Low tide at the pier"))
  }
}
