import FileStores
import Imaging
import TestKit
import Testing
import TextUI

@testable import Screens

/// Pictures on a terminal that draws pixels.
@Suite struct PixelPictureTests {
  private let photo = Samples.path("photos/a.jpg")
  private static let cell = Size(10, 20)

  private func robot(_ graphics: GraphicsMode) -> Robot {
    Robot(
      photos: ["a.jpg", "b.jpg"],
      abilities: TerminalAbilities(colors: .trueColor, graphics: graphics, cell: Self.cell))
  }

  private func open(_ robot: Robot, _ pixels: Pixels, isSphere: Bool = false) throws {
    robot.press("Enter")
    var header: PictureHeader?
    if isSphere {
      var facts = PanoramaFacts()
      facts.projection = "equirectangular"
      facts.fullSize = pixels.size
      header = try PictureHeader.read(Encoder.marked(try Encoder.jpeg(pixels, quality: 90), as: facts))
    }
    robot.happen(
      photos: .viewed(photo, try Samples.pyramid(pixels), full: pixels.size, header: header, isWhole: true))
    robot.take()
  }

  private func picture(_ robot: Robot) throws -> CanvasPicture {
    let pictures = robot.grid.pictures.values.filter { $0.cells.height > 2 }
    #expect(pictures.count == 1)
    return try #require(pictures.first)
  }

  @Test func `a pan shows another part of the pixels that kitty has`() throws {
    let robot = robot(.kitty)
    try open(robot, Samples.slope(width: 1600, height: 800))
    robot.press("+", "+", "+")
    let before = try picture(robot)
    #expect(before.isStretched && before.crop.width < 1600)
    robot.press("Right")
    let after = try picture(robot)
    #expect(after.identity == before.identity && after.crop.x > before.crop.x && after.crop.width == before.crop.width)
    #expect(!robot.take().contains { $0.contains("rest") }, "no rest is awaited")
    #expect(after.pixels().width == after.size.width)
  }

  @Test func `a large photo is given by regions, in which several steps stay`() throws {
    let robot = robot(.kitty)
    try open(robot, Samples.slope(width: 4000, height: 1000))
    for _ in 0..<9 { robot.press("+") }
    let first = try picture(robot)
    #expect(first.size.width * first.size.height < 3_000_000)
    var identities: Set<CanvasPicture.Identity> = [first.identity]
    for _ in 0..<8 {
      robot.press("Right")
      let next = try picture(robot)
      identities.insert(next.identity)
      #expect(next.crop.x >= 0 && next.crop.x + next.crop.width <= next.size.width)
      let pixels = next.pixels()
      #expect(Size(pixels.width, pixels.height) == next.size)
    }
    #expect(identities.count <= 2)
  }

  @Test("A view that moves is coarse until it rests", arguments: [GraphicsMode.kitty, .sixel, .iTerm2, .kittyInTmux])
  func coarse(_ graphics: GraphicsMode) throws {
    let robot = robot(graphics)
    try open(robot, Samples.slope(width: 400, height: 200), isSphere: true)
    let fine = try picture(robot)
    #expect(!fine.isStretched && fine.size == Size(fine.cells.width * 10, fine.cells.height * 20))
    robot.press("Right")
    #expect(robot.take().contains { $0.contains("await the rest") })
    let coarse = try picture(robot)
    #expect(coarse.isStretched && coarse.size.width * 2 == fine.size.width)
    robot.happen(photos: .settled)
    let settled = try picture(robot)
    #expect(!settled.isStretched && settled.identity != fine.identity)
    #expect(settled.pixels().width == fine.size.width)
  }

  @Test func `an unchanged view keeps its identity`() throws {
    let robot = robot(.sixel)
    try open(robot, Samples.slope(width: 400, height: 200))
    let before = try picture(robot).identity
    robot.wait(seconds: 90)
    #expect(try picture(robot).identity == before)
  }

  @Test func `half-blocks hold no pictures`() throws {
    let robot = robot(.halfBlocks)
    try open(robot, Samples.slope(width: 400, height: 200))
    robot.press("Right")
    #expect(robot.grid.pictures.isEmpty && robot.take() == [])
  }

  @Test func `help covers the picture, and it comes back`() throws {
    let robot = robot(.kitty)
    try open(robot, Samples.slope(width: 400, height: 200))
    func count() -> Int {
      let grid = robot.grid
      return (0..<grid.size.height).reduce(0) { sum, y in
        sum + (0..<grid.size.width).filter { grid[$0, y].picture != nil }.count
      }
    }
    let whole = count()
    #expect(whole > 500)
    robot.press("?")
    #expect(count() < whole / 2)
    robot.press("Esc")
    #expect(count() == whole)
  }

  @Test func `answers of the terminal make new thumbnails, in its pixels`() throws {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.take()
    robot.send(.abilities(TerminalAbilities(colors: .trueColor, graphics: .kitty, cell: Self.cell)))
    #expect(robot.take().contains { $0.contains("thumbnails") })
    let resolution = robot.state.photos.resolution
    #expect(resolution.cell == PixelSize(width: 10, height: 20))
    let shown = try ShownPicture(Samples.slope(width: 320, height: 90), columns: 24, rows: 3, in: resolution)
    robot.happen(photos: .thumbnail(photo, .success(shown)))
    let picture = try #require(robot.grid.pictures.values.first)
    #expect(picture.size == Size(213, 60) && picture.cells == Size(22, 3))
    #expect(robot.screen.contains("\u{2580}"), "the blocks are there, too")
  }

  @Test("Finer blocks are drawn where they are asked for", arguments: [GraphicsMode.quadrants, .sextants])
  func mosaics(_ graphics: GraphicsMode) throws {
    let robot = robot(graphics)
    try open(robot, Samples.slope(width: 400, height: 200))
    let grid = robot.grid
    #expect(grid.pictures.isEmpty)
    let glyphs = Set((0..<grid.size.width).map { grid[$0, 10].base })
    let isFiner = glyphs.contains { $0 >= 0x1FB00 || $0 != 0x2580 && (0x2580...0x259F).contains($0) }
    #expect(isFiner)
  }
}
