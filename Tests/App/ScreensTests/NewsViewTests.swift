import ClubServices
import FileStores
import Imaging
import Testing
import TextUI

@testable import Screens

/// The screen that says what happened, over any tab.
@Suite struct NewsViewTests {
  private static func happening(
    _ path: String, _ kind: Happening.Kind = .file, by member: String? = "ray", ago: Int64
  ) -> Happening {
    Happening(
      time: Timestamp(seconds: Samples.now - ago), member: member, thing: Samples.path(path), kind: kind)
  }

  private static let happenings = [
    happening("b.md", ago: 60), happening("photos/pier.jpg", .remark("That is\nthe vice."), ago: 120),
    happening("photos/pier.jpg", .door("quay"), by: "ann", ago: 180),
    happening("photos/pier.jpg", .caption, by: nil, ago: 40 * 86_400),
  ]

  private func robot(_ happenings: [Happening] = happenings, size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"], size: size)
    robot.happen(photos: .files(.listed(Samples.table(["pier.jpg"], folder: "photos"))))
    robot.press("w")
    robot.happen(.news(.loaded(happenings)))
    return robot
  }

  @Test func `w and the command read what happened`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("w")
    #expect(robot.take().contains("run read what happened [news.read]"))
    #expect(robot.screen.contains("What happened") && robot.screen.contains("Loading."))
    robot.press("Esc")
    #expect(robot.take().contains("cancel [news.read]") && robot.screen.contains("a.md"))
    robot.press(":")
    robot.type("news")
    robot.press("Enter")
    #expect(robot.take().contains("run read what happened [news.read]"))
  }

  @Test func `a day and a member are named once, and each row says what happened`() {
    let robot = robot()
    let rows = (0..<24).map { robot.grid.text(ofRow: $0) }
    #expect(rows.count { $0.contains(Age.date(of: Int(Samples.now))) } == 1)
    #expect(rows.count { $0.contains("ray") } == 1 && rows.count { $0.contains("ann") } == 1)
    #expect(robot.screen.contains("photos/pier.jpg \"That is the vice.\""))
    #expect(robot.screen.contains("photos/pier.jpg has a door: quay"))
    #expect(robot.screen.contains("photos/pier.jpg has a caption"))
    #expect(robot.footer.contains("Enter go there"))
  }

  @Test func `a narrow screen says what happened, and the year of another one`() {
    let old = Self.happening("photos/pier.jpg", ago: 400 * 86_400)
    let robot = robot(Self.happenings + [old], size: Size(40, 12))
    #expect(robot.screen.contains("pier.jpg \"That is t"), "\(robot.screen)")
    #expect(robot.screen.contains("pier.jpg has a door"))
    let days = [Int(Samples.now), Int(Samples.now) - 400 * 86_400].map { Age.date(of: $0) }
    #expect(robot.screen.contains(" \(days[0].dropFirst(5)) ") && robot.screen.contains(" \(days[1].prefix(7)) "))
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(200, 60)])
  func `the name of a guest is whole, and is no member's`(size: Size) {
    let robot = robot(
      [
        Self.happening("photos/pier.jpg", by: "Mia (a guest of ray)", ago: 60),
        Self.happening("photos/quay.jpg", by: "ray", ago: 61),
      ], size: size)
    let rows = (0..<size.height).map { robot.grid.text(ofRow: $0) }
    #expect(rows.contains { $0.contains(" Mia (a guest of ray)  ") && $0.contains("photos/pier.jpg") })
    #expect(rows.contains { $0.contains(" ray   ") && $0.contains("photos/quay.jpg") })
  }

  @Test func `a name that another member brought says so once it is compared`() {
    func said(_ bringer: String?) -> Happening {
      Happening(
        time: Timestamp(seconds: Samples.now - 60), member: "ann", broughtBy: bringer, thing: Samples.path("b.md"),
        kind: .remark("Mine."))
    }
    let robot = robot([said(nil)])
    #expect(!robot.screen.contains("ann?"))
    robot.happen(.news(.loaded([said("eve")])))
    #expect(robot.screen.contains("ann? brought by eve"))
  }

  @Test func `a file that is new is marked`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    let mark = NewsMark(revision: Revision("r2"), before: nil, member: "ray")
    robot.happen(.notes(.files(.news([Samples.path("b.md"): mark], isListed: true))))
    robot.press("w")
    robot.happen(.news(.loaded(Self.happenings)))
    #expect((0..<24).count { robot.grid.text(ofRow: $0).contains("\u{25CF} b.md") } == 1)
  }

  @Test func `Enter goes to a note, and to a photo with its remarks over it`() {
    let robot = robot()
    robot.take()
    robot.press("Enter")
    #expect(robot.state.news == nil && robot.state.tab == .notes)
    #expect(robot.take().contains("run open b.md to read [notes.open]"))
    let second = self.robot()
    second.take()
    second.press("Down", "Enter")
    #expect(second.state.tab == .photos && second.state.talk != nil)
    let asked = second.take()
    #expect(asked.contains("run view photos/pier.jpg [photos.view]"))
    #expect(asked.contains("run read the remarks on photos/pier.jpg [talk.load]"))
    second.press("Esc")
    #expect(second.view == "viewer")
  }

  @Test func `a door leads to its photo without remarks`() {
    let robot = robot()
    robot.press("End", "Up", "Enter")
    #expect(robot.state.tab == .photos && robot.state.talk == nil && robot.view == "viewer")
  }

  @Test func `a failure is said in its place, and r tries again`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("w")
    robot.happen(.news(.failed(StoreError(.offline, "The server does not answer."))))
    #expect(robot.screen.contains("byteclub could not read what happened. The server does not answer."))
    robot.take()
    robot.press("r")
    #expect(robot.take().contains("run read what happened [news.read]"))
    robot.happen(.news(.loaded([])))
    #expect(robot.screen.contains("Nothing yet."))
    robot.press("Enter", "Down", "G")
    #expect(robot.state.news != nil)
  }

  @Test func `an answer that comes after the screen is closed changes nothing`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("w", "q")
    robot.happen(.news(.loaded(Self.happenings)))
    #expect(robot.state.news == nil && robot.screen.contains("a.md"))
  }

  @Test(arguments: [Size(40, 12), Size(80, 24), Size(200, 60)])
  func `a click selects, and a second one goes there`(size: Size) {
    let robot = robot(size: size)
    // The top line and the heading are above the rows.
    robot.mouse(.press, 20, 3)
    #expect(robot.state.news?.selected == Self.happenings[1])
    robot.mouse(.press, 20, 3)
    #expect(robot.state.news == nil && robot.state.tab == .photos)
  }

  private static let memory = OnThisDay(
    photo: Samples.path("photos/pier.jpg"), years: 3, title: "lighthouse", member: "ray", kind: .sphere)

  @Test func `a photo of this day is the first line, and Enter goes there`() {
    let robot = robot()
    robot.press("Down")
    robot.happen(.news(.remembered(Self.memory)))
    #expect(robot.grid.text(ofRow: 2).contains("3 years ago: ray's lighthouse (360)"))
    #expect(robot.grid.text(ofRow: 3).contains("b.md"), "the happenings follow")
    robot.press("Enter")
    #expect(robot.state.talk != nil, "the selection stayed on the remark")
    let second = self.robot()
    second.happen(.news(.remembered(Self.memory)))
    second.press("Home", "Enter")
    #expect(second.state.news == nil && second.state.tab == .photos && second.state.talk == nil)
    #expect(second.view == "viewer")
  }

  @Test func `a photo of this day is shown where nothing happened, not among walks, and goes with its day`() {
    let robot = robot([])
    #expect(robot.screen.contains("Nothing yet."))
    robot.happen(.news(.remembered(Self.memory)))
    #expect(robot.screen.contains("3 years ago") && robot.footer.contains("Enter go there"))
    robot.happen(.news(.remembered(nil)))
    #expect(robot.screen.contains("Nothing yet.") && !robot.footer.contains("Enter go there"))
    robot.happen(.news(.remembered(Self.memory)))
    robot.press("Esc")
    robot.press("2", "W")
    robot.happen(.news(.loaded([])))
    #expect(!robot.screen.contains("3 years ago"))
  }

  @Test func `the sentence of the start ends with a photo of this day, and says it once`() {
    let robot = Robot(notes: ["a.md", "b.md"], size: Size(120, 40))
    robot.happen(.news(.remembered(Self.memory)))
    #expect(robot.notice == "3 years ago: ray's lighthouse (360). w shows it.")
    let mark = NewsMark(revision: Revision("r2"), before: nil, member: "ray")
    robot.happen(.notes(.files(.news([Samples.path("b.md"): mark], isListed: true))))
    #expect(robot.notice == "1 new: ray 1. N goes there. 3 years ago: ray's lighthouse (360).")
    robot.press("Down")
    robot.happen(.news(.remembered(Self.memory)))
    #expect(robot.notice?.contains("3 years ago") != true)
    robot.press("w")
    robot.happen(.news(.loaded([])))
    #expect(robot.screen.contains("3 years ago: ray's lighthouse (360)"), "known from the start")
  }

  @Test func `the head of the photos tab has a photo of this day, where there is room`() {
    let robot = Robot(notes: ["a.md"], size: Size(90, 24))
    robot.happen(photos: .files(.listed(Samples.table(["pier.jpg"], folder: "photos"))))
    robot.happen(.news(.remembered(Self.memory)))
    robot.press("2")
    #expect(robot.grid.text(ofRow: 1).hasSuffix("3 years ago: ray's lighthouse (360)"))
    #expect(robot.grid.text(ofRow: 1).contains("Sorted by"))
    robot.resize(40, 12)
    #expect(!robot.screen.contains("3 years"))
    #expect(robot.screen.contains("pier.jpg"))
  }
}
