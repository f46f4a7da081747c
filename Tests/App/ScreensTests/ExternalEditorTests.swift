import ClubServices
import FileStores
import Foundation
import TestKit
import Testing
import TextUI

@testable import Screens

/// A note in the member's own editor: the copy is made, the terminal is lent, each version is saved.
@Suite final class ExternalEditorTests {
  private let folder = TemporaryFolder.newPath()

  deinit { removeFolder(folder) }

  @Test func `the member's own editor works on the chosen note`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("e")
    #expect(robot.take() == ["run edit outside a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "t"), .read))
    robot.take()
    robot.press("e")
    #expect(robot.take() == ["run edit outside a.md"])
  }

  @Test func `the editor gets the terminal while its versions are followed; its end saves the last one`() throws {
    let robot = Robot(notes: ["a.md"])
    robot.press("e")
    robot.take()
    try begin(robot)
    #expect(robot.take() == ["run follow the edit [notes.follow]", "hand over to vi \(folder)/a.md"])
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r2")), session: nil))
    #expect(robot.notice == "Saved \"a.md\".")
    robot.take()
    try end(robot, .exited(0))
    #expect(robot.take() == ["cancel [notes.follow]", "run end the edit"])
    #expect(robot.grid.text(ofRow: 0).hasSuffix("working"))
    robot.happen(.saved(Samples.path("a.md"), .saved(Samples.entry("a.md", revision: "r3")), session: nil))
    #expect(!robot.grid.text(ofRow: 0).hasSuffix("working") && robot.notice == "Saved \"a.md\".")
  }

  @Test(arguments: [
    (ExternalProgram.End.exited(3), "The editor ended with code 3. Its last text is saved."),
    (.signalled(9), "Signal 9 ended the editor. Its last text is saved."),
    (
      .notStarted("There is no \"vi\"."),
      "The editor did not start: There is no \"vi\". Set $VISUAL or $EDITOR to your editor."
    ),
  ])
  func `however the editor ends, that is reported and what it wrote is saved`(
    ending: ExternalProgram.End, sentence: String
  ) throws {
    let robot = Robot(notes: ["a.md"])
    try begin(robot)
    robot.take()
    try end(robot, ending)
    #expect(robot.notice == sentence)
    #expect(robot.take() == ["cancel [notes.follow]", "run end the edit"])
  }

  @Test func `a conflict with what the editor wrote is asked about when it has ended`() throws {
    let robot = Robot(notes: ["a.md"])
    try begin(robot)
    try end(robot, .exited(0))
    robot.take()
    robot.happen(.saved(Samples.path("a.md"), .conflict(Samples.conflict("a.md")), session: nil))
    #expect(robot.view == "conflict" && robot.screen.contains("their text"))
  }

  @Test func `a last version that cannot be saved is reported, and nothing is under way any more`() throws {
    let robot = Robot(notes: ["a.md"])
    let session = try begin(robot)
    try end(robot, .exited(0))
    robot.happen(
      .failed(.endEdit(session), StoreError(.notFound, "The copy is gone.")))
    #expect(robot.notice == "\"a.md\" was not saved. The copy is gone.")
    #expect(!robot.grid.text(ofRow: 0).hasSuffix("working"))
  }

  @discardableResult
  private func begin(_ robot: Robot) throws -> EditSession {
    let entry = Samples.entry("a.md")
    let session = try EditSession(of: entry, hash: "", club: "~/ByteClub", owner: "me", name: "a.md", in: folder)
    robot.happen(.editBegan(session, ExternalProgram(["vi", session.copy])))
    return session
  }

  private func end(_ robot: Robot, _ end: ExternalProgram.End) throws {
    let (_, then) = try #require(robot.programs.last)
    robot.happen(then(end))
  }
}
