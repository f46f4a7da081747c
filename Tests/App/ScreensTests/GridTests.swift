import ClubServices
import FileStores
import TestKit
import Testing
import TextUI

@testable import Imaging
@testable import Screens

@Suite struct `The grid of photos` {
  /// Four cells beside each other, of pictures with 18 columns and 6 lines; two rows of them are whole.
  private func robot(
    _ count: Int = 26, size: Size = Size(80, 24), layout: PhotosLayout = .grid, grid: GridChoice = GridChoice()
  ) -> Robot {
    Robot(
      photos: Samples.names(count).map { $0.replacing(".md", with: ".jpg") }, size: size, layout: layout, grid: grid)
  }

  private func number(_ robot: Robot) -> Int? { robot.state.photos.files.rows.selected }

  private func path(_ number: Int) -> StorePath {
    Samples.path("photos/note-\(String(repeating: "0", count: 3 - String(number).count))\(number).jpg")
  }

  private func give(_ robot: Robot, _ cells: Range<Int>) {
    for cell in cells {
      if let picture = robot.thumbnail(of: path(cell)) {
        robot.happen(photos: .thumbnail(path(cell), .success(picture)))
      }
    }
  }

  @Test(arguments: [
    (["Right"], 1), (["l", "l"], 2), (["Right", "Left"], 0), (["Left"], 0), (["h"], 0), (["Down"], 4),
    (["j", "j"], 8), (["j", "k"], 0), (["Up"], 0), (["l", "k"], 1), (["End"], 25), (["End", "Right"], 25),
    (["End", "Home"], 0), (["G", "g"], 0), (["l", "PgDn"], 9), (["l", "PgDn", "PgUp"], 1), (["Ctrl-D"], 4),
    // The last row has two photos.
    (["End", "Up"], 21), (["End", "Up", "l", "l", "Down"], 25), (["l", "l", "l", "l"], 4),
  ])
  func `keys move across and down`(keys: [String], selected: Int) {
    let robot = robot()
    for key in keys { robot.press(key) }
    #expect(number(robot) == selected)
    #expect(robot.screen.contains("\(selected + 1) of 26"))
  }

  @Test func `moves up and down go to the nearest photo and keep their column`() {
    let robot = robot(9)
    // A sweep in the second row, which it fills.
    robot.happen(photos: .shaped([path(4): 30]))
    robot.press("Right", "Right", "Right")
    #expect(number(robot) == 3)
    robot.press("Down", "Down")
    #expect(number(robot) == 8)
    robot.press("Up", "Up")
    #expect(number(robot) == 3)
  }

  @Test func `the selected cell is framed and in view, and its name is in full below`() {
    let robot = robot()
    #expect(robot.grid.text(ofRow: 2).hasPrefix("\u{256D}\u{2500}"))
    robot.press("Right")
    #expect(robot.grid.text(ofRow: 2).hasPrefix("  ") && robot.grid.text(ofRow: 2).contains("\u{256D}\u{2500}"))
    robot.press("End")
    #expect(robot.screen.contains("note-025.jpg") && !robot.screen.contains("note-000.jpg"))
    #expect(robot.screen.contains("\u{256F}") && robot.screen.contains("26 of 26"))
  }

  @Test func `a long name loses its middle`() {
    let robot = Robot(photos: ["a very long name of a photo from the pier.jpg", "b.jpg"], layout: .grid)
    robot.press("Right", "-", "-", "-")
    #expect(robot.screen.contains("a very") && robot.screen.contains("~") && robot.screen.contains(".jpg"))
    #expect(!robot.screen.contains("name of a photo from"))
  }

  // MARK: Pictures

  @Test func `shapes are asked for first, then pictures, of the cells in view`() {
    let robot = Robot(Size(80, 24), layout: .grid)
    robot.press("2")
    robot.take()
    robot.happen(photos: .listed(Samples.table(Samples.names(60), folder: "photos")))
    let shapes = robot.take().first ?? ""
    #expect(shapes.hasPrefix("run shapes photos/note-000.md") && shapes.contains("photos/note-007.md"))
    #expect(!shapes.contains("note-012") && shapes.hasSuffix("[photos.thumbnails]"))
    let names = Samples.names(12).map { Samples.path("photos/\($0)") }
    robot.happen(photos: .shaped(Dictionary(uniqueKeysWithValues: names.map { ($0, 1.5) })))
    let pictures = robot.take().first ?? ""
    #expect(pictures.hasPrefix("run thumbnails photos/note-000.md") && pictures.contains("photos/note-007.md"))
    #expect(!pictures.contains("note-012"))
    // What was asked for is dropped.
    robot.press("End")
    let last = robot.take().first ?? ""
    #expect(last.contains("note-059.md") && !last.contains("note-011.md") && last.hasSuffix("[photos.thumbnails]"))
  }

