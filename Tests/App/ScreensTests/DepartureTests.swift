import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// Leaving a club for another one, for the list of clubs, or to sign in.
@Suite struct DepartureTests {
  private func robot(server: String? = nil, size: Size = Size(80, 24), canSignIn: Bool = false) -> Robot {
    let robot = Robot(size, server: server, clubs: ["garage", "home", "pier"], canSignIn: canSignIn)
    robot.happen(.notes(.listed(Samples.table(["a.md", "b.md"]))))
    robot.take()
    return robot
  }

  private func enter(_ line: String, _ robot: Robot) {
    robot.press(":")
    robot.type(line)
    robot.press("Enter")
  }

  private static let invitation = "https://club.example:8443/join#CODE.PIN"

  @Test(arguments: [
    ("club", Departure.clubs(.list)), ("club add", .clubs(.add)), ("club garage", .club("garage")),
    ("join \(invitation)", .clubs(.join(invitation))), ("join \"<\(invitation)>.\"", .clubs(.join("<\(invitation)>."))),
  ])
  func `the command line leads to another club, and to the screen of clubs`(line: String, next: Departure) {
    for tab in ["1", "2"] {
      let robot = robot()
      robot.press(tab)
      robot.take()
      enter(line, robot)
      #expect(robot.take().last == "quit" && robot.state.next == next)
    }
  }

