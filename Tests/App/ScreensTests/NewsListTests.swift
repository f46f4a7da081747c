import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// Changes by others in a list: marks, counts, authors, notices.
@Suite struct NewsListTests {
  private static let ann = NewsMark(revision: Revision("r2"), before: Revision("r1"), member: "Ann")

  private static func robot(_ news: [String: NewsMark], size: Size = Size(80, 24), isListed: Bool = true) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"], size: size)
    happen(robot, news, isListed: isListed)
    return robot
  }

  private static func happen(_ robot: Robot, _ news: [String: NewsMark], isListed: Bool) {
    let marks = Dictionary(uniqueKeysWithValues: news.map { (Samples.path($0.key), $0.value) })
    robot.happen(.notes(.files(.news(marks, isListed: isListed))))
  }

  @Test func `new files are marked and counted, N goes to the next, and opening one removes its mark`() {
    let robot = Self.robot(["b.md": Self.ann, "c.md": Self.ann])
    #expect(robot.grid.text(ofRow: 0).contains("1 Notes 3 · 2 new"))
    #expect(robot.grid.text(ofRow: 3).contains("● b.md") && robot.grid.text(ofRow: 2).contains("> a.md"))
    robot.press("N")
    #expect(robot.chosen == "b.md")
    robot.press("Enter")
    robot.happen(.opened(Samples.note("b.md", "text", revision: "r2"), .read))
    robot.press("Esc")
    #expect(robot.grid.text(ofRow: 0).contains("1 Notes 3 · 1 new"))
    Self.happen(robot, ["b.md": Self.ann], isListed: false)
    #expect(robot.grid.text(ofRow: 0).contains("1 new"), "a late comparison does not mark it again")
  }

  @Test func `z undoes M: the marks come back, here and in the catalogue`() {
    let robot = Self.robot(["b.md": Self.ann, "c.md": NewsMark(revision: Revision("r1"), before: nil)])
    robot.take()
    robot.press("M")
    #expect(robot.notice == "Marked 2 notes as seen. z undoes.")
    #expect(robot.take() == ["run see b.md c.md"])
    #expect(!robot.grid.text(ofRow: 0).contains("new") && !robot.grid.text(ofRow: 3).contains("●"))
    robot.press("z")
    #expect(robot.take() == ["run mark new b.md c.md"])
    let step = UndoStep.see([Samples.path("b.md"): Self.ann, Samples.path("gone.md"): Self.ann])
    robot.happen(.notes(.files(.undone(UndoOutcome(step, back: [])))))
    #expect(robot.notice == "Marked 2 notes as new again.")
    #expect(robot.grid.text(ofRow: 0).contains("1 new") && robot.grid.text(ofRow: 3).contains("● b.md"))
  }

  @Test func `news leaves the result of a key for five seconds, and replaces older news`() {
    let robot = Self.robot(["b.md": Self.ann])
    robot.press("M")
    Self.happen(robot, ["a.md": Self.ann], isListed: false)
    #expect(robot.notice == "Marked one note as seen. z undoes.")
    robot.wait(seconds: 5)
    Self.happen(robot, ["c.md": Self.ann], isListed: false)
    #expect(robot.notice == "Ann changed \"c.md\".")
    let newer = NewsMark(revision: Revision("r3"), before: Revision("r2"), member: "Ann")
    Self.happen(robot, ["a.md": newer], isListed: false)
    #expect(robot.notice == "Ann changed \"a.md\".")
  }

  @Test func `a mark does not come back for a file whose later revision was seen`() {
    let robot = Self.robot(["b.md": Self.ann, "c.md": Self.ann])
    robot.press("M")
    robot.press("Enter")
    robot.happen(.opened(Samples.note("b.md", "text", revision: "r3"), .read))
    let step = UndoStep.see([Samples.path("b.md"): Self.ann, Samples.path("c.md"): Self.ann])
    robot.happen(.notes(.files(.undone(UndoOutcome(step, back: [])))))
    #expect(robot.state.notes.files.news.paths == [Samples.path("c.md")])
  }

  @Test(
    arguments: [
      (["b.md": ann], "Ann changed \"b.md\"."),
      (["b.md": .init(revision: .init("r1"), before: nil)], "\"b.md\" is new."),
      (["a.md": ann, "b.md": ann], "Ann changed 2 notes."),
      (
        ["a.md": ann, "b.md": .init(revision: .init("r1"), before: nil, member: "Ray")],
        "Ann and Ray added or changed 2 notes."
      ),
    ] as [([String: NewsMark], String)])
  func `the notice of a change names its member`(news: [String: NewsMark], notice: String) {
    #expect(Self.robot(news, isListed: false).notice == notice)
  }

  @Test func `a listing with news says in one sentence who made them, and the footer has the key`() {
    let ray = NewsMark(revision: Revision("r2"), before: nil, member: "ray")
    let robot = Self.robot(["a.md": ray, "b.md": ray, "c.md": Self.ann], size: Size(120, 40))
    #expect(robot.notice == "3 new: ray 2, Ann 1. N goes there.")
    #expect(robot.footer.contains("N unseen"))
    robot.press("M")
    #expect(!robot.footer.contains("N unseen"))
    #expect(Self.robot(["b.md": .init(revision: .init("r1"), before: nil)]).notice == "1 new. N goes there.")
    let mixed = Self.robot(["a.md": ray, "b.md": .init(revision: .init("r1"), before: nil)])
    #expect(mixed.notice == "2 new: ray 1, others 1. N goes there.")
  }

  @Test func `news of both tabs are one sentence, and N leads to the other tab`() {
    let robot = Self.robot([:])
    robot.happen(.photos(.listed(Samples.table(["x.jpg", "y.jpg"], folder: "photos"))))
    robot.happen(.photos(.files(.news([Samples.path("photos/y.jpg"): Self.ann], isListed: true))))
    #expect(robot.notice == "1 new: Ann 1. N goes there." && robot.state.tab == .notes)
    robot.press("N")
    #expect(robot.state.tab == .photos && robot.chosen == "photos/y.jpg")
  }

  private static func written(_ robot: Robot, _ members: [String?]) {
    let entries = zip(["a.md", "b.md", "c.md"], members).map { Samples.entry($0, member: $1) }
    robot.happen(.detailed(entries, isLast: true))
  }

  @Test func `a wide list has the authors, where there are several`() {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"])
    Self.written(robot, ["Ann", nil, "Ann"])
    #expect(!robot.screen.contains("Ann") && !robot.screen.contains("Author"))
    Self.written(robot, ["Ann", nil, "Maximilian von Stein"])
    let head = robot.grid.text(ofRow: 1)
    #expect(head.contains("Author"))
    let column = head.firstRange(of: "Author").map { head.distance(from: head.startIndex, to: $0.lowerBound) } ?? 0
    #expect(robot.grid.text(ofRow: 2).dropFirst(column).hasPrefix("Ann "))
    #expect(robot.grid.text(ofRow: 3).dropFirst(column).hasPrefix("     "))
    #expect(robot.grid.text(ofRow: 4).dropFirst(column).hasPrefix("Maximilian~ "))
    #expect(robot.grid.text(ofRow: 4).hasSuffix("1.2 KiB"))
    robot.resize(60, 24)
    #expect(robot.grid.text(ofRow: 2).contains("Ann") && !robot.grid.text(ofRow: 2).contains("KiB"))
    robot.resize(40, 12)
    #expect(!robot.screen.contains("Ann"))
  }

  @Test func `the authors follow their files through sorting and changes`() {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"])
    Self.written(robot, ["Ann", "Ray", nil])
    robot.press("S")
    #expect(robot.grid.text(ofRow: 4).contains("a.md") && robot.grid.text(ofRow: 4).contains("Ann"))
    robot.press("S")
    let change = ChangeSet.Change.present(Samples.entry("aa.md", member: "Zoe"))
    robot.happen(.notes(.files(.changed(ChangeSet(changes: [change], cursor: ChangeCursor("2"))))))
    #expect(robot.grid.text(ofRow: 3).contains("Zoe") && robot.grid.text(ofRow: 4).contains("Ray"))
    Self.written(robot, ["Ray", "Ray", nil])
    #expect(robot.grid.text(ofRow: 2).contains("Ray"))
  }

  @Test func `the preview has the author, also where the list has none`() {
    let robot = Robot(notes: ["a.md", "b.md", "c.md"], size: Size(120, 40))
    Self.written(robot, ["Ann", nil, nil])
    #expect(robot.grid.text(ofRow: 1).hasSuffix("Ann  1.2 KiB  2 h"))
  }

  @Test func `photos tell their authors beside size and age`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    let entries = [Samples.entry("photos/a.jpg", member: "Ann"), Samples.entry("photos/b.jpg", member: "Ray")]
    robot.happen(.photos(.files(.detailed(entries, isLast: true))))
    #expect(robot.screen.contains("Ann  1.2 KiB  2 h") && robot.screen.contains("Ray  1.2 KiB  2 h"))
  }

  @Test(arguments: [PhotosLayout.list, .grid]) func `a photo's guest is named whole, in the list and in a notice`(
    layout: PhotosLayout
  ) {
    let (guest, robot) = ("Mia (a guest of ray)", Robot(photos: ["a.jpg", "b.jpg"], layout: layout))
    let entries = [Samples.entry("photos/a.jpg", member: guest), Samples.entry("photos/b.jpg", member: "ray")]
    robot.happen(.photos(.files(.detailed(entries, isLast: true))))
    #expect(robot.screen.contains(guest))
    let mark = NewsMark(revision: Revision("r2"), before: nil, member: guest)
    robot.happen(.photos(.files(.news([Samples.path("photos/a.jpg"): mark], isListed: false))))
    #expect(robot.notice?.hasPrefix("\(guest) added \"photos/a.jpg\".") == true)
  }

  @Test func `pictures do not touch, and the selection is a bar as wide as the list`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    for name in ["photos/a.jpg", "photos/b.jpg"] {
      robot.happen(photos: .thumbnail(Samples.path(name), .success(Samples.thumbnail())))
    }
    let grid = robot.grid
    let pictures = (2..<10).filter { grid[3, $0].text == "▀" }
    #expect(pictures == [2, 3, 4, 6, 7, 8])
    for y in 2..<5 {
      #expect([0, 2, 28, 79].allSatisfy { grid[$0, y].style.background == grid[0, 2].style.background })
    }
    #expect(grid[0, 2].style != grid[0, 5].style)
  }
}
