import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// The wall over the app: its keys, its words and its page for phones.
@Suite struct WallScreenTests {
  private let page = ShownDropPage(Samples.dropPage(giver: nil), code: ClubsSamples.qr, warnings: [])
  private let url = Samples.dropPage().url

  private func rows(_ robot: Robot) -> [String] {
    (0..<robot.grid.size.height).map { robot.grid.text(ofRow: $0) }
  }

  @Test func `V opens the wall and reads the first photo, and a line says the keys for a moment`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("V")
    let asked = robot.take()
    #expect(asked.contains("run read for the wall photos/a.jpg [wall.read]"))
    #expect(asked.contains { $0.hasSuffix("[wall.hush]") })
    #expect(robot.screen.contains("Space pauses") && robot.screen.contains("Esc leaves"))
    robot.happen(.wall(.hushed))
    #expect(!robot.screen.contains("Space pauses") && robot.screen.contains("Loading."))
    robot.showOnWall("a.jpg")
    #expect(robot.wallName == "a.jpg" && robot.take().contains("run read for the wall photos/b.jpg [wall.read]"))
  }

  @Test func `name, member, caption and remarks take three rows at most, and the photo has the rest`() {
    let robot = Robot(wall: ["a.jpg", "b.jpg"])
    robot.happen(.wall(.hushed))
    let rows = rows(robot)
    #expect(rows[21].contains("a.jpg") && rows[21].contains("mia"))
    #expect(rows[22].contains("Low tide at the old pier"))
    #expect(rows[23].contains("ray: That is the vice.") && rows[23].contains("ann: Two metres"))
    #expect(rows[..<21].allSatisfy { row in !row.contains("a.jpg") && !row.contains("Byte Club") })
    let bare = Robot(wall: ["a.jpg", "b.jpg"], words: WallWords())
    #expect(bare.grid.text(ofRow: 23).contains("a.jpg"))
  }

  @Test(arguments: ["Esc", "q", "Ctrl-C"]) func `these keys lead back to the list, at the photo in sight`(key: String) {
    let robot = Robot(wall: ["a.jpg", "b.jpg"])
    robot.press("Right")
    robot.showOnWall("b.jpg")
    robot.take()
    robot.press(key)
    #expect(robot.wall == nil && robot.state.tab == .photos && robot.chosen == "photos/b.jpg")
    let asked = robot.take()
    #expect(asked.contains("cancel [wall.read]") && asked.contains("cancel [wall.tick]") && !asked.contains("quit"))
  }

  @Test(arguments: ["x", "Enter", "D", "?", ":", "1", "F5"]) func `any other key says the keys, and does nothing else`(
    key: String
  ) {
    let robot = Robot(wall: ["a.jpg", "b.jpg"])
    robot.happen(.wall(.hushed))
    robot.take()
    robot.press(key)
    #expect(robot.screen.contains("Space pauses") && robot.wallName == "a.jpg" && robot.state.tab == .photos)
    #expect(robot.take().allSatisfy { $0.hasSuffix("[wall.hush]") })
  }

  @Test func `the mouse and a paste do nothing`() {
    let robot = Robot(wall: ["a.jpg", "b.jpg"])
    robot.mouse(.press, 3, 0)
    robot.mouse(.press, 3, 23)
    robot.paste("q")
    #expect(robot.wallName == "a.jpg" && robot.take().isEmpty)
  }

  @Test(arguments: [("wall", false), ("wall ask", true), ("wall --ask", true)])
  func `the command line opens the wall`(line: String, asks: Bool) {
    let robot = Robot(notes: ["a.md"])
    robot.press(":")
    robot.type("\(line)\n")
    #expect(robot.wall != nil && robot.take().contains("run ask anyone for photos") == asks)
  }

  @Test func `the app that begins with the wall ends with it`() {
    let frame = Frame(
      size: Size(80, 24), abilities: TerminalAbilities(colors: .trueColor), keys: .standard, club: "home: ~")
    var (state, commands) = ClubScreen.start(
      frame, downloadDirectory: "~", club: "home", wall: WallStart(seconds: 7, asks: true))
    #expect(state.wall?.seconds == 7 && commands.map(Spelling.of).contains("run ask anyone for photos"))
    let end = ClubScreen.update(&state, .wall(.input(.command(.quit)))).map(Spelling.of)
    #expect(state.wall == nil && end.contains("quit"))
  }

  @Test func `U asks for photos, the code is in the corner, and U hides it`() {
    let robot = Robot(wall: ["a.jpg", "b.jpg"], size: Size(120, 40))
    robot.press("U")
    #expect(robot.take().contains("run ask anyone for photos"))
    robot.happen(photos: .dropPageMade(page))
    let code = ClubsSamples.qr.lines
    let rows = rows(robot)
    for (index, line) in code.enumerated() {
      #expect(rows[37 - code.count + index].hasSuffix(line.trimmingSuffix), "\(index)")
    }
    #expect(robot.state.photos.views.isEmpty)
    robot.press("U")
    #expect(!robot.screen.contains(code[1].trimmingSuffix) && robot.take().isEmpty)
    robot.press("U")
    #expect(robot.screen.contains(code[1].trimmingSuffix))
  }

  @Test(arguments: [Size(40, 12), Size(44, 24)]) func `where the code does not fit, the address is whole`(size: Size) {
    let robot = Robot(wall: ["a.jpg", "b.jpg"], size: size)
    robot.happen(photos: .dropPageMade(page))
    #expect(rows(robot).map { $0.filter { $0 != " " } }.joined().contains(url))
    #expect(robot.screen.contains("ray:") == (size.height > 12))
    #expect(robot.screen.contains("a.jpg") && robot.screen.contains("Low tide"))
  }

  @Test func `a club without photos says how to bring them, and the first one is shown`() {
    let robot = Robot(photos: [])
    robot.press("V")
    #expect(robot.screen.contains("No photos yet.") && robot.screen.contains("byteclub photo put FILE"))
    robot.happen(photos: .dropPageMade(page))
    #expect(robot.screen.contains(url))
    robot.bring("new.jpg")
    #expect(robot.take().contains("run read for the wall photos/new.jpg [wall.read]"))
    robot.showOnWall("new.jpg")
    #expect(robot.wallName == "new.jpg")
  }

  @Test func `a server that has no pages, and a reader, get their reason in a line`() {
    let robot = Robot(wall: ["a.jpg", "b.jpg"])
    let error = StoreError(.notPermitted, "No photos.", remedy: "Ask the owner: byteclub serve --drop-pages")
    robot.happen(photos: .failed(.askForPhotos(giver: ""), error))
    #expect(robot.grid.text(ofRow: 0).contains("serve --drop-pages") && robot.notice == nil)
    robot.happen(.readerKnown(true))
    robot.press("U")
    #expect(robot.grid.text(ofRow: 0).contains("\(StoreError.reader)".prefix(40)))
    #expect(!robot.take().contains { $0.hasPrefix("run ask") })
  }

  @Test func `an outage is a word beside the name, and a new remark is read`() {
    let robot = WallScene.offline.robot(Size(80, 24))
    #expect(robot.grid.text(ofRow: 21).hasSuffix("offline") && !robot.screen.contains("server is away"))
    robot.take()
    robot.happen(photos: .remarks([:]))
    #expect(robot.take().contains("run read the words of photos/pier.jpg [wall.words]"))
    var words = Samples.wallWords
    words.remarks = ["eve: New."]
    robot.happen(.wall(.worded(Samples.path("photos/pier.jpg"), words)))
    #expect(robot.grid.text(ofRow: 23).contains("eve: New."))
  }

  @Test func `with a photo in sight, no clock of the loop runs`() {
    let robot = Robot(wall: ["a.jpg", "b.jpg"])
    robot.happen(transfers: .appeared(Samples.transfer("t1", "c.jpg")))
    #expect(ClubScreen.tick(robot.state) == nil)
  }

  @Test(arguments: [Size(40, 12), Size(200, 60), Size(80, 24)]) func `the photo follows the size of the screen`(
    size: Size
  ) {
    let robot = Robot(wall: ["a.jpg", "b.jpg"], size: Size(120, 40))
    robot.resize(size.width, size.height)
    let fresh = Robot(wall: ["a.jpg", "b.jpg"], size: size)
    for robot in [robot, fresh] { robot.happen(.wall(.hushed)) }
    #expect(robot.screen == fresh.screen)
  }
}

extension String {
  /// Without the blanks at its end, which a row of the screen does not have either.
  fileprivate var trimmingSuffix: String { String(reversed().drop { $0 == " " }.reversed()) }
}
