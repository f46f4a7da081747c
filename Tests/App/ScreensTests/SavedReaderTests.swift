import ClubServices
import FileStores
import Foundation
import TestKit
import Testing
import TextUI

@testable import Screens

/// A reader's text and revision belong together, whatever is saved and read meanwhile.
@Suite final class SavedReaderTests {
  private static let text = "see [[b]]\n\n- [ ] bread\n- [ ] jam\n"
  private static let anns = "Ann's line, see [[b]]\n\n- [ ] bread\n- [ ] jam\n"

  private let folder = TemporaryFolder.newPath()

  deinit { removeFolder(folder) }

  private func reading(_ text: String = text, changes: LineDiff? = nil) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", text), .read, changes: changes))
    robot.take()
    return robot
  }

  /// Follows a link to b.md, and one in it to the newer a.md of Ann.
  private func readingTwice() -> Robot {
    let robot = reading()
    robot.press("Tab", "Enter")
    robot.happen(.opened(Samples.note("b.md", "back to [[a]]"), .read))
    robot.press("Tab", "Enter")
    robot.happen(.opened(Samples.note("a.md", Self.anns, revision: "r3"), .read))
    robot.take()
    return robot
  }

  private func saved(_ robot: Robot, _ revision: String, session: Int?) {
    robot.happen(
      .saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: revision)), session: session))
  }

  private func fail(_ robot: Robot, session: Int) {
    robot.happen(
      .failed(
        .save(Samples.path("a.md"), base: nil, text: [], session: session),
        StoreError(.tooLarge, "The club takes no more.")))
  }

  @Test func `a text that was read before a save does not replace the saved one`() {
    let robot = reading()
    robot.press("Tab", "Enter")
    robot.happen(.opened(Samples.note("b.md", "b"), .read))
    robot.press("Backspace", "Tab", "Space")
    robot.happen(.opened(Samples.note("a.md", Self.text), .reread))
    #expect(robot.screen.contains("☑ bread"))
    saved(robot, "r2", session: 1)
    robot.press("Tab", "Space")
    #expect(robot.take().last == "run save a.md over r2: \"see [[b]]\n\n- [x] bread\n- [x] jam\n\" draft 2")
  }

  @Test func `a save that was merged shows the merge, with marks at the other member's lines`() {
    let robot = reading()
    robot.press("Tab", "Tab", "Space")
    robot.take()
    let merged = MergedNote(
      entry: Samples.entry("a.md", revision: "r3", member: "ann"),
      text: Array(Self.anns.replacing("[ ] bread", with: "[x] bread").utf8), writer: .member("ann"), needsLook: false,
      sides: .init(mine: [], theirs: Array(Self.anns.utf8), base: [], baseRevision: Revision("r1")))
    robot.happen(.saved(Samples.path("a.md"), .merged(merged), session: 1))
    #expect(robot.notice == "Merged your text of \"a.md\" with ann's change. C shows it, z undoes it.")
    #expect(robot.screen.contains("Ann's line") && robot.screen.contains("☑ bread"))
    let marked = (0..<robot.grid.size.height).filter { robot.grid[0, $0].base == UInt32(UInt8(ascii: "+")) }
    #expect(marked.map { robot.grid.text(ofRow: $0).contains("Ann's line") } == [true])
    robot.press("Tab", "Tab", "Space")
    #expect(robot.take().last?.hasPrefix("run save a.md over r3: \"Ann's line, see [[b]]\n\n- [ ] bread") == true)
  }

  @Test func `a note that was opened again over itself shows what was saved there`() {
    let robot = readingTwice()
    robot.press("Tab", "Tab", "Space")
    saved(robot, "r4", session: 1)
    robot.press("Backspace", "Backspace")
    #expect(robot.screen.contains("Ann's line") && robot.screen.contains("☑ bread"))
    robot.press("Tab", "Tab", "Tab", "Space")
    #expect(
      robot.take().last == "run save a.md over r4: \"Ann's line, see [[b]]\n\n- [x] bread\n- [x] jam\n\" draft 2")
  }

  @Test func `a note that was opened again over itself shows a text that waits to be sent`() {
    let robot = readingTwice()
    robot.press("Tab", "Tab", "Space")
    robot.happen(.saved(Samples.path("a.md"), .kept(3, StoreError(.offline, "No connection.")), session: 1))
    robot.happen(.waiting([Samples.unsent("a.md", base: "r3")]))
    robot.press("Backspace", "Backspace")
    #expect(robot.screen.contains("☑ bread") && robot.screen.contains("to send"))
  }

  @Test func `the member's own editor does not put its revision under an older text`() throws {
    let robot = readingTwice()
    try editOutside(robot)
    saved(robot, "r4", session: nil)
    #expect(robot.take().last == "run open a.md to reread [notes.open]")
    robot.happen(.opened(Samples.note("a.md", Self.anns + "more\n", revision: "r4"), .reread))
    #expect(robot.screen.contains("more"))
    robot.press("Backspace", "Backspace", "Tab", "Space")
    // The text of this reader is Ann's predecessor, so the store finds a conflict.
    #expect(robot.take().last == "run save a.md over r1: \"see [[b]]\n\n- [x] bread\n- [ ] jam\n\" draft 1")
  }

  @Test func `an editor that wrote nothing leaves a changed note to be read again`() throws {
    let robot = reading()
    try editOutside(robot)
    let (_, then) = try #require(robot.programs.last)
    robot.happen(then(.exited(0)))
    robot.take()
    saved(robot, "r3", session: nil)
    #expect(robot.take().last == "run open a.md to reread [notes.open]")
    robot.press("Tab", "Tab", "Space")
    #expect(robot.take().last == "run save a.md over r1: \"see [[b]]\n\n- [x] bread\n- [ ] jam\n\" draft 1")
    let current = reading()
    saved(current, "r1", session: nil)
    #expect(!current.take().contains { $0.hasPrefix("run open") })
  }

  @Test func `a note is being saved until the last of its saves has ended`() {
    let robot = reading()
    robot.press("Tab", "Tab", "Space", "Tab", "Space")
    saved(robot, "r2", session: 1)
    #expect(robot.screen.contains("saving"))
    robot.take()
    let theirs = ChangeSet.Change.present(Samples.entry("a.md", revision: "r2"))
    robot.happen(.changed(ChangeSet(changes: [theirs], cursor: ChangeCursor("1"))))
    #expect(!robot.take().contains { $0.hasPrefix("run open") })
    robot.happen(.opened(Samples.note("a.md", Self.text, revision: "r2"), .reread))
    #expect(robot.screen.contains("☑ bread") && robot.screen.contains("☑ jam"))
    saved(robot, "r3", session: 2)
    #expect(!robot.screen.contains("saving"))
    robot.press("Space")
    #expect(robot.take().last == "run save a.md over r3: \"see [[b]]\n\n- [x] bread\n- [ ] jam\n\" draft 3")
  }

  @Test func `of saves in a row that fail, the editor comes back with all that was done`() {
    let robot = reading()
    robot.press("Tab", "Tab", "Space", "Tab", "Space")
    fail(robot, session: 1)
    #expect(robot.view == "reader" && robot.screen.contains("saving"))
    fail(robot, session: 2)
    #expect(robot.view == "editor" && robot.text == "see [[b]]\n\n- [x] bread\n- [x] jam\n")
    robot.press("Esc", "y")
    #expect(robot.view == "reader" && robot.screen.contains("☐ bread") && robot.screen.contains("☐ jam"))
  }

  @Test func `a save that fails after a later one brings back no second editor`() {
    let robot = reading()
    robot.press("Tab", "Tab", "Space", "Tab", "Space")
    fail(robot, session: 2)
    fail(robot, session: 1)
    #expect(robot.text == "see [[b]]\n\n- [x] bread\n- [x] jam\n")
    robot.press("Esc", "y")
    #expect(robot.view == "reader")
  }

  @Test func `a reader keeps its place, its search and its marks when a save fails`() {
    let gap = String(repeating: "word\n\n", count: 40)
    let text = "\(gap)- [ ] bread\n- [ ] jam\n\n\(gap)"
    let old = Array(text.replacing("jam", with: "tea").utf8)
    let robot = reading(text, changes: LineDiff(from: old, to: Array(text.utf8)))
    robot.press("/")
    robot.type("bread")
    robot.press("Enter", "Tab")
    let before = (2..<24).map { robot.grid.text(ofRow: $0) }
    #expect(before.contains { $0.hasPrefix("+") })
    robot.press("Space")
    fail(robot, session: 1)
    robot.press("Esc", "y")
    robot.wait(seconds: 60)
    #expect((2..<24).map { robot.grid.text(ofRow: $0) } == before)
  }

  @Test func `raw text stays raw when a save fails`() {
    let robot = reading()
    robot.press("m", "i")
    robot.type("x")
    robot.press("Ctrl-Q")
    fail(robot, session: 1)
    robot.press("Esc", "y")
    #expect(robot.view == "reader" && robot.screen.contains("- [ ] bread"))
  }

  @Test func `the focus stays on its box, and leaves when another box has come to its place`() {
    let robot = reading("- [ ] bread\n- [ ] jam\n")
    robot.press("Tab", "Tab")
    robot.happen(.opened(Samples.note("a.md", "- [ ] bread\n- [x] jam\n- [ ] tea\n", revision: "r2"), .reread))
    #expect(robot.footer.contains("Space toggle"))
    robot.happen(.opened(Samples.note("a.md", "- [ ] bread\n- [ ] eggs\n- [x] jam\n", revision: "r3"), .reread))
    #expect(!robot.footer.contains("Space toggle"))
    robot.press("Space")
    #expect(robot.take().isEmpty)
  }

  private func editOutside(_ robot: Robot) throws {
    let session = try EditSession(
      of: Samples.entry("a.md"), hash: "", club: "~/ByteClub", owner: "me", name: "a.md", in: folder)
    robot.happen(.editBegan(session, ExternalProgram(["vi", session.copy])))
    robot.take()
  }
}