  @Test func `L leads to the list of clubs, from a list and from a note`() {
    let robot = robot()
    robot.press("L")
    #expect(robot.take() == ["quit"] && robot.state.next == .clubs(.list))
    let reading = self.robot()
    reading.press("Enter")
    reading.happen(.opened(Samples.note("a.md", "text"), .read))
    reading.take()
    reading.press("L")
    #expect(reading.take().last == "quit" && reading.state.next == .clubs(.list))
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(200, 60)])
  func `the club's name is a button, and the words about its connection are none`(size: Size) throws {
    let robot = robot(server: "/club at https://club.example", size: size)
    robot.happen(.connection(.online))
    robot.take()
    let line = robot.grid.text(ofRow: 0)
    let name = try #require(line.firstRange(of: "pier"))
    let start = line.distance(from: line.startIndex, to: name.lowerBound)
    let mark = try #require(line.firstRange(of: "online"))
    for x in [start - 1, line.distance(from: line.startIndex, to: mark.lowerBound)] {
      robot.mouse(.press, x, 0)
      #expect(robot.take().isEmpty && robot.state.next == nil)
    }
    robot.mouse(.press, start, 0)
    #expect(robot.take() == ["quit"] && robot.state.next == .clubs(.list))
  }

  @Test func `the name is a button over an editor, too: the open text is a draft, and nothing is asked`() throws {
    let robot = robot()
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.press("i")
    robot.type("my ")
    robot.take()
    let line = robot.grid.text(ofRow: 0)
    let name = try #require(line.firstRange(of: "home"))
    robot.mouse(.press, line.distance(from: line.startIndex, to: name.lowerBound), 0)
    #expect(robot.take() == ["quit"] && robot.state.next == .clubs(.list) && robot.question == nil)
  }

  @Test func `a name that no club has, and that of the open club, stay here with a sentence`() {
    let robot = robot()
    enter("club grage", robot)
    #expect(robot.notice == "There is no club \"grage\" on this machine. L lists the clubs.")
    enter("club home", robot)
    #expect(robot.notice == "The club \"home\" is open.")
    enter("join", robot)
    #expect(robot.notice == "Usage: join LINE")
    #expect(robot.take().isEmpty && robot.state.next == nil)
  }

  @Test func `Tab completes the names of clubs`() {
    let robot = robot()
    robot.press(":")
    robot.type("club ")
    robot.press("Tab")
    #expect(robot.notice == "add  garage  home  pier")
    robot.type("g")
    robot.press("Tab")
    #expect(robot.state.line?.field.string == "club garage ")
  }

  @Test(arguments: ["join ", "byteclub join ", "byteclub join --name ray ", "", "byteclub "])
  func `an invitation leads to joining, and is neither shown nor kept among the earlier lines`(words: String) throws {
    let robot = robot()
    enter("club grage", robot)
    robot.take()
    enter(words + Self.invitation, robot)
    #expect(robot.state.history == ["club grage"] && robot.notice?.contains("CODE") != true)
    guard case .clubs(.join(let line)) = try #require(robot.state.next) else {
      Issue.record("Another place")
      return
    }
    #expect(line.hasSuffix(Self.invitation) && robot.take().last == "quit")
  }

  @Test func `texts that wait are asked about first: l leaves, Esc stays`() {
    let robot = robot()
    robot.happen(.waiting([Samples.unsent("a.md", "my text")]))
    robot.take()
    enter("club garage", robot)
    #expect(
      robot.question?.hasSuffix("It is kept here and sent when you come back.") == true, "\(robot.question ?? "")")
    robot.press("Esc")
    #expect(robot.take().isEmpty && robot.state.next == nil)
    robot.press("q")
    #expect(robot.question?.hasSuffix("It is kept here and sent at the next start.") == true)
    robot.press("Esc")
    enter("club garage", robot)
    robot.press("l")
    #expect(robot.take() == ["quit"] && robot.state.next == .club("garage"))
  }

  @Test func `transfers go on beside the next club, and only a file that is being checked holds the member up`() {
    let robot = robot()
    robot.happen(transfers: .appeared(Samples.transfer("t1", "1.jpg")))
    robot.take()
    robot.press("L")
    #expect(robot.take() == ["quit"] && robot.question == nil)
    let checking = self.robot()
    enter("photo put ~/a.jpg", checking)
    checking.take()
    checking.press("L")
    #expect(checking.take().isEmpty && checking.state.next == nil)
    #expect(checking.notice == "byteclub is checking a file for its transfer. Leave the club in a moment.")
  }

  @Test func `while byteclub stops its transfers to quit, no other club opens`() {
    func asked(_ answer: String) -> Robot {
      let robot = robot()
      robot.happen(transfers: .appeared(Samples.transfer("t1", "1.jpg")))
      robot.press("q")
      robot.happen(transfers: .leaveAsked(isElsewhere: false))
      robot.press(answer)
      robot.take()
      return robot
    }
    for answer in ["p", "b"] {
      let robot = asked(answer)
      robot.press("L")
      #expect(robot.take().isEmpty && robot.state.next == nil && robot.notice == "byteclub is about to quit.")
    }
    let waiting = asked("w")
    waiting.press("L")
    #expect(waiting.take().last == "quit" && waiting.state.next == .clubs(.list) && waiting.state.leaving == nil)
  }

  @Test func `a signal quits whatever the member was about to open`() {
    let robot = robot()
    robot.happen(.waiting([Samples.unsent("a.md", "my text")]))
    robot.press("L")
    robot.send(.terminate)
    #expect(robot.take().last == "quit" && robot.state.next == nil)
  }

  // MARK: Signing in

  private let ended = StoreError(
    .notSignedIn, "You are not signed in.", remedy: "Sign in with: byteclub login --club pier")

  @Test func `a missing sign-in names the key, in place of the list and as a notice, and A leads to it`() {
    let robot = Robot(server: "/club", canSignIn: true)
    robot.happen(.listFailed(ended))
    #expect(robot.screen.contains("Press A to sign in.") && !robot.screen.contains("byteclub login"))
    let listed = self.robot(server: "/club", canSignIn: true)
    listed.happen(.listFailed(ended))
    #expect(listed.notice == "Not signed in. Press A to sign in.")
    listed.happen(.waiting([Samples.unsent("a.md", "my text")]))
    listed.take()
    // What waits needs the sign-in, so nothing is asked about it.
    listed.press("A")
    #expect(listed.take() == ["quit"] && listed.state.next == .clubs(.signIn(club: "pier")))
  }

  @Test func `without a sign-in of byteclub's own the key says so, and errors name the command`() {
    let robot = robot()
    robot.press("A")
    #expect(robot.take().isEmpty && robot.notice == "byteclub keeps no sign-in for this club.")
    robot.happen(.listFailed(ended))
    #expect(robot.notice?.contains("byteclub login --club pier") == true)
  }
}
