import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct ClubInvitationTests {
  private func typed(_ line: String = "line") -> ClubsRobot {
    let robot = ClubsRobot()
    robot.press("2", "Enter")
    robot.type(line)
    robot.take()
    return robot
  }

  @Test func `Enter joins with the typed line, and the club opens with a sentence`() {
    let robot = typed(ClubsSamples.invitation)
    robot.press("Enter")
    #expect(robot.take() == ["run join \(ClubsSamples.invitation)"])
    robot.answer(.joined(.joined(club: "pier", said: "You are ann.")))
    #expect(robot.outcome == .open(club: "pier", said: "You are ann.") && robot.take() == ["quit"])
  }

  @Test func `the line of the start is joined at once`() {
    let robot = ClubsRobot(.join("line"), current: "home")
    #expect(robot.take() == ["run join line"])
  }

  @Test func `a refusal stays with the line until the line is changed`() {
    let robot = typed()
    robot.press("Enter")
    robot.fail(StoreError(.notFound, "The invitation has ended.", remedy: "Ask for a new one."))
    #expect(robot.screen.contains("! The invitation has ended. Ask for a new one."))
    #expect(robot.screen.contains("line") && robot.outcome == nil)
    robot.press("Left")
    #expect(robot.screen.contains("has ended"))
    robot.type("x")
    #expect(!robot.screen.contains("has ended"))
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run join linxe"])
  }

  @Test func `an empty line is not sent, and a second Enter does not ask twice`() {
    let empty = typed("  ")
    empty.press("Enter")
    #expect(empty.take().isEmpty)
    let robot = typed()
    robot.press("Enter", "Enter")
    robot.type("more")
    #expect(robot.take() == ["run join line"])
  }

  @Test func `a question is asked, and the line is joined only after y`() {
    let robot = typed()
    robot.press("Enter")
    robot.answer(.joined(.question("Replace the address of \"pier\"?")))
    #expect(robot.question == "Replace the address of \"pier\"?")
    robot.take()
    robot.paste("y")
    robot.press("n")
    #expect(robot.question == nil && robot.take().isEmpty)
    robot.press("Enter")
    robot.answer(.joined(.question("Replace the address of \"pier\"?")))
    robot.take()
    robot.press("y")
    #expect(robot.take() == ["run join line agreed"])
    robot.answer(.joined(.joined(club: "pier", said: "Moved.")))
    #expect(robot.outcome == .open(club: "pier", said: "Moved."))
  }

  @Test func `a line without a sign-in opens its form, filled in`() {
    let robot = typed()
    robot.press("Enter")
    var form = ClubsSamples.forms[1]
    form.fields[0].value = "https://cloud.example/dav"
    robot.answer(.joined(.form(form)))
    #expect(robot.title == "Nextcloud or WebDAV" && robot.screen.contains("https://cloud.example/dav"))
    robot.press("Esc")
    #expect(robot.title == "An invitation" && robot.screen.contains("line"))
  }

  @Test func `Esc stops waiting first, and a late answer is ignored`() {
    let robot = typed()
    robot.press("Enter")
    let late = robot.effects[0]
    robot.take()
    robot.press("Esc")
    #expect(robot.take() == ["cancel [clubs.call]"] && robot.title == "An invitation")
    #expect(!robot.screen.contains("Asking the server ..."))
    robot.happen(.answered(late, .joined(.joined(club: "pier", said: ""))))
    robot.happen(.failed(late, .cancelled("Joining")))
    #expect(robot.outcome == nil && !robot.screen.contains("cancelled"))
    robot.press("Enter")
    robot.happen(.answered(late, .joined(.joined(club: "pier", said: ""))))
    #expect(robot.outcome == nil)
  }

  @Test func `a line that was left is offered again`() {
    let robot = typed("abc123")
    robot.press("Esc", "Enter")
    #expect(robot.title == "An invitation" && robot.screen.contains("abc123"))
  }

  @Test func `typed and pasted words are never commands`() {
    let robot = typed("")
    robot.type("q?yrad1/:")
    robot.paste("q\u{1B}[Ay")
    #expect(robot.screen.contains("q?yrad1/:q[Ay") && robot.outcome == nil && robot.state.help == nil)
    #expect(robot.take().isEmpty)
  }
}
