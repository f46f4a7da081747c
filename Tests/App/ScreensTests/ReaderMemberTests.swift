import ClubServices
import FileStores
import TextUI
import Testing

@testable import Screens

/// A member who was invited to read: the app says so before anything is typed.
@Suite struct ReaderMemberTests {
  private static let sentence = "You are a reader of this club: you can read everything and change nothing."

  private func robot(_ size: Size = Size(120, 30), isReader: Bool = true) -> Robot {
    let robot = Robot(size, server: "https://club.example:8443")
    robot.happen(.listed(Samples.table(["a", "b"])))
    robot.happen(.readerKnown(isReader))
    robot.take()
    return robot
  }

  private func isRefused(_ robot: Robot) -> Bool {
    robot.state.frame.notice == Notice("\(StoreError.reader)", isError: true)
      && robot.state.notes.question == nil && robot.state.photos.question == nil
  }

  @Test func `the title says that the club is read-only, in words that fit`() {
    #expect(robot().grid.text(ofRow: 0).contains("pier: https://club.example:8443 (read-only)"))
    #expect(robot(Size(80, 24)).grid.text(ofRow: 0).contains("pier (read-only)"))
    #expect(!robot(isReader: false).screen.contains("(read-only)"))
    let robot = robot()
    robot.happen(.readerKnown(false))
    #expect(!robot.screen.contains("(read-only)"))
  }

  @Test(arguments: ["n", "+", "e", "R", "D", "Y"])
  func `a key in the notes that would change something asks for nothing`(key: String) {
    let robot = robot()
    robot.press(key)
    #expect(isRefused(robot) && robot.screen.contains(Self.sentence))
    #expect(robot.take().isEmpty && robot.view == "")
    #expect(robot.state.notes.files.renaming == nil)
  }

  @Test(arguments: ["i", "e", "R", "D", "Y", "Enter"])
  func `a key in an open note that would change something asks for nothing`(key: String) {
    let robot = robot()
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a", "- [ ] task\n"), .read))
    robot.take()
    robot.press(key)
    #expect(isRefused(robot) && robot.view == "reader", "\(robot.view)")
  }

  @Test func `a check box is not toggled, by the space bar or by the mouse`() {
    let robot = robot()
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a", "- [ ] task\n"), .read))
    robot.press("Tab")
    robot.take()
    robot.press("Space")
    #expect(isRefused(robot) && robot.take().isEmpty)
  }

  @Test(arguments: ["u", "c", "R", "D", "Y"])
  func `a key in the photos that would change something asks for nothing`(key: String) {
    let robot = robot()
    robot.press("2")
    robot.happen(.photos(.listed(Samples.table(["x.jpg"], folder: "photos"))))
    robot.take()
    robot.press(key)
    #expect(isRefused(robot) && robot.state.photos.prompt == nil && robot.state.tab == .photos)
  }

  @Test(arguments: ["note edit a", "note mv a c", "note rm a", "note link a", "photo put /tmp/x.jpg"])
  func `a typed command that would change something asks for nothing`(words: String) {
    let robot = robot()
    robot.press(":")
    robot.type(words + "\n")
    #expect(isRefused(robot) && robot.take().isEmpty)
  }

  @Test(arguments: [["c"], ["m", "Ctrl-S"], ["M", "Ctrl-Q"], ["b", "Ctrl-S"]])
  func `a choice of the resolver that would write something asks for nothing`(keys: [String]) {
    let robot = robot()
    robot.happen(.saved(Samples.path("a"), .conflict(Samples.conflict("a", base: "text")), session: nil))
    #expect(robot.view == "conflict")
    robot.take()
    for key in keys { robot.press(key) }
    #expect(isRefused(robot) && robot.take().isEmpty && robot.view == "conflict")
    // The member may give up a text.
    robot.press("T", "Ctrl-S")
    #expect(robot.view != "conflict" && !robot.take().isEmpty)
  }

  @Test func `a text of a note that is gone does not make it again`() {
    let robot = robot()
    robot.happen(.saved(Samples.path("a"), .conflict(Samples.conflict("a", theirs: nil)), session: nil))
    robot.take()
    robot.press("m")
    #expect(isRefused(robot) && robot.take().isEmpty && robot.view == "conflict")
  }

  @Test func `a reader reads, finds and downloads`() {
    let robot = robot()
    robot.press("Enter")
    #expect(robot.view == "opening" && robot.state.frame.notice == nil)
    robot.press("Esc", "/")
    robot.type("b")
    #expect(robot.state.notes.files.find.field.string == "b" && robot.state.frame.notice == nil)
  }

  @Test func `the server is asked only if its word is not known`() {
    let frame = Frame(
      size: Size(80, 24), abilities: TerminalAbilities(colors: .none), keys: .standard, club: "pier",
      connection: .unknown)
    func asks(_ asksReader: Bool) -> Bool {
      ClubScreen.start(frame, downloadDirectory: "", club: "pier", asksReader: asksReader).1.contains {
        if case .run(.askReader, _) = $0 { true } else { false }
      }
    }
    #expect(asks(true) && !asks(false))
  }
}