  @Test func `behind a network the shapes come with the pictures, and the rows wait for all of them`() {
    let robot = Robot(Size(80, 24), server: "https://club.example", layout: .grid)
    robot.press("2")
    let names = (0..<4).map { "note-00\($0).jpg" }
    robot.happen(photos: .listed(Samples.table(names, folder: "photos")))
    #expect(robot.take().contains { $0.hasPrefix("run thumbnails photos/note-000.jpg") })
    let before = robot.state.photos.grid?.layout.frame(of: 0)
    for number in 0..<3 {
      robot.happen(photos: .thumbnail(path(number), .success(Samples.thumbnail(columns: 9, rows: 6))))
      #expect(robot.state.photos.grid?.layout.frame(of: 0) == before)
    }
    robot.take()
    robot.happen(photos: .thumbnail(path(3), .success(Samples.thumbnail(columns: 9, rows: 6))))
    #expect(robot.state.photos.grid?.layout.frame(of: 0) != before)
    #expect(robot.take().contains { $0.hasPrefix("run thumbnails photos/note-000.jpg") }, "in their new size")
  }

  @Test func `once all in view are there, the next screen's pictures are asked for`() {
    let robot = robot(60)
    robot.happen(photos: .shaped(Dictionary(uniqueKeysWithValues: (0..<60).map { (path($0), 1.5) })))
    robot.take()
    give(robot, 0..<11)
    #expect(!robot.take().contains { $0.contains("thumbnails") })
    give(robot, 11..<12)
    let ahead = robot.take().first { $0.contains("thumbnails") } ?? ""
    #expect(ahead.hasPrefix("run thumbnails photos/note-012.jpg") && !ahead.contains("note-040"))
    // Their coming asks for nothing more.
    give(robot, 12..<14)
    #expect(!robot.take().contains { $0.contains("thumbnails") })
  }

  @Test func `another size asks for pictures of that size, and shows the old ones until they come`() {
    let robot = robot(2)
    robot.happen(photos: .shaped([path(0): 1.5, path(1): 1.5]))
    give(robot, 0..<2)
    robot.take()
    #expect(robot.screen.contains("\u{2580}"))
    robot.press("-")
    #expect(robot.take().contains { $0.hasPrefix("run thumbnails photos/note-000.jpg photos/note-001.jpg") })
    #expect(robot.screen.contains("\u{2580}"))
  }

  @Test func `a cell says what it waits for, what it is, or why it has no picture`() {
    let robot = robot(3)
    #expect(robot.screen.contains("JPG") && robot.screen.contains("loading"))
    robot.happen(photos: .kindFound(path(0), .sphere))
    #expect(robot.screen.contains("360\u{B0}"))
    robot.happen(photos: .kindFound(path(0), .sweep))
    #expect(robot.screen.contains("sweep"))
    robot.happen(photos: .kindFound(path(0), .flat))
    #expect(!robot.screen.contains("flat"))
    robot.happen(photos: .thumbnail(path(1), .failure(StoreError(.corrupt, "It is damaged."))))
    #expect(robot.screen.contains("no picture") && robot.screen.contains("It is damaged."))
  }

  @Test func `while the server is away the cells say so in one word`() {
    let robot = robot(3)
    let error = StoreError(.offline, "127.0.0.1:18431 refuses connections.")
    for number in 1...2 { robot.happen(photos: .thumbnail(path(number), .failure(error))) }
    #expect(robot.screen.contains("offline") && !robot.screen.contains("refuses connections"))
  }

  @Test func `once all pictures in view are there, the kinds of wide ones are asked for`() {
    let robot = robot(3)
    robot.happen(photos: .shaped([path(0): 3, path(1): 3, path(2): 1]))
    robot.take()
    let wide = Samples.thumbnail(columns: 20, rows: 3)
    for number in 0..<2 { robot.happen(photos: .thumbnail(path(number), .success(wide))) }
    #expect(robot.take().isEmpty)
    robot.happen(photos: .thumbnail(path(2), .success(Samples.thumbnail(columns: 6, rows: 3))))
    #expect(robot.take() == ["run kinds photos/note-000.jpg photos/note-001.jpg [photos.kinds]"])
    robot.happen(photos: .kindFound(path(0), .sphere))
    robot.press("Right")
    #expect(robot.take().last == "run kinds photos/note-001.jpg [photos.kinds]")
  }

