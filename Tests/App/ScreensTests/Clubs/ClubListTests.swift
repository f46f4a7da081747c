import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct ClubListTests {
  @Test func `each club is shown with its place, its state and its counts, and the open one is marked`() throws {
    let rows = ClubsRobot.list(Size(120, 40)).screen.split(separator: "\n").map(String.init)
    func row(_ name: String) throws -> String { try #require(rows.first { $0.contains(" \(name) ") }) }
    let (home, pier, cloud) = (try row("home"), try row("pier"), try row("cloud"))
    let (bucket, garage) = (try row("bucket"), try row("garage"))
    #expect(home.contains("● home") && home.contains("~/ByteClub"))
    #expect(pier.contains("3 new  2 to send  offline") && !pier.contains("●"))
    #expect(cloud.contains("needs sign-in") && bucket.contains("cannot be opened") && !garage.contains("new"))
  }

  @Test func `a narrow screen keeps the names and the facts`() {
    let robot = ClubsRobot.list(Size(40, 12))
    #expect(robot.screen.contains("pier") && robot.screen.contains("3 new  2 to send  offline"))
    #expect(robot.screen.contains("cloud") && robot.screen.contains("needs sign-in"))
  }

  @Test func `a long place loses its middle`() {
    let screen = ClubsRobot.list(Size(60, 24)).screen
    #expect(screen.contains("https://") && screen.contains("~") && screen.contains("byteclub  needs sign-in"))
  }

  @Test func `rows fill in as they are reported, and the selection stays on its club`() {
    let robot = ClubsRobot(.list, current: "pier")
    #expect(robot.screen.contains("Looking for your clubs ..."))
    let rows = ClubsSamples.rows
    robot.answer(.rows(Array(rows[..<3])), .list)
    #expect(robot.screen.contains("> ") && robot.screen.contains("Asking the clubs ..."))
    robot.press("Down")
    robot.answer(.rows([ClubRow(name: "attic", place: "~/attic")] + rows), .list)
    robot.answer(.allAsked, .list)
    #expect(!robot.screen.contains("Asking the clubs ..."))
    robot.press("Enter")
    #expect(robot.title == "Sign in to cloud")
  }

  @Test func `Enter opens another club, and leads back to the open one`() {
    let robot = ClubsRobot.list()
    robot.press("j", "Enter")
    #expect(robot.outcome == .open(club: "pier", said: nil) && robot.take() == ["quit"])
    let back = ClubsRobot.list()
    back.press("Enter")
    #expect(back.outcome == .back)
  }

  @Test func `a word after the find key is typed, and Esc leads back to the club before`() {
    let robot = ClubsRobot.list()
    robot.press("/")
    robot.type("aidDynxq RzYte1")
    #expect(robot.take().isEmpty && robot.title == "Clubs" && robot.outcome == nil)
    #expect(robot.screen.contains("Find: aidDynxq RzYte1") && robot.screen.contains("no such club"))
    robot.press("Esc")
    #expect(!robot.screen.contains("Find:"))
    robot.press("Enter")
    #expect(robot.outcome == .back)
  }

  @Test func `the find key finds a club by a part of its name`() {
    let robot = ClubsRobot.list()
    robot.press("/")
    robot.type("LOU")
    robot.press("Enter", "Enter")
    #expect(robot.title == "Sign in to cloud")
  }

  @Test func `a second click on a club opens it`() {
    let robot = ClubsRobot.list()
    robot.click("pier")
    #expect(robot.outcome == nil)
    robot.click("pier")
    #expect(robot.outcome == .open(club: "pier", said: nil))
  }

  @Test func `a club that needs a sign-in asks for it first`() {
    let robot = ClubsRobot.list()
    robot.press("j", "j", "Enter")
    #expect(robot.take() == ["run begin cloud"] && robot.title == "Sign in to cloud" && robot.outcome == nil)
    robot.answer(.step(nil))
    #expect(robot.outcome == .open(club: "cloud", said: nil))
  }

  @Test func `the whole fault of a broken club can be read, at the smallest size`() {
    let robot = ClubsScene.fault.robot(Size(40, 12), text: String(repeating: "word ", count: 100) + "end.")
    #expect(robot.title == "pier cannot be opened" && !robot.screen.contains("end."))
    robot.press("G")
    #expect(robot.screen.contains("end."))
    robot.press("g")
    #expect(!robot.screen.contains("end."))
    robot.press("q")
    #expect(robot.title == "Clubs" && robot.outcome == nil)
  }

  @Test func `r asks all clubs again, and the answer to the older question is ignored`() {
    let robot = ClubsRobot.list()
    let old = robot.effects[0]
    robot.press("r")
    #expect(robot.take() == ["run clubs"])
    robot.happen(.answered(old, .rows([])))
    #expect(robot.screen.contains("pier"))
    robot.answer(.rows([ClubRow(name: "attic", place: "~")]), .list)
    #expect(robot.screen.contains("attic") && !robot.screen.contains("pier"))
  }

  @Test func `rows go on filling in below another view`() {
    let robot = ClubsRobot.list()
    robot.press("a")
    robot.answer(.rows([ClubRow(name: "attic", place: "~")]), .list)
    #expect(robot.title == "Add a club")
    robot.press("Esc")
    #expect(robot.title == "Clubs" && robot.screen.contains("attic") && robot.outcome == nil)
  }

  @Test func `Esc leads back to the open club, and q quits`() {
    let robot = ClubsRobot.list()
    #expect(robot.footer.contains("Esc back  q quit"))
    robot.press("Esc")
    #expect(robot.outcome == .back)
    let quit = ClubsRobot.list()
    quit.press("q")
    #expect(quit.outcome == .quit)
    let first = ClubsRobot.list(current: nil)
    first.press("Esc")
    #expect(first.outcome == nil && first.notice == "Press q to quit.")
  }

  @Test func `a list without clubs says how to add one`() {
    let robot = ClubsRobot.list(rows: [])
    #expect(robot.screen.contains("No clubs yet. Press a to add one."))
    robot.press("Enter", "i", "d")
    #expect(robot.title == "Clubs" && robot.take().isEmpty)
  }

  // MARK: Lines

  @Test func `the line for a friend is shown from the first column, and y copies it`() {
    let robot = ClubsRobot.list()
    robot.press("i")
    #expect(robot.take() == ["run place home"] && robot.screen.contains("Asking the server ..."))
    robot.answer(.line(ClubsSamples.line))
    #expect(robot.take() == ["run qr \(ClubsSamples.invitation)"])
    #expect(robot.screen.contains("\n\(ClubsSamples.invitation)"))
    robot.press("y")
    #expect(robot.take() == ["copy \(ClubsSamples.invitation)"] && robot.notice == "Copied the line.")
  }

  @Test func `a code for another device is only for clubs that have devices`() {
    let robot = ClubsRobot.list()
    robot.press("d")
    #expect(robot.take().isEmpty)
    #expect(robot.notice == "\"home\" has no devices: only clubs behind byteclub serve have.")
    robot.press("j", "d")
    #expect(robot.take() == ["run device pier"] && robot.title == "Your next device: pier")
  }

  @Test func `the QR code stands where it is seen whole, and else only the line`() {
    #expect(ClubsScene.shownLine.robot(Size(120, 40)).screen.contains("█"))
    #expect(ClubsScene.shownLine.robot(Size(80, 24)).screen.contains("█"))
    for size in [Size(80, 20), Size(40, 12), Size(40, 24)] {
      let robot = ClubsScene.shownLine.robot(size)
      #expect(!robot.screen.contains("█") && robot.screen.contains("https://club.example:8443/join#"))
    }
  }

  @Test func `a line that cannot be made says why, and r asks again`() {
    let robot = ClubsRobot.list()
    robot.press("i")
    robot.fail()
    #expect(robot.screen.contains("! club.example does not answer. Check the address."))
    robot.take()
    robot.press("r")
    #expect(robot.take() == ["run place home"])
  }

  @Test func `where no line can be made, r is not offered`() {
    let robot = ClubsRobot.list()
    robot.press("i")
    robot.fail(StoreError(.badInput, "Only the owner of \"home\" lets a friend in.", remedy: "Ask the owner."))
    #expect(robot.screen.contains("Only the owner of \"home\" lets a friend in. Ask the owner."))
    #expect(!robot.screen.contains("! Only") && !robot.screen.contains("Press r") && !robot.footer.contains("refresh"))
  }

  @Test func `the late line of a view that was left is ignored`() {
    let robot = ClubsRobot.list()
    robot.press("i")
    let late = robot.effects[1]
    robot.press("Esc")
    #expect(robot.take().last == "cancel [clubs.call]" && robot.title == "Clubs")
    robot.press("j", "d")
    robot.happen(.answered(late, .line(ClubsSamples.line)))
    robot.happen(.failed(late, ClubsRobot.refusal))
    #expect(robot.screen.contains("Asking the server ...") && !robot.screen.contains("join#"))
  }
}
