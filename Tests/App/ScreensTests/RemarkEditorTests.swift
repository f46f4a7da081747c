import ClubServices
import FileStores
import TestKit
import Testing
import TextUI

@testable import Screens

/// A remark in the member's own editor: its text is copied, the terminal is lent, and what was saved is in the field.
@Suite final class RemarkEditorTests {
  private static let path = Samples.path("a.md")
  private let folder = TemporaryFolder.newPath()

  deinit { removeFolder(folder) }

  /// The field for a remark about the whole.
  private func robot(_ text: String = "low") -> Robot {
    let robot = Robot(notes: ["a.md"])
    robot.press("@")
    robot.happen(.talk(.loaded(Self.path, .none)))
    robot.type(text)
    robot.take()
    return robot
  }

  @discardableResult
  private func begin(_ robot: Robot, _ text: String = "low") throws -> RemarkCopy {
    let copy = try RemarkCopy(Array(text.utf8), .whole, about: Self.path, in: folder + "/copy")
    robot.press("Ctrl-O")
    robot.take()
    robot.happen(.talk(.editBegan(copy, ExternalProgram(["vi", copy.file]))))
    return copy
  }

  private func end(_ robot: Robot, _ end: ExternalProgram.End = .exited(0)) throws {
    let (_, then) = try #require(robot.programs.last)
    robot.happen(then(end))
  }

  @Test(arguments: ["Ctrl-O", "Alt-E"])
  func `the keys of the footer take the text of the field to the editor`(key: String) {
    let robot = robot()
    #expect(robot.footer.contains("Ctrl-O $EDITOR"))
    robot.press(key)
    #expect(robot.take() == [#"run edit outside "low" whole on a.md"#])
    // The text that the editor has is not changed here, and Esc does not leave it.
    robot.type("x")
    robot.press("Esc", key)
    #expect(robot.take().isEmpty && robot.screen.contains("Remark: low\n"))
  }

  @Test func `what the editor saved is in the field and the draft, with its lines, and is sent so`() throws {
    let robot = robot()
    let copy = try begin(robot)
    #expect(robot.take() == ["hand over to vi \(copy.file)"])
    try end(robot)
    #expect(robot.take() == ["run end the edit of a remark on a.md"])
    robot.happen(.talk(.edited(copy, "low\n\ntide")))
    #expect(
      robot.take() == [
        #"post edits of a remark on a.md 0-3+"low\#n\#ntide""#, "run drop the copy of a remark on a.md",
      ])
    #expect(robot.screen.contains("Remark: low\u{21B5} \u{21B5} tide"))
    robot.type("!")
    robot.press("Enter")
    #expect(robot.takeRuns() == ["run say \"low\n\ntide!\" whole on a.md"])
  }

  @Test func `an unchanged text leaves the field as it is`() throws {
    let robot = robot()
    let copy = try begin(robot)
    try end(robot)
    robot.take()
    robot.happen(.talk(.edited(copy, nil)))
    #expect(robot.take().isEmpty && robot.screen.contains("Remark: low\n") && robot.notice == nil)
    robot.type("er")
    #expect(robot.screen.contains("Remark: lower"))
  }

  @Test(arguments: [
    (ExternalProgram.End.exited(3), "The editor ended with code 3. What it saved is in the field."),
    (.exited(127), "The editor was not found. Set $VISUAL or $EDITOR, or type the remark here."),
    (.signalled(9), "Signal 9 ended the editor. What it saved is in the field."),
  ])
  func `an editor that fails says why, and its last text is read`(
    ending: ExternalProgram.End, sentence: String
  ) throws {
    let robot = robot()
    try begin(robot)
    robot.take()
    try end(robot, ending)
    #expect(robot.notice == sentence)
    #expect(robot.take() == ["run end the edit of a remark on a.md"])
  }

  @Test func `a copy that cannot be made says why, and the field takes keys again`() {
    let robot = robot()
    robot.press("Ctrl-O")
    robot.happen(
      .talk(.failed(.beginEdit(Array("low".utf8), .whole, Self.path), StoreError(.quota, "The disk is full."))))
    #expect(robot.notice?.hasPrefix("The disk is full.") == true)
    robot.type("er")
    #expect(robot.screen.contains("Remark: lower"))
  }

  @Test func `a copy for remarks that were closed meanwhile goes at once, and one with a new text is named`() throws {
    let robot = robot()
    let copy = try RemarkCopy(Array("low".utf8), .whole, about: Self.path, in: folder + "/copy")
    robot.press("Esc", "Esc")
    robot.take()
    robot.happen(.talk(.editBegan(copy, ExternalProgram(["vi", copy.file]))))
    #expect(robot.take() == ["run drop the copy of a remark on a.md"] && robot.programs.isEmpty)
    robot.happen(.talk(.edited(copy, "low tide")))
    #expect(robot.notice == "What the editor saved is kept in \"\(copy.file)\"." && robot.take().isEmpty)
  }

  @Test func `a remark of several lines is corrected with its lines`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("@")
    let item = TalkItem(
      member: "ann", time: Timestamp(seconds: Samples.now), id: "aaaaaaaa", aim: .whole, text: "one\ntwo")
    robot.happen(.talk(.loaded(Self.path, Talk(Array(item.markdown.utf8)))))
    robot.press("e")
    robot.type("!")
    robot.press("Enter")
    #expect(robot.takeRuns().last == "run say \"one\ntwo!\" correction(of: \"aaaaaaaa\") on a.md")
  }
}
