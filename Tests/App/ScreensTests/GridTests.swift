import ClubServices
import FileStores
import Imaging
import Testing
import TextUI

@testable import Screens

@Suite struct `The grid of photos` {
  /// Three cells of 26 columns beside each other, two lines of them, of nine rows.
  private func robot(_ count: Int = 28, size: Size = Size(80, 24), layout: PhotosLayout = .grid) -> Robot {
    Robot(photos: Samples.names(count).map { $0.replacing(".md", with: ".jpg") }, size: size, layout: layout)
  }

  private func number(_ robot: Robot) -> Int? { robot.state.photos.files.rows.selected }

  @Test(arguments: [
    (["Right"], 1), (["l", "l"], 2), (["Right", "Left"], 0), (["Left"], 0), (["h"], 0), (["Down"], 3),
    (["j", "j"], 6), (["j", "k"], 0), (["Up"], 0), (["l", "k"], 1), (["End"], 27), (["End", "Right"], 27),
    (["End", "Home"], 0), (["G", "g"], 0), (["l", "PgDn"], 4), (["l", "PgDn", "PgUp"], 1), (["Ctrl-D"], 3),
    // The last line has one photo.
    (["End", "Up"], 24), (["End", "Up", "l", "Down"], 27), (["l", "l", "l"], 3),
  ])
  func `keys move across and down`(keys: [String], selected: Int) {
    let robot = robot()
    for key in keys { robot.press(key) }
    #expect(number(robot) == selected)
    #expect(robot.screen.contains("\(selected + 1) of 28"))
  }

  @Test func `the selected cell is framed and in view, and its name is in full below`() {
    let robot = robot()
    #expect(robot.grid.text(ofRow: 2).hasPrefix("\u{256D}\u{2500}"))
    robot.press("Right")
    #expect(robot.grid.text(ofRow: 2).hasPrefix("  ") && robot.grid.text(ofRow: 2).contains("\u{256D}\u{2500}"))
    robot.press("End")
    #expect(robot.screen.contains("note-027.jpg") && !robot.screen.contains("note-000.jpg"))
    #expect(robot.screen.contains("\u{256F}") && robot.screen.contains("28 of 28"))
  }

  @Test func `thumbnails are asked for the cells in view, in the box of a cell`() {
    let robot = Robot(Size(80, 24), layout: .grid)
    robot.press("2")
    robot.take()
    robot.happen(photos: .listed(Samples.table(Samples.names(28), folder: "photos")))
    let first = robot.take().first ?? ""
    #expect(first.hasPrefix("run thumbnails photos/note-000.md") && first.contains("photos/note-005.md in 23x6"))
    #expect(!first.contains("note-006"))
    robot.press("End")
    let last = robot.take().first ?? ""
    #expect(last.contains("note-027.md") && !last.contains("note-020.md"))
  }

  @Test func `a cell says what it waits for, what it is, or why it has no picture`() {
    let robot = robot(3)
    #expect(robot.screen.contains("JPG") && robot.screen.contains("loading"))
    let path = Samples.path("photos/note-000.jpg")
    robot.happen(photos: .kindFound(path, .sphere))
    #expect(robot.screen.contains("360\u{B0}"))
    robot.happen(photos: .kindFound(path, .sweep))
    #expect(robot.screen.contains("sweep"))
    robot.happen(photos: .kindFound(path, .flat))
    #expect(!robot.screen.contains("flat"))
    robot.happen(
      photos: .thumbnail(Samples.path("photos/note-001.jpg"), .failure(StoreError(.corrupt, "It is damaged."))))
    #expect(robot.screen.contains("no picture") && robot.screen.contains("It is damaged."))
  }

  @Test func `while the server is away the cells say so in one word`() {
    let robot = robot(3)
    let error = StoreError(.offline, "127.0.0.1:18431 refuses connections.")
    for number in 1...2 {
      robot.happen(photos: .thumbnail(Samples.path("photos/note-00\(number).jpg"), .failure(error)))
    }
    #expect(robot.screen.contains("offline") && !robot.screen.contains("refuses connections"))
  }

  @Test func `once all pictures in view are there, the kinds of wide ones are asked for`() {
    let robot = robot(3)
    robot.take()
    let wide = Samples.thumbnail(columns: 20, rows: 3)
    for number in 0..<2 {
      robot.happen(photos: .thumbnail(Samples.path("photos/note-00\(number).jpg"), .success(wide)))
    }
    #expect(robot.take().isEmpty)
    robot.happen(
      photos: .thumbnail(Samples.path("photos/note-002.jpg"), .success(Samples.thumbnail(columns: 6, rows: 3))))
    #expect(robot.take() == ["run kinds photos/note-000.jpg photos/note-001.jpg [photos.kinds]"])
    robot.happen(photos: .kindFound(Samples.path("photos/note-000.jpg"), .sphere))
    robot.press("Right")
    #expect(robot.take().last == "run kinds photos/note-001.jpg [photos.kinds]")
  }

