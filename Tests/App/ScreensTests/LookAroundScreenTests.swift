import FileStores
import Imaging
import Testing
import TextUI

@testable import Screens

/// The viewer of panoramas: looking around in them, and showing them flat.
@Suite struct LookAroundScreenTests {
  private let photo = Samples.path("photos/a.jpg")

  /// A viewer of a photo whose data say `projection`; nil for a photo without such data.
  private func robot(
    _ projection: String?, width: Int = 400, height: Int = 200, size: Size = Size(80, 24)
  ) throws -> Robot {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], size: size)
    robot.press("Enter")
    try show(projection, width, height, on: robot)
    robot.take()
    return robot
  }

  private func show(_ projection: String?, _ width: Int, _ height: Int, on robot: Robot) throws {
    var facts = PanoramaFacts()
    facts.projection = projection
    facts.fullSize = PixelSize(width: width, height: height)
    facts.headingDegrees = projection == nil ? nil : 90
    let jpeg = try Encoder.jpeg(Samples.slope(width: width, height: height), quality: 90)
    let header = try PictureHeader.read(projection == nil ? jpeg : Encoder.marked(jpeg, as: facts))
    robot.happen(
      photos: .viewed(
        photo, try Samples.pyramid(Samples.slope(width: width, height: height)), full: header.size, header: header,
        isWhole: true))
  }

  private func look(_ robot: Robot) throws -> LookAround { try #require(robot.state.photos.viewer?.look) }

  @Test func `a sphere opens inside, at the horizon, with compass and strip`() throws {
    let robot = try robot("equirectangular")
    #expect(robot.grid.text(ofRow: 1).hasSuffix("400 x 200  360\u{B0}  E 90\u{B0}  up 0\u{B0}  90\u{B0} wide  1 of 2"))
    let compass = robot.grid.text(ofRow: 2)
    #expect(compass.contains("E") && compass.contains("\u{B7}") && !compass.contains("W"))
    #expect(robot.footer.contains("v flat"))
  }

  @Test(arguments: [80, 120])
  func `the footer of a panorama names the remarks`(width: Int) {
    let robot = Scene.hotSpotChosen.robot(Size(width, 24))
    for words in ["Tab place", "Enter go there", "v flat", "@ remarks", "q back"] {
      #expect(robot.footer.contains(words), "\(robot.footer)")
    }
  }

  @Test func `arrows turn, without an end to the sides and with one above`() throws {
    let robot = try robot("equirectangular")
    for _ in 0..<8 { robot.press("Right") }
    #expect(abs(try look(robot).yawDegrees - 90) < 0.001)
    #expect(robot.grid.text(ofRow: 1).contains("S 180\u{B0}"))
    for _ in 0..<32 { robot.press("Right") }
    #expect(abs(try look(robot).yawDegrees - 90) < 0.001)
    for _ in 0..<40 { robot.press("Up") }
    #expect(try look(robot).pitchDegrees <= 90)
    robot.press("0")
    #expect(try look(robot).yawDegrees == 0 && look(robot).pitchDegrees == 0)
    robot.press("+")
    #expect(try look(robot).fieldOfViewDegrees < 90)
  }

  @Test func `v shows a sphere flat, and inside again; n and p keep the choice`() throws {
    let robot = try robot("equirectangular")
    robot.press("v")
    #expect(robot.state.photos.viewer?.look == nil && robot.notice == "Shown flat (your choice).")
    robot.press("q", "Enter")
    try show("equirectangular", 400, 200, on: robot)
    #expect(robot.state.photos.viewer?.look == nil)
    while robot.state.photos.viewer?.geometry?.kind != .sphere { robot.press("v") }
    #expect(robot.state.photos.viewer?.look != nil)
  }

  @Test func `the key that switches the view names the next one`() throws {
    let robot = try robot("equirectangular")
    #expect(robot.footer.contains("v flat"))
    robot.press("v")
    #expect(!robot.grid.text(ofRow: 1).contains("sweep"))
    var words: [String] = []
    for _ in 0..<4 {
      let viewer = try #require(robot.state.photos.viewer)
      words.append(try #require(viewer.nextLook))
      #expect(robot.footer.contains("v \(words[words.count - 1])"))
      robot.press("v")
      #expect((robot.state.photos.viewer?.look == nil) == (words.last == "flat"))
    }
    #expect(words.contains("around") && words.contains("sphere"))
  }

  @Test func `facts name the view that the member chose`() throws {
    let facts = try #require(Samples.info(Samples.path("photos/a.jpg"), camera: "Theta X"))
    let info = PhotoFacts(facts, shownAs: .sphere).reader
    #expect(String(decoding: info.text.bytes, as: UTF8.self).contains("Shown as      360\u{B0} (your choice)."))
  }

  @Test func `a photo of usual shape is flat, and a says how to look around`() throws {
    let robot = try robot(nil, width: 300, height: 200)
    #expect(robot.state.photos.viewer?.look == nil)
    #expect(robot.grid.text(ofRow: 1).hasSuffix("300 x 200  100 %  1 of 2"))
    robot.press("a")
    #expect(robot.notice == "The photo is shown flat. v looks around in a panorama." && robot.take().isEmpty)
  }

  @Test func `a wide photo opens filled to the height, with its place in a strip, and v looks around in it`() throws {
    let robot = try robot(nil, width: 800, height: 100)
    let viewer = try #require(robot.state.photos.viewer)
    #expect(viewer.look == nil && viewer.geometry?.kind == .sweep && viewer.flat?.isFit == false)
    let seen = try #require(viewer.seen.first)
    #expect(viewer.seen.count == 1 && seen.lowerBound > 0.1 && seen.upperBound < 0.9)
    robot.press("v")
    #expect(try look(robot).geometry.kind == .sweep)
  }

  @Test func `a turns by itself until a is pressed again or another tab is shown`() throws {
    let robot = try robot("equirectangular")
    robot.press("a")
    #expect(robot.take() == ["run await the turn [photos.turn]"])
    robot.happen(photos: .turned)
    #expect(robot.take() == ["run await the turn [photos.turn]"])
    #expect(try look(robot).yawDegrees == 1)
    robot.press("a")
    #expect(robot.take() == ["cancel [photos.turn]"])
    robot.happen(photos: .turned)
    #expect(try robot.take().isEmpty && look(robot).yawDegrees == 1)
    robot.press("a", "1")
    robot.take()
    robot.happen(photos: .turned)
    #expect(robot.take().isEmpty)
  }

  @Test func `a partial panorama turns back at its end`() throws {
    let robot = try robot(nil, width: 800, height: 100)
    robot.press("v", "a")
    var yaws: [Double] = []
    for _ in 0..<1500 {
      robot.happen(photos: .turned)
      yaws.append(try look(robot).yawDegrees)
    }
    let most = try #require(yaws.max())
    let least = try #require(yaws.min())
    #expect(most > 5 && abs(most + least) < 1.5)
  }

  @Test func `the mouse takes the picture along`() throws {
    let robot = try robot("equirectangular")
    robot.mouse(.press, 40, 10)
    robot.mouse(.drag, 30, 10)
    #expect(abs(try look(robot).yawDegrees - 11.25) < 0.01)
    robot.mouse(.release, 30, 10)
    robot.mouse(.drag, 20, 10)
    #expect(abs(try look(robot).yawDegrees - 11.25) < 0.01)
  }

  @Test func `m hides compass and strip, which give way on a small screen, too`() throws {
    let robot = try robot("equirectangular")
    #expect(robot.grid.text(ofRow: 2).contains("E"))
    robot.press("m")
    #expect(!robot.grid.text(ofRow: 2).contains("E"))
    robot.press("m")
    robot.resize(40, 12)
    #expect(!robot.grid.text(ofRow: 2).contains("E"))
  }

  @Test func `f widens the view, and a replaced photo is looked at as what it is`() throws {
    let robot = try robot("equirectangular")
    robot.press("f")
    #expect(try look(robot).fieldOfViewDegrees > 95)
    try show(nil, 300, 200, on: robot)
    #expect(robot.state.photos.viewer?.look == nil && robot.state.photos.viewer?.geometry?.kind == .flat)
  }

  @Test func `a better version of the photo keeps the direction`() throws {
    let robot = try robot("equirectangular")
    robot.press("Right", "Up")
    let before = try look(robot)
    try show("equirectangular", 400, 200, on: robot)
    #expect(try look(robot) == before)
  }

  @Test func `the terminal's own background surrounds a picture`() throws {
    let robot = try robot(nil, width: 100, height: 200)
    let grid = robot.grid
    #expect(grid[0, 12].base == 0x20 && grid[79, 12].base == 0x20 && grid[40, 12].base != 0x20)
  }
}