  @Test func `a step changes frames, names and the line below, and no picture`() {
    for size in [Size(80, 24), Size(120, 40), Size(200, 60)] {
      let robot = robot(16, size: size, grid: GridChoice(text: "preview off"))
      robot.happen(photos: .shaped(Dictionary(uniqueKeysWithValues: (0..<16).map { (path($0), 1.5) })))
      give(robot, 0..<16)
      let before = robot.grid
      robot.press("Right")
      let after = robot.grid
      var changed = 0
      for y in 0..<size.height {
        for x in 0..<size.width where before[x, y] != after[x, y] {
          changed += 1
          #expect(before[x, y].base != 0x2580 && after[x, y].base != 0x2580, "\(x), \(y)")
        }
      }
      // Each cell takes a few bytes; a picture of 28 x 9 would change 252.
      #expect(changed > 20 && changed < 250, "\(size): \(changed)")
    }
  }

  @Test func `on a terminal of pixels a step and a scroll show the same pictures, not new ones`() throws {
    let robot = Robot(
      photos: (0..<26).map { "note-0\($0 < 10 ? "0" : "")\($0).jpg" }, size: Size(80, 24),
      abilities: TerminalAbilities(colors: .trueColor, graphics: .kitty, cell: Size(10, 20)), layout: .grid)
    robot.happen(photos: .shaped(Dictionary(uniqueKeysWithValues: (0..<26).map { (path($0), 1.5) })))
    for cell in 0..<26 {
      let frame = try #require(robot.state.photos.grid?.layout.frame(of: cell))
      let picture = try ShownPicture(
        Samples.slope(width: 300, height: 200), columns: frame.width, rows: frame.height,
        in: robot.state.photos.resolution)
      robot.happen(photos: .thumbnail(path(cell), .success(picture)))
    }
    func identities() -> Set<CanvasPicture.Identity> { Set(robot.grid.pictures.values.map(\.identity)) }
    let before = identities()
    robot.take()
    #expect(before.count == 12)
    robot.press("Right", "Down")
    #expect(identities() == before)
    robot.mouse(.wheelDown, 10, 10)
    let scrolled = identities()
    #expect(scrolled.intersection(before).count == 8)
    robot.mouse(.wheelUp, 10, 10)
    #expect(identities() == before && !robot.take().contains { $0.hasPrefix("run thumbnails") })
  }

  // MARK: Size, preview, sections

  @Test func `six photos fill a screen of 120 columns and 40 lines`() throws {
    let robot = robot(6, size: Size(120, 40))
    let layout = try #require(robot.state.photos.grid?.layout)
    #expect(layout.rows.map(\.cells.count) == [3, 3] && layout.height > 28)
    #expect((0..<6).allSatisfy { layout.frame(of: $0).width >= 37 })
  }

  @Test func `plus and minus change the size, which is kept`() throws {
    let robot = robot(200, size: Size(120, 40))
    let first = try #require(robot.state.photos.grid?.layout.rows[0])
    robot.press("+")
    #expect(robot.take().contains("run keep size 1 heads on"))
    let larger = try #require(robot.state.photos.grid?.layout.rows[0])
    #expect(larger.cells.count < first.cells.count)
    robot.press("-", "-")
    #expect(robot.take().last { $0.hasPrefix("run keep") }?.hasPrefix("run keep size -") == true)
    let smaller = try #require(robot.state.photos.grid?.layout.rows[0])
    #expect(smaller.cells.count > first.cells.count)
    let later = self.robot(200, size: Size(120, 40), grid: robot.state.photos.gridChoice)
    #expect(later.state.photos.grid?.layout.rows[0] == smaller)
  }

  @Test(arguments: [("+", "The pictures cannot be larger."), ("-", "The pictures cannot be smaller.")])
  func `the size has an end, which is said`(key: String, sentence: String) {
    let robot = robot(40)
    for _ in 0..<20 { robot.press(key) }
    #expect(robot.notice == sentence && number(robot) == 0)
    #expect(robot.state.photos.gridChoice.size.magnitude < 12)
  }

