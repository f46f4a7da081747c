import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct ClubFormTests {
  @Test func `Tab, the arrows and Enter move between the fields, and a field that is left is checked`() {
    let robot = ClubsRobot()
    robot.press("4", "Enter")
    robot.press("Tab")
    #expect(robot.take().isEmpty, "nothing was typed")
    robot.press("Up")
    robot.type("https://a")
    robot.press("Enter")
    #expect(robot.take() == ["run check https://a,,"])
    robot.answer(.findings([]), .check)
    robot.type("ann")
    robot.press("Down")
    #expect(robot.take() == ["run check https://a,ann,"])
    robot.press("Shift-Tab", "Tab")
    #expect(robot.take().isEmpty, "nothing has changed")
  }

  @Test func `findings stand below their field, and the others below all`() throws {
    let robot = ClubsRobot.form()
    robot.answer(
      .findings([FormFinding("All is well.", isError: false), FormFinding(field: "url", "Bad.", isError: true)]), .check
    )
    let rows = robot.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let address = try #require(rows.firstIndex { $0.contains("Address") })
    #expect(rows[address + 1].hasPrefix(" ! Bad."))
    let last = try #require(rows.firstIndex { $0.contains("Certificates") })
    #expect(rows[(last + 1)...].contains { $0.hasPrefix(" All is well.") })
  }

  @Test func `a change stops the check, and its late findings are ignored`() {
    let robot = ClubsRobot.form()
    let late = robot.effects[robot.effects.count - 1]
    robot.type("x")
    #expect(robot.take() == ["cancel [clubs.check]"])
    robot.happen(.answered(late, .findings([FormFinding("Late.", isError: true)])))
    #expect(!robot.screen.contains("Late."))
  }

  @Test func `the form is sent after a check without errors, and the sign-in follows`() {
    let robot = ClubsRobot.form()
    robot.press("Enter")
    #expect(robot.take() == ["run check https://cloud.example,ann,"])
    robot.answer(.findings([FormFinding("The certificate ends in 3 days.", isError: false)]), .check)
    #expect(robot.take() == ["run add https://cloud.example,ann, without a key"])
    #expect(robot.screen.contains("Writing the club ..."))
    robot.answer(.added("cloud"))
    #expect(robot.title == "Sign in to cloud" && robot.take().contains("run begin cloud"))
    robot.answer(.step(nil))
    #expect(robot.outcome == .open(club: "cloud", said: "Added the club \"cloud\"."))
  }

  @Test func `a check with errors sends nothing, and leads to the field`() {
    let robot = ClubsRobot.form()
    robot.press("Ctrl-S")
    robot.answer(.findings([FormFinding(field: "user", "Nobody is called ann.", isError: true)]), .check)
    #expect(!robot.take().contains { $0.hasPrefix("run add") })
    robot.type("e")
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run check https://cloud.example,anne,")
  }

  @Test func `a check while typing says nothing of a field that is empty yet`() {
    let robot = ClubsRobot()
    robot.press("4", "Enter")
    robot.type("https://a")
    robot.press("Tab")
    robot.answer(
      .findings([
        FormFinding(field: "user", "Your name is missing.", isError: true),
        FormFinding(field: "url", "Bad.", isError: true),
      ]), .check)
    #expect(robot.screen.contains("! Bad.") && !robot.screen.contains("is missing"))
  }

  @Test func `a check while typing sends nothing`() {
    let robot = ClubsRobot.form()
    robot.answer(.findings([]), .check)
    #expect(robot.take().isEmpty && robot.title == "Nextcloud or WebDAV")
  }

  @Test func `a required field that is empty is said without asking the server`() {
    let robot = ClubsRobot()
    robot.press("4", "Enter", "Tab")
    robot.type("ann")
    robot.press("Ctrl-S")
    #expect(robot.take().isEmpty && robot.screen.contains("! Address is needed."))
    robot.type("https://a")
    #expect(!robot.screen.contains("is needed"))
  }

  @Test func `a club that could not be added leaves the form as it was`() {
    let robot = ClubsRobot.form()
    robot.press("Ctrl-S")
    robot.answer(.findings([]), .check)
    robot.fail(StoreError(.notPermitted, "The folder clubs.d cannot be written."))
    #expect(robot.title == "Nextcloud or WebDAV" && robot.screen.contains("! The folder clubs.d cannot be written."))
    robot.take()
    robot.press("Ctrl-S")
    #expect(robot.take() == ["run check https://cloud.example,ann,"])
  }

  @Test func `Esc stops the check before sending, and does not stop the writing`() {
    let robot = ClubsRobot.form()
    robot.press("Ctrl-S")
    robot.take()
    robot.press("Esc")
    #expect(robot.take() == ["cancel [clubs.check]"] && robot.title == "Nextcloud or WebDAV")
    robot.press("Ctrl-S")
    robot.answer(.findings([]), .check)
    robot.take()
    for key in ["Esc", "Ctrl-C", "x", "Ctrl-S"] { robot.press(key) }
    #expect(robot.take().isEmpty && robot.title == "Nextcloud or WebDAV" && robot.outcome == nil)
    robot.answer(.added("cloud"))
    #expect(robot.title == "Sign in to cloud")
  }

  @Test func `a form that was left is offered again as it was, and empty once its club is there`() {
    let robot = ClubsRobot.form()
    robot.press("Esc", "Enter")
    #expect(robot.screen.contains("https://cloud.example") && robot.screen.contains(" ann"))
    robot.press("Ctrl-S")
    robot.answer(.findings([]), .check)
    robot.answer(.added("cloud"))
    robot.press("Esc", "a", "3", "Enter")
    #expect(robot.title == "Nextcloud or WebDAV" && !robot.screen.contains(" ann"))
  }

  @Test func `a club whose sign-in is put off is in the list`() {
    let robot = ClubsRobot.form()
    robot.press("Ctrl-S")
    robot.answer(.findings([]), .check)
    robot.answer(.added("cloud"))
    robot.press("Esc")
    #expect(robot.title == "Clubs" && robot.outcome == nil)
    robot.answer(.rows(ClubsSamples.rows), .list)
    #expect(robot.screen.contains("needs sign-in"))
  }

  @Test func `a click moves the cursor, and the field with the focus stays in view`() {
    let robot = ClubsRobot.form()
    robot.click("cloud.example")
    robot.type("my")
    robot.press("Ctrl-S")
    #expect(robot.take().last == "run check https://mycloud.example,ann,")
    let small = ClubsScene.form.robot(Size(40, 12), text: String(repeating: "word ", count: 40))
    #expect(small.screen.contains("https://cloud.example"))
    small.press("Down", "Down")
    #expect(small.screen.contains("Certificates"))
  }

  @Test func `letters that are commands elsewhere are text`() {
    let robot = ClubsRobot.form()
    robot.type("q?1 y:/d")
    #expect(robot.screen.contains("q?1 y:/d") && robot.state.help == nil && robot.outcome == nil)
  }
}
