import Testing
import TextUI

@testable import Screens

/// The choice of a club's place, and what works everywhere on the screen.
@Suite struct ClubPlacesTests {
  @Test func `Enter at the first start makes the club of this machine`() {
    let robot = ClubsRobot()
    #expect(robot.title == "Where is your club?")
    robot.press("Enter")
    #expect(robot.outcome == .thisMachine && robot.take() == ["quit"])
  }

  @Test(arguments: [
    (["j", "Enter"], "An invitation"), (["2", "Enter"], "An invitation"), (["3", "Enter"], "Dropbox"),
    (["Down", "j", "j", "Enter"], "Nextcloud or WebDAV"), (["G", "k", "Enter"], "S3"),
    (["9", "Enter"], "Where is your club?"),
  ])
  func `arrows, letters and digits choose, and Enter takes`(row: (keys: [String], title: String)) {
    let robot = ClubsRobot()
    for key in row.keys { robot.press(key) }
    #expect(robot.title == row.title)
  }

  @Test func `the demo is the last choice`() {
    let robot = ClubsRobot()
    robot.press("G", "Enter")
    #expect(robot.outcome == .demo)
  }

  @Test func `a click chooses, and a second one takes`() {
    let robot = ClubsRobot()
    robot.click("Dropbox")
    #expect(robot.title == "Where is your club?" && robot.outcome == nil)
    robot.click("Dropbox")
    #expect(robot.title == "Dropbox")
  }

  @Test func `a pasted invitation is taken at once`() {
    let robot = ClubsRobot()
    robot.paste("\(ClubsSamples.invitation)\n")
    #expect(robot.take() == ["run join \(ClubsSamples.invitation)"])
    #expect(robot.screen.contains("Asking the server ..."))
    robot.answer(.joined(.joined(club: "pier", said: "You are ann.")))
    #expect(robot.outcome == .open(club: "pier", said: "You are ann."))
  }

  @Test func `adding a club offers neither this machine nor the demo where a club is open`() {
    let robot = ClubsRobot(.add, current: "home")
    #expect(robot.title == "Add a club")
    #expect(!robot.screen.contains("On this machine") && !robot.screen.contains("Look around"))
    #expect(robot.screen.contains("An invitation") && robot.screen.contains("S3"))
    robot.press("Esc")
    #expect(robot.outcome == .back)
  }

  @Test func `the club of this machine can be added where it is missing`() {
    let robot = ClubsRobot(.add, current: "pier", offersThisMachine: true)
    #expect(robot.screen.contains("On this machine"))
    robot.press("Enter")
    #expect(robot.outcome == .thisMachine)
  }

  @Test func `Esc at the first start does not quit, q does`() {
    let robot = ClubsRobot()
    robot.press("Esc")
    #expect(robot.outcome == nil && robot.notice == "Press q to quit.")
    robot.press("q")
    #expect(robot.outcome == .quit && robot.take() == ["quit"])
  }

  @Test func `Ctrl-C asks before it quits, and leads back from a view`() {
    let robot = ClubsRobot()
    robot.press("2", "Enter", "Ctrl-C")
    #expect(robot.title == "Where is your club?" && robot.question == nil)
    robot.press("Ctrl-C")
    #expect(robot.question == "Quit byteclub?")
    robot.press("n")
    #expect(robot.question == nil && robot.outcome == nil)
    robot.press("Ctrl-C", "y")
    #expect(robot.outcome == .quit)
  }

  @Test func `the end of the terminal quits`() {
    let robot = ClubsRobot.form()
    robot.send(.terminate)
    #expect(robot.outcome == .quit && robot.take() == ["quit"])
  }

  @Test(arguments: ClubsScene.allCases)
  func `redraw, suspend, resize and F1 work in each view, and too small a terminal is said`(scene: ClubsScene) {
    let robot = scene.robot()
    robot.take()
    robot.press("Ctrl-L", "Ctrl-Z")
    #expect(robot.take() == ["redraw", "suspend"])
    let title = robot.title
    robot.press("F1")
    let ids = robot.state.help?.sections.flatMap(\.rows).map(\.id) ?? []
    #expect(ids.contains("help") && !ids.contains("tab.photos") && robot.screen.contains("Type to find a key"))
    robot.press("Esc")
    #expect(robot.state.help == nil && robot.title == title)
    robot.send(.resize(Size(39, 12)))
    #expect(robot.screen.contains("terminal too small: 40x12 is enough"))
    robot.send(.resize(Size(40, 12)))
    #expect(robot.screen.hasPrefix(" Byte Club"))
  }

  @Test func `the help runs the chosen command`() {
    let robot = ClubsRobot.list()
    robot.press("?")
    robot.type("add a club")
    robot.press("Enter")
    #expect(robot.state.help == nil && robot.title == "Add a club")
  }

  @Test func `a key without a meaning is reported once`() {
    let robot = ClubsRobot()
    robot.press("x")
    #expect(robot.notice == "x does nothing here. ? shows the keys.")
    robot.press("x")
    #expect(robot.notice == nil)
  }

  @Test(arguments: ClubsScene.allCases)
  func `no cell holds what drives a terminal`(scene: ClubsScene) {
    for (_, bytes) in HostileTests.payloads {
      for size in [Size(80, 24), Size(40, 12)] {
        let grid = scene.robot(size, text: String(decoding: bytes, as: UTF8.self)).grid
        for y in 0..<size.height {
          let unsafe = grid.text(ofRow: y).unicodeScalars.contains { scalar in
            let category = scalar.properties.generalCategory
            return category == .control || category == .format || category == .lineSeparator
          }
          #expect(!unsafe)
        }
      }
    }
  }

  @Test func `pasted text loses its controls, and is 4 KiB at most`() {
    func pasted(_ text: String) -> String { String(decoding: PastedLine.bytes(Array(text.utf8)), as: UTF8.self) }
    #expect(pasted("a\u{1B}[31mb\tc\u{9B}d\u{7F}") == "a[31mbcd")
    #expect(pasted("\nhttps://x/join#AAAA\nBBBB\r\n") == "https://x/join#AAAA BBBB")
    #expect(pasted(String(repeating: "é", count: 3000)) == String(repeating: "é", count: 2048))
    #expect(pasted(String(repeating: "a", count: 4095) + "é") == String(repeating: "a", count: 4095))
  }
}