  @Test func `another size keeps the selected photo in view`() {
    let robot = robot(200)
    for _ in 0..<9 { robot.press("Down") }
    let chosen = robot.chosen ?? ""
    for key in ["+", "+", "-", "-", "-", "+"] {
      robot.press(key)
      #expect(robot.chosen == chosen && robot.screen.contains(chosen.dropFirst(7)))
    }
  }

  @Test func `with little room the grid is alone, and P shows the selected photo beside it`() {
    for (size, isBeside) in [(Size(80, 24), false), (Size(120, 40), false), (Size(200, 60), true)] {
      let robot = robot(size: size)
      #expect((robot.state.paneWidth != nil) == isBeside, "\(size)")
      robot.press("P")
      #expect((robot.state.paneWidth != nil) != isBeside)
      #expect(robot.take().contains("run keep size 0 heads on preview \(isBeside ? "off" : "on")"))
      robot.press("P")
      #expect((robot.state.paneWidth != nil) == isBeside)
    }
    let narrow = robot(size: Size(70, 24))
    narrow.press("P")
    #expect(narrow.state.paneWidth == nil && narrow.notice == "The preview needs 80 columns.")
  }

  @Test func `the preview has the room beside the grid, and follows the selection`() {
    let robot = robot(size: Size(120, 40), grid: GridChoice(text: "preview on"))
    #expect(robot.state.paneWidth == 72)
    robot.press("Right")
    #expect(robot.state.preview.request?.path == path(1) && robot.state.preview.request?.columns == 45)
    robot.press("<")
    #expect(robot.state.paneWidth == 68)
    let width = (robot.state.photos.grid?.layout.rows[0].cells).map { cells in
      cells.compactMap { robot.state.photos.grid?.layout.frame(of: $0) }.map { $0.x + $0.width }.max() ?? 0
    }
    #expect(width == 65)
  }

  private func dated(_ days: [Int], size: Size = Size(80, 24)) -> Robot {
    let robot = robot(days.count, size: size)
    let entries = days.enumerated().map { Samples.entry(path($0), ago: Int64($1) * 86_400) }
    robot.happen(photos: .files(.detailed(entries, isLast: true)))
    robot.press("s")
    return robot
  }

  @Test func `sorted by date, the days have heads, and the first line keeps the head of what is in view`() {
    let robot = dated(Array(repeating: 0, count: 12) + Array(repeating: 1, count: 9) + Array(repeating: 2, count: 3))
    #expect(robot.screen.contains("Wednesday, 18 November 2026 \u{B7} 12 photos"))
    for _ in 0..<2 { robot.press("Down") }
    #expect(robot.grid.text(ofRow: 2).contains("18 November 2026 \u{B7} 12 photos"), "it stays")
    robot.press("End")
    #expect(robot.screen.contains("Monday, 16 November 2026 \u{B7} 3 photos"))
    robot.press("b")
    #expect(!robot.screen.contains("November") && robot.take().contains("run keep size 0 heads off"))
    robot.press("b", "S")
    #expect(robot.grid.text(ofRow: 2).contains("Monday, 16 November 2026"))
  }

  @Test func `days with a photo or two are months, and months with no more have no heads`() {
    let months = dated((0..<9).map { $0 * 2 })
    #expect(months.screen.contains("November 2026 \u{B7} 9 photos") && !months.screen.contains("Wednesday,"))
    let none = dated((0..<9).map { $0 * 40 })
    #expect(!none.screen.contains("2026 \u{B7}"))
  }

  @Test func `sorted by name there are no heads, and the key says so`() {
    let robot = robot()
    robot.press("b")
    #expect(robot.notice == "Heads of days are off. s sorts by date.")
    robot.press("b")
    #expect(robot.notice == "Heads of days are on. s sorts by date.")
  }

  @Test func `photos without a date have a head of their own`() {
    let robot = robot(9)
    robot.happen(
      photos: .files(.detailed((0..<6).map { Samples.entry(path($0), ago: 0) }, isLast: true)))
    robot.press("s")
    #expect(robot.screen.contains("18 November 2026 \u{B7} 6 photos"))
    robot.press("End")
    #expect(robot.screen.contains("Without a date \u{B7} 3 photos"))
  }

  @Test func `in the order of captures the heads have the days of captures`() {
    let robot = robot(6)
    robot.happen(
      photos: .files(.detailed((0..<6).map { Samples.entry(path($0), ago: 0) }, isLast: true)))
    robot.press("s")
    let day = Timestamp(seconds: 1_767_225_600)
    robot.happen(photos: .capturesFound(Dictionary(uniqueKeysWithValues: (0..<6).map { (path($0), day) })))
    #expect(robot.screen.contains("1 January 2026 \u{B7} 6 photos"))
  }