  @Test func `v shows the list and the grid again, and the choice is kept`() {
    let robot = robot()
    robot.press("Right", "Down", "v")
    #expect(robot.take().contains("run keep the list") && number(robot) == 4)
    #expect(robot.state.photos.grid == nil && robot.grid.text(ofRow: 2).contains("note-"))
    robot.press("v")
    #expect(robot.take().contains("run keep the grid") && number(robot) == 4)
    #expect(robot.state.photos.grid != nil && robot.screen.contains("\u{256D}"))
  }

  @Test(arguments: [(Size(60, 24), true), (Size(59, 24), false), (Size(40, 12), false), (Size(120, 40), true)])
  func `is there from 60 columns on, unless the member chose`(size: Size, isGrid: Bool) {
    #expect((robot(size: size, layout: .auto).state.photos.grid != nil) == isGrid)
    #expect(robot(size: size, layout: .list).state.photos.grid == nil)
    #expect(robot(size: size, layout: .grid).state.photos.grid != nil)
  }

  @Test func `has the whole width, without a preview`() {
    let robot = robot(size: Size(120, 40))
    #expect(robot.state.paneWidth == nil)
    robot.press("P")
    #expect(robot.notice == "The grid has no preview. v shows the list.")
    robot.press("v")
    #expect(robot.state.paneWidth != nil)
  }

  @Test func `a click selects, a second one opens, and the wheel scrolls by lines`() {
    let robot = robot()
    robot.mouse(.press, 60, 14)
    #expect(number(robot) == 5 && robot.view == "")
    robot.mouse(.press, 79, 14)
    robot.mouse(.press, 1, 1)
    #expect(number(robot) == 5)
    robot.mouse(.press, 60, 14)
    #expect(robot.view == "viewer" && robot.chosen == "photos/note-005.jpg")
    robot.press("q")
    robot.mouse(.wheelDown, 10, 10)
    #expect(robot.state.photos.files.rows.visible.lowerBound == 3 && number(robot) == 5)
    robot.mouse(.wheelDown, 10, 10)
    #expect(number(robot) == 8)
    robot.mouse(.wheelUp, 10, 10)
    robot.mouse(.wheelUp, 10, 10)
    #expect(robot.state.photos.files.rows.visible.lowerBound == 0)
  }

  @Test func `marks, find and the list's other keys work`() {
    let robot = robot()
    robot.press("Space", "Space", "D")
    #expect(robot.question == "Move 2 photos to the trash?")
    robot.press("n")
    #expect(robot.screen.contains("+ note-000.jpg") && robot.screen.contains("2 marked"))
    robot.press("Esc", "/")
    robot.type("019")
    #expect(robot.rows == ["note-019.jpg"])
    robot.press("Enter", "i")
    #expect(robot.take().contains("run info photos/note-019.jpg [photos.info]"))
    robot.press("Esc")
    #expect(robot.rows.count == 28)
    robot.press("R")
    #expect(robot.view == "rename" && robot.screen.contains("New name: "))
    robot.press("Left", "Esc", "d")
    #expect(robot.view == "path")
  }

  @Test func `the selected cell stays in view when an error takes lines`() {
    let robot = robot()
    for _ in 0..<3 { robot.press("Down") }
    robot.happen(transfers: .appeared(Samples.transfer("t", "a.jpg")))
    robot.happen(photos: .warned(String(repeating: "It did not work. ", count: 20)))
    #expect(robot.screen.contains("note-009.jpg"))
  }

  @Test(arguments: [Size(40, 12), Size(41, 13), Size(60, 16), Size(77, 19), Size(133, 50), Size(300, 100)])
  func `every cell in view has its place`(size: Size) throws {
    let robot = robot(200, size: size)
    let grid = try #require(robot.state.photos.grid)
    #expect(grid.columns * grid.cell.width + 1 < size.width && grid.cell.width >= 18)
    let visible = robot.state.photos.files.rows.visible
    #expect(visible.count % grid.columns == 0)
    for row in visible { #expect(robot.screen.contains(String(robot.rows[row].prefix(8)))) }
  }

  @Test func `an empty club says what to do`() {
    let robot = robot(0)
    #expect(robot.screen.contains("No photos yet. Press u to upload the first."))
    robot.press("Right", "Down", "Enter", "v")
    #expect(robot.view == "")
  }
}
