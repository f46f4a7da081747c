import ClubServices
import FileStores
import Testing
import TextUI

@testable import Imaging
@testable import Screens

extension Robot {
  /// The viewed photo becomes a sphere with these hot spots.
  func showTour(_ marks: [PhotoMark] = Samples.marks, view: Tour.View = Tour.View(), isWhole: Bool = true) {
    guard let path = state.photos.viewer?.path else { return }
    happen(photos: .toured(path, .success(PhotoTour(view: view, marks: marks))))
    showSphere(isWhole: isWhole)
  }

  /// The viewed photo is a sphere that looks to the north.
  func showSphere(isWhole: Bool = true) {
    guard let path = state.photos.viewer?.path,
      let pyramid = try? Samples.pyramid(Samples.panorama(width: 400, height: 200))
    else { return }
    let header = Samples.sphereHeader()
    happen(photos: .viewed(path, pyramid, full: header.size, header: header, isWhole: isWhole))
  }
}

extension Samples {
  static func sphereHeader() -> PictureHeader {
    var header = PictureHeader(format: .jpeg, storedSize: PixelSize(width: 400, height: 200))
    var facts = PanoramaFacts()
    facts.projection = "equirectangular"
    facts.fullSize = header.size
    facts.headingDegrees = 0
    header.panorama = facts
    return header
  }

  static let marks = [
    PhotoMark(yawDegrees: 10, pitchDegrees: 0, label: "The hut", target: hut),
    PhotoMark(yawDegrees: 170, pitchDegrees: 20, label: "The lake", target: .none),
    PhotoMark(yawDegrees: -60, pitchDegrees: -10, label: "Who was here", target: .link("Guestbook.md")),
    PhotoMark(yawDegrees: -120, pitchDegrees: 0, label: "Over there", target: .broken("It is not here.")),
  ]

  private static let hut = PhotoMark.Target.photo(
    path("photos/b.jpg"), Tour.Arrival(yaw: .degrees(90), pitch: .same),
    own: Tour.View(yawDegrees: 5, fieldOfViewDegrees: 70))
}