  // MARK: Albums

  @Test func `albums come first, with name, number and cover, and are selected and entered`() {
    let robot = Robot(
      photos: ["a.jpg", "b.jpg", "bare/c.jpg", "oslo/d.jpg", "oslo/fjord/e.jpg"], size: Size(80, 24), layout: .grid)
    let cover = Samples.path("photos/oslo/d.jpg")
    robot.happen(photos: .shaped([cover: 1.5]))
    #expect(robot.screen.contains("oslo/") && robot.screen.contains("bare/"))
    let cells = (0..<4).map { robot.state.photos.grid?.cell(at: $0) }
    guard case .album(let bare)? = cells[0], case .album(let oslo)? = cells[1] else {
      Issue.record("\(cells)")
      return
    }
    #expect(
      bare.name.elementsEqual("bare".utf8) && bare.count == 1 && oslo.name.elementsEqual("oslo".utf8) && oslo.count == 2
    )
    #expect(cells[2] == .photo(row: 0) && cells[3] == .photo(row: 1))
    #expect(robot.state.photos.visiblePaths.contains(cover))
    robot.press("Home", "Right")
    #expect(robot.state.photos.files.selectedAlbum == oslo && robot.state.photos.files.selected == nil)
    robot.press("Right")
    #expect(robot.state.photos.files.selected == Samples.path("photos/a.jpg"))
    robot.press("Left", "Enter")
    #expect(robot.screen.contains("fjord/") && robot.screen.contains("d.jpg") && !robot.screen.contains("bare/"))
    #expect(robot.state.photos.grid?.layout.count == 2)
    robot.press("Backspace")
    #expect(robot.state.photos.files.selectedAlbum == oslo)
  }

  // MARK: The tab

  @Test func `v shows the list and the grid again, and the choice is kept`() {
    let robot = robot()
    robot.press("Right", "Down", "v")
    #expect(robot.take().contains("run keep the list") && number(robot) == 5)
    #expect(robot.state.photos.grid == nil && robot.grid.text(ofRow: 2).contains("note-"))
    robot.press("v")
    #expect(robot.take().contains("run keep the grid") && number(robot) == 5)
    #expect(robot.state.photos.grid != nil && robot.screen.contains("\u{256D}"))
  }

  @Test(arguments: [(Size(60, 24), true), (Size(59, 24), false), (Size(40, 12), false), (Size(120, 40), true)])
  func `is there from 60 columns on, unless the member chose`(size: Size, isGrid: Bool) {
    #expect((robot(size: size, layout: .auto).state.photos.grid != nil) == isGrid)
    #expect(robot(size: size, layout: .list).state.photos.grid == nil)
    #expect(robot(size: size, layout: .grid).state.photos.grid != nil)
  }

  @Test func `a click selects, a second one opens, and the wheel scrolls by rows`() {
    let robot = robot()
    robot.mouse(.press, 25, 14)
    #expect(number(robot) == 5 && robot.view == "")
    robot.mouse(.press, 79, 14)
    robot.mouse(.press, 1, 1)
    #expect(number(robot) == 5)
    robot.mouse(.press, 25, 14)
    #expect(robot.view == "viewer" && robot.chosen == "photos/note-005.jpg")
    robot.press("q")
    robot.mouse(.wheelDown, 10, 10)
    #expect(robot.state.photos.grid?.visible.lowerBound == 4 && number(robot) == 5)
    robot.mouse(.wheelDown, 10, 10)
    #expect(number(robot) == 9)
    robot.mouse(.wheelUp, 10, 10)
    robot.mouse(.wheelUp, 10, 10)
    #expect(robot.state.photos.grid?.visible.lowerBound == 0)
  }

  @Test func `marks, find and the list's other keys work`() {
    let robot = robot()
    robot.press("Space", "Space", "D")
    #expect(robot.question == "Move 2 photos to the trash?")
    robot.press("n")
    #expect(robot.screen.contains("+ note-000.jpg") && robot.screen.contains("2 marked"))
    robot.press("Esc", "/")
    robot.type("01")
    robot.press("Down")
    #expect(number(robot).map { $0 > 1 } == true)
    robot.press("Up")
    #expect(number(robot) == 0)
    robot.type("9")
    #expect(robot.rows == ["note-019.jpg"])
    robot.press("Enter", "i")
    #expect(robot.take().contains("run info photos/note-019.jpg [photos.info]"))
    robot.press("Esc")
    #expect(robot.rows.count == 26)
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
    #expect(robot.screen.contains("note-012.jpg"))
  }

  @Test(arguments: [Size(40, 12), Size(41, 13), Size(60, 16), Size(77, 19), Size(133, 50), Size(300, 100)])
  func `every cell in view has its place`(size: Size) throws {
    let robot = robot(200, size: size, grid: GridChoice(text: "preview off"))
    let grid = try #require(robot.state.photos.grid)
    for row in grid.layout.rows where row.end - grid.offset(top: grid.top) < grid.room.height {
      for cell in row.cells {
        let frame = grid.layout.frame(of: cell)
        #expect(frame.x + frame.width < size.width - 1 && frame.width >= 8)
        #expect(robot.screen.contains(String(robot.rows[cell].prefix(3))))
      }
    }
  }

  @Test func `ten thousand photos are gone through page by page, and from the end`() {
    let names = (0..<10_000).map { number in "p\(10_000 + number).jpg" }
    let robot = Robot(photos: names, size: Size(120, 40), layout: .grid)
    robot.press("End")
    #expect(robot.screen.contains("10,000 of 10,000") && robot.screen.contains("p19999.jpg"))
    robot.press("PgUp", "Up", "Home", "PgDn")
    #expect(robot.screen.contains("p10000.jpg") == false && (number(robot) ?? 0) > 8)
    // A step lays nothing out again.
    let before = robot.state.photos.grid?.layout
    robot.press("Right", "Down")
    #expect(robot.state.photos.grid?.layout == before)
  }

  @Test func `an empty club says what to do`() {
    let robot = robot(0)
    #expect(robot.screen.contains("No photos yet. Press u to upload the first."))
    robot.press("Right", "Down", "Enter", "+", "-", "b", "v")
    #expect(robot.view == "")
  }
}

/// The grid of clubs of all sizes. `RECORD_SNAPSHOTS=1` records.
@Suite struct GridGoldenTests {
  /// As a club has them: shapes of cameras and phones, and panoramas.
  private static let shapes: [Float] = [1.5, 1.5, 0.75, 4, 1.33, 2, 1.5, 0.66, 8, 1]

  private func robot(_ count: Int, _ size: Size, _ graphics: GraphicsMode) throws -> Robot {
    let names = (0..<count).map { "photo \(10_000 + $0).jpg" }
    let robot = Robot(
      photos: names, size: size,
      abilities: TerminalAbilities(colors: .trueColor, graphics: graphics, cell: Size(10, 20)), layout: .grid)
    let paths = names.map { Samples.path("photos/\($0)") }
    let shapes = paths.indices.map { Self.shapes[$0 % Self.shapes.count] }
    robot.happen(photos: .shaped(Dictionary(uniqueKeysWithValues: zip(paths, shapes))))
    robot.happen(
      photos: .files(
        .detailed(paths.enumerated().map { Samples.entry($1, ago: Int64($0 / 9) * 86_400) }, isLast: true)))
    robot.press("s", "Right")
    for path in robot.state.photos.visiblePaths.prefix(40) {
      let row = robot.state.photos.files.table?.row(of: path) ?? 0
      guard let frame = robot.state.photos.grid?.layout.frame(of: row) else { continue }
      let cell = robot.state.photos.resolution.cell
      let pixels = Samples.panorama(width: frame.width * cell.width, height: frame.height * cell.height)
      let picture = try ShownPicture(
        pixels, columns: frame.width, rows: frame.height, in: robot.state.photos.resolution)
      robot.happen(photos: .thumbnail(path, .success(picture)))
    }
    return robot
  }

  private static let sizes = [Size(80, 24), Size(120, 40), Size(40, 12), Size(200, 60)]

  @Test(arguments: [1, 6, 40, 10_000], sizes)
  func `the grid looks as it did`(count: Int, size: Size) throws {
    expectGolden(try robot(count, size, .halfBlocks).grid, named: "grid-of-\(count)-\(size.width)x\(size.height)")
  }

  @Test(arguments: [GraphicsMode.kitty, .sixel, .quadrants], [1, 6, 40])
  func `the grid looks as it did in finer modes`(graphics: GraphicsMode, count: Int) throws {
    expectGolden(try robot(count, Size(120, 40), graphics).grid, named: "grid-of-\(count)-\(graphics)-120x40")
  }
}