@Suite struct `Hot spots` {
  private func robot(_ size: Size = Size(80, 24), reducedMotion: Bool = false) -> Robot {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], size: size, reducedMotion: reducedMotion)
    robot.press("Enter")
    robot.showTour()
    robot.take()
    return robot
  }

  @Test func `a tour that comes after its photo is read then`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter")
    robot.showSphere()
    robot.take()
    let nothing = ChangeSet(changes: [], cursor: ChangeCursor(""))
    robot.happen(photos: .files(.changed(nothing)))
    #expect(robot.take() == ["run tour photos/a.jpg [photos.tour]"])
    robot.showTour()
    robot.take()
    robot.happen(photos: .files(.changed(nothing)))
    #expect(robot.take().isEmpty)
  }

  @Test func `a remark that another makes is in the open panorama at once`() {
    let robot = robot()
    let (own, other) = (Samples.path("photos/a.jpg"), Samples.path("photos/b.jpg"))
    func tell(_ counts: [StorePath: Int]) -> Bool {
      let remarks = counts.map { ($0, ListedRemarks(count: $1, file: Talk.filePath(of: $0))) }
      robot.happen(photos: .files(.remarks(Dictionary(uniqueKeysWithValues: remarks), isListed: false)))
      return robot.take().contains("run tour photos/a.jpg [photos.tour]")
    }
    #expect(!tell([other: 1]))
    #expect(tell([own: 1, other: 1]))
    #expect(!tell([own: 1, other: 2]))
    let remark = PhotoMark(yawDegrees: 0, pitchDegrees: 8, label: "ann: Look!", target: .none, remark: "aaaaaaaa")
    robot.happen(photos: .toured(own, .success(PhotoTour(marks: Samples.marks + [remark]))))
    #expect(robot.screen.contains("ann: Look!"))
    // A remark that is withdrawn goes, too.
    #expect(tell([:]))
    robot.happen(photos: .toured(own, .success(PhotoTour(marks: []))))
    #expect(!robot.screen.contains("ann: Look!"))
  }

  private func look(_ robot: Robot) throws -> LookAround { try #require(robot.state.photos.viewer?.look) }

  private func isLike(_ one: LookAround, _ other: LookAround) -> Bool {
    abs(one.yawDegrees - other.yawDegrees) < 0.001 && abs(one.pitchDegrees - other.pitchDegrees) < 0.001
  }

  /// Lets the view come to rest; returns the number of ticks.
  @discardableResult
  private func rest(_ robot: Robot) -> Int {
    for tick in 0..<200 {
      robot.take()
      robot.happen(photos: .turned)
      if robot.take().isEmpty { return tick }
    }
    return 200
  }

  @Test func `are drawn where they are, with a label near the middle, and listed in words`() {
    let robot = robot()
    let row = (0..<24).first { robot.grid.text(ofRow: $0).contains("\u{25C6} The hut") && $0 < 19 }
    #expect(row != nil)
    #expect(robot.screen.contains("4 places: Over there \u{B7} Who was here \u{B7} The hut \u{B7} The lake"))
    #expect(robot.footer.contains("Tab place") && !robot.footer.contains("go there"))
  }

  @Test func `Tab turns smoothly to the nearest, then to the next on the right, and Shift-Tab back`() throws {
    let robot = robot()
    robot.press("Tab")
    #expect(robot.state.photos.viewer?.chosenMark == 2)
    #expect(try look(robot).yawDegrees == 0)
    #expect(robot.take() == ["run await the turn [photos.turn]"])
    robot.happen(photos: .turned)
    let yaw = try look(robot).yawDegrees
    #expect(yaw > 1 && yaw < 9)
    #expect(rest(robot) < 30)
    #expect(try abs(look(robot).yawDegrees - 10) < 0.001)
    #expect(robot.screen.contains("[\u{25C6} The hut]") && robot.screen.contains("3 of 4  \u{25C6} The hut  b.jpg"))
    #expect(robot.footer.contains("Enter go there"))
    robot.press("Tab")
    rest(robot)
    let lake = try look(robot)
    #expect(abs(lake.yawDegrees - 170) < 0.001 && abs(lake.pitchDegrees - 20) < 0.001)
    // Around the seam, the short way.
    robot.press("Tab")
    rest(robot)
    #expect(try abs(look(robot).yawDegrees + 120) < 0.001)
    robot.press("Shift-Tab", "Shift-Tab")
    rest(robot)
    #expect(try abs(look(robot).yawDegrees - 10) < 0.001)
  }

  @Test func `with reduced motion the view jumps`() throws {
    let robot = robot(reducedMotion: true)
    robot.press("Tab")
    #expect(try robot.take().isEmpty && abs(look(robot).yawDegrees - 10) < 0.001)
  }

  @Test func `Enter goes to the panorama with its view, and Backspace comes back to the view that was left`() throws {
    let robot = robot(reducedMotion: true)
    robot.press("Tab", "Up", "+")
    let before = try look(robot)
    robot.press("Enter")
    #expect(robot.take().contains("run view photos/b.jpg [photos.view]") && robot.chosen == "photos/b.jpg")
    robot.showSphere()
    let there = try look(robot)
    #expect(abs(there.yawDegrees - 90) < 0.001 && abs(there.pitchDegrees - before.pitchDegrees) < 0.001)
    #expect(abs(there.fieldOfViewDegrees - 70) < 0.001)
    #expect(robot.footer.contains("go back"))
    robot.press("Backspace")
    #expect(robot.take().contains("run view photos/a.jpg [photos.view]"))
    robot.showTour()
    #expect(try abs(look(robot).yawDegrees - before.yawDegrees) < 0.001)
    #expect(try abs(look(robot).fieldOfViewDegrees - before.fieldOfViewDegrees) < 0.001)
    robot.press("Backspace")
    #expect(robot.view == "" && robot.chosen == "photos/a.jpg")
  }

  @Test func `a photo opens with the view of its tour, and 0 comes back to it`() throws {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter")
    robot.showTour(view: Tour.View(yawDegrees: 45, pitchDegrees: 10))
    #expect(try look(robot).yawDegrees == 45 && abs(look(robot).pitchDegrees - 10) < 0.001)
    robot.press("Right", "0")
    #expect(try abs(look(robot).yawDegrees - 45) < 0.001)
  }

  @Test func `one that leads to a note opens it, and closing the note shows the panorama again`() throws {
    let robot = robot(reducedMotion: true)
    robot.happen(.listed(Samples.table(["Guestbook.md"])))
    robot.press("Tab", "Shift-Tab")
    #expect(robot.screen.contains("2 of 4  \u{25C6} Who was here  Guestbook.md"))
    let before = try look(robot)
    robot.take()
    robot.press("Enter")
    #expect(robot.take().contains("run open Guestbook.md to read [notes.open]") && robot.state.tab == .notes)
    robot.happen(.opened(Samples.note("Guestbook.md", "Ada was here.\n"), .read))
    #expect(robot.view == "reader")
    robot.press("q")
    #expect(try robot.state.tab == .photos && robot.view == "viewer" && look(robot) == before)
  }

  @Test func `one that leads nowhere says why, and one that only says something says it`() {
    let robot = robot(reducedMotion: true)
    robot.press("Tab", "Tab", "Enter")
    #expect(robot.notice == "The lake. @ shows the remarks." && robot.take().isEmpty)
    robot.press("Tab", "Enter")
    #expect(robot.notice == "It is not here." && robot.view == "viewer")
  }

  @Test func `an address of the web is asked about first`() {
    let robot = Robot(photos: ["a.jpg"], reducedMotion: true)
    robot.press("Enter")
    robot.showTour([
      PhotoMark(yawDegrees: 0, pitchDegrees: 0, label: "Map", target: .link("https://club.example/map"))
    ])
    robot.press("Tab", "Enter")
    #expect(robot.question == "Open \"https://club.example/map\"?")
    robot.take()
    robot.press("y")
    #expect(robot.take() == ["run open https://club.example/map"])
  }

  @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "#top"])
  func `any other address is refused`(address: String) {
    let robot = Robot(photos: ["a.jpg"], reducedMotion: true)
    robot.press("Enter")
    robot.showTour([PhotoMark(yawDegrees: 0, pitchDegrees: 0, label: "Map", target: .link(address))])
    robot.press("Tab")
    robot.take()
    robot.press("Enter")
    #expect(
      robot.take().isEmpty && robot.view == "viewer" && robot.notice?.contains("byteclub opens hot spots to") == true)
  }

  @Test func `a click on one follows it, and a click beside it takes the picture`() throws {
    let robot = robot(reducedMotion: true)
    let row = try #require((2..<20).first { robot.grid.text(ofRow: $0).contains("The hut") })
    let line = robot.grid.text(ofRow: row)
    let column = try #require(
      line.indices.first { line[$0...].hasPrefix("The hut") }.map {
        line.distance(from: line.startIndex, to: $0)
      })
    robot.mouse(.press, column + 20, row)
    #expect(robot.take().isEmpty)
    robot.mouse(.release, column + 20, row)
    robot.mouse(.press, column, row)
    #expect(robot.take().isEmpty)
    robot.mouse(.release, column, row)
    #expect(robot.take().contains("run view photos/b.jpg [photos.view]"))
  }

  @Test func `a drag that begins on a hot spot turns the view`() throws {
    let robot = robot(reducedMotion: true)
    let row = try #require((2..<20).first { robot.grid.text(ofRow: $0).contains("The hut") })
    let line = robot.grid.text(ofRow: row)
    let start = try #require(line.firstRange(of: "The hut")?.lowerBound)
    let column = line.distance(from: line.startIndex, to: start)
    let yaw = try #require(robot.state.photos.viewer?.look?.yawDegrees)
    robot.mouse(.press, column, row)
    robot.mouse(.drag, column + 3, row)
    robot.mouse(.release, column, row)
    #expect(!robot.take().contains { $0.hasPrefix("run view") })
    #expect(robot.state.photos.viewer?.look?.yawDegrees != yaw)
  }

  @Test func `a tour that cannot be read says why, and the picture opens`() throws {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter")
    robot.happen(
      photos: .toured(
        Samples.path("photos/a.jpg"), .failure(StoreError(.corrupt, "\"a.json\" is no tour.", remedy: ""))))
    robot.showSphere()
    #expect(robot.notice?.hasPrefix("byteclub shows the photo without hot spots. \"a.json\" is no tour.") == true)
    #expect(try look(robot).yawDegrees == 0 && !robot.screen.contains("marks:"))
    // Without hot spots, Tab is the next tab.
    robot.press("Tab")
    #expect(robot.state.tab == .notes)
  }

  @Test func `the tour's title is beside the photo's name`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter")
    robot.happen(photos: .toured(Samples.path("photos/a.jpg"), .success(PhotoTour(title: "The pier", marks: []))))
    robot.showSphere()
    #expect(robot.grid.text(ofRow: 1).hasPrefix(" photos/a.jpg  The pier  "))
  }

  @Test func `a tour of which a part cannot be read shows the rest and says so`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter")
    let fault = "In \"a.json\", hot spot 2 has no yaw. byteclub shows the photo without it."
    robot.happen(photos: .toured(Samples.path("photos/a.jpg"), .success(PhotoTour(marks: Samples.marks, fault: fault))))
    robot.showSphere()
    #expect(robot.notice == fault && robot.screen.contains("places:"))
  }

  @Test func `flat, there are none`() {
    let robot = robot()
    robot.press("v")
    #expect(!robot.screen.contains("The hut") && !robot.footer.contains("Tab place"))
  }

  @Test func `L asks for the panorama behind a door, and Enter makes it and shows the view again`() throws {
    let robot = robot(reducedMotion: true)
    robot.press("Right", "Up")
    let before = try look(robot)
    robot.press("L")
    #expect(robot.view == "" && robot.screen.contains("Enter: the panorama behind the door in a.jpg"))
    // A photo has no door to itself.
    robot.take()
    robot.press("Enter")
    #expect(robot.take().isEmpty && robot.notice == "A door leads to another photo.")
    robot.press("Down", "Enter")
    let (yaw, pitch) = (Int(before.yawDegrees.rounded()), Int(before.pitchDegrees.rounded()))
    let asked = robot.take()
    #expect(asked.contains("run view photos/a.jpg [photos.view]"))
    #expect(asked.contains("run door from photos/a.jpg @\(yaw),\(pitch) heading \(yaw) to photos/b.jpg"))
    robot.showTour()
    #expect(try isLike(look(robot), before) && !robot.screen.contains("behind the door"))
    robot.take()
    robot.happen(photos: .doorMade(from: Samples.path("photos/a.jpg"), to: Samples.path("photos/b.jpg"), waiting: nil))
    #expect(robot.take() == ["run tour photos/a.jpg [photos.tour]"])
    #expect(robot.notice == "A door leads to \"photos/b.jpg\" now, and one there leads back.")
  }

  private static let door = PhotoMark(yawDegrees: 5, pitchDegrees: 0, label: "quay", target: .none, door: "aaaaaaaa")

  @Test func `X asks, and withdraws the chosen door with the way back`() {
    let robot = Robot(photos: ["a.jpg"], reducedMotion: true)
    robot.press("Enter")
    robot.showTour([Self.door])
    #expect(!robot.footer.contains("X withdraw"))
    robot.press("Tab")
    #expect(robot.footer.contains("X withdraw"))
    robot.press("X")
    #expect(robot.question == "Withdraw the door \"quay\" and the way back?")
    robot.press("n")
    robot.take()
    robot.press("X", "y")
    #expect(robot.take() == ["run withdraw the door aaaaaaaa in photos/a.jpg"])
    robot.happen(photos: .doorWithdrawn(in: Samples.path("photos/a.jpg"), waiting: nil))
    #expect(robot.notice == "The door is withdrawn, with the way back that was made with it.")
    #expect(robot.take() == ["run tour photos/a.jpg [photos.tour]"])
    robot.happen(
      photos: .doorWithdrawn(in: Samples.path("photos/a.jpg"), waiting: StoreError(.offline, "Away.")))
    #expect(robot.notice?.hasPrefix("The withdrawal waits on this machine. Away.") == true)
  }

  @Test func `Enter on a chosen remark opens the remarks at it, and one that is gone leaves the last one selected`() {
    let path = Samples.path("photos/a.jpg")
    let items = ["aaaaaaa1", "aaaaaaa2", "aaaaaaa3"].map { id in
      TalkItem(
        member: "ann", time: Timestamp(seconds: Samples.now), id: id, aim: .direction(yaw: 5, pitch: 0), text: id
      ).markdown
    }
    for (id, selected) in [("aaaaaaa2", "aaaaaaa2"), ("gone", "aaaaaaa3")] {
      let robot = Robot(photos: ["a.jpg"], reducedMotion: true)
      robot.press("Enter")
      robot.showTour([PhotoMark(yawDegrees: 5, pitchDegrees: 0, label: "ann: Hello", target: .none, remark: id)])
      robot.press("Tab")
      robot.take()
      robot.press("Enter")
      #expect(robot.state.talk?.thing == path && robot.state.talk?.typing == nil)
      #expect(robot.take().contains("run read the remarks on photos/a.jpg [talk.load]"))
      robot.happen(.talk(.loaded(path, Talk(Array(items.joined().utf8)))))
      #expect(robot.state.talk?.selected?.id == selected)
      robot.press("Enter", "y", "Enter")
      #expect(robot.take().last == "run say \"y\" reply(to: \"\(selected)\") on photos/a.jpg")
    }
  }

  @Test(arguments: [TerminalAbilities(colors: .none), TerminalAbilities(colors: .none, asciiOnly: true)])
  func `the chosen one differs from the others without colour, in the picture and in the line of words`(
    abilities: TerminalAbilities
  ) {
    let robot = Robot(photos: ["a.jpg"], abilities: abilities, reducedMotion: true)
    robot.press("Enter")
    robot.showTour()
    #expect(!robot.screen.contains(" The hut]") && robot.screen.contains("4 places: "))
    robot.press("Tab")
    #expect(robot.screen.contains(" The hut]") && robot.screen.contains("3 of 4  "))
  }

  @Test func `X on another hot spot says why nothing goes, and a reader withdraws none`() {
    let robot = Robot(photos: ["a.jpg"], reducedMotion: true)
    robot.press("Enter")
    robot.showTour([PhotoMark(yawDegrees: 5, pitchDegrees: 0, label: "ann: Hello", target: .none)])
    robot.press("X")
    #expect(robot.notice == "Tab chooses a hot spot first.")
    robot.press("Tab", "X")
    #expect(robot.notice == "This is no door. @ shows the remarks." && robot.question == nil)
    robot.showTour([PhotoMark(yawDegrees: 5, pitchDegrees: 0, label: "hut", target: .link("Guestbook.md"))])
    robot.press("Tab", "X")
    #expect(robot.notice?.hasPrefix("This hot spot is in the file of a tour.") == true && robot.question == nil)
    robot.showTour([Self.door])
    robot.press("Tab")
    robot.happen(.readerKnown(true))
    robot.press("X")
    #expect(robot.question == nil && robot.notice?.hasPrefix("You are a reader of this club") == true)
  }

  @Test(arguments: ["Esc", "q"])
  func `a key that leads back from the choice shows the panorama as it was, and makes nothing`(key: String) throws {
    let robot = robot(reducedMotion: true)
    robot.press("Right")
    let before = try look(robot)
    robot.press("L", "Down", key)
    #expect(robot.view == "viewer" && !robot.take().contains { $0.hasPrefix("run door") || $0 == "quit" })
    robot.showTour()
    #expect(try isLike(look(robot), before))
  }

  @Test func `a door that waits says so, and a flat photo or a reader makes none`() {
    let robot = robot()
    robot.happen(
      photos: .doorMade(
        from: Samples.path("photos/a.jpg"), to: Samples.path("photos/b.jpg"), waiting: StoreError(.offline, "Away.")))
    #expect(robot.notice?.hasPrefix("The door waits on this machine. Away.") == true)
    robot.press("v", "L")
    #expect(robot.view == "viewer" && robot.notice?.hasPrefix("The photo is shown flat.") == true)
    let reader = self.robot()
    reader.happen(.readerKnown(true))
    reader.press("L")
    #expect(reader.view == "viewer" && reader.notice?.hasPrefix("You are a reader of this club") == true)
  }

  @Test func `labels of others cannot drive the terminal`() {
    let robot = Robot(photos: ["a.jpg"], reducedMotion: true)
    robot.press("Enter")
    robot.showTour([PhotoMark(yawDegrees: 0, pitchDegrees: 0, label: "a\u{1B}[2Jb\nc", target: .none)])
    robot.press("Tab")
    let grid = robot.grid
    for row in 0..<24 {
      for column in 0..<80 { #expect(grid[column, row].base >= 0x20 || grid[column, row].width == 0) }
    }
  }
}
