import FileStores
import Testing
import TextUI

@testable import ClubServices
@testable import Imaging
@testable import Screens

/// A photo's metadata, over the list and over the viewer.
@Suite struct FactsTests {
  @Test func `facts of a photo wrap, scroll by the reader's keys, and end with the hash`() throws {
    let robot = try informed(Size(40, 12))
    #expect(robot.screen.contains("megapixels, jpeg") && robot.screen.contains("q back"))
    #expect(!robot.screen.contains("Content hash"))
    for (down, up) in [("PgDn", "PgUp"), ("G", "g"), ("End", "Home"), ("Ctrl-D", "Ctrl-U")] {
      robot.press(down)
      #expect(!robot.screen.contains("photos/a.jpg"))
      robot.press(up)
      #expect(robot.screen.contains("photos/a.jpg"))
    }
    for key in ["j", "Down"] {
      let before = robot.grid
      robot.press(key)
      #expect(robot.grid != before)
    }
    robot.press("End")
    let hash = ContentHash(of: Array("garage".utf8)).description
    #expect(robot.screen.contains(hash.suffix(20)))
    robot.mouse(.wheelUp, 5, 5)
    #expect(!robot.screen.contains(hash.suffix(20)))
  }

  @Test func `facts that fit offer no paging, and another size wraps them anew`() throws {
    let robot = try informed(Size(80, 24))
    #expect(!robot.footer.contains("PgDn"))
    robot.resize(40, 12)
    #expect(robot.footer.contains("PgDn page") && robot.screen.contains("megapixels, jpeg"))
  }

  @Test(arguments: ["Esc", "q", "Ctrl-C"])
  func `facts lead back to where they were asked for`(key: String) throws {
    let robot = try informed()
    robot.press(key)
    #expect(robot.view.isEmpty && robot.question == nil)
    let viewer = Robot(photos: ["a.jpg"])
    viewer.press("Enter", "i")
    viewer.happen(photos: .informed(try facts()))
    #expect(viewer.view == "info")
    viewer.press(key)
    #expect(viewer.view == "viewer")
    viewer.press(key)
    #expect(viewer.view.isEmpty)
  }

  @Test func `a photo that comes while its facts are read is there below them`() throws {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("Enter", "i")
    robot.happen(photos: .informed(try facts()))
    let full = Samples.panorama().size
    robot.happen(
      photos: .viewed(Samples.path("photos/a.jpg"), try Samples.pyramid(), full: full, isWhole: true))
    #expect(robot.view == "info")
    robot.press("+", "Esc")
    #expect(robot.grid.text(ofRow: 1).hasSuffix("320 x 80  100 %  1 of 1"))
  }

  @Test func `the change of a photo has its time of day by the member's clock`() throws {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("i")
    robot.happen(photos: .informed(try facts(), offset: 3600))
    #expect(robot.screen.contains("Changed       2026-11-18 10:06"))
  }

  @Test func `a camera's maker is named once`() throws {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("i")
    robot.happen(photos: .informed(try #require(Samples.info(Samples.path("photos/a.jpg"), camera: "RICOH Theta Z1"))))
    #expect(robot.screen.contains("Camera        RICOH Theta Z1"))
  }

  @Test func `a line end in a name cannot pass for a fact`() throws {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("i")
    let info = try #require(Samples.info(Samples.path("photos/a.jpg"), camera: "x\nPosition      none"))
    robot.happen(photos: .informed(info))
    #expect(robot.screen.contains("Camera        Ricoh x?Position      none"))
  }

  @Test(
    arguments: [
      (3_200_000, ", with a film of 3.1 MiB"), (27_000_000, ", with a film"), (0, ", with a film"),
      (nil, ", with a film"),
    ] as [(Int?, String)])
  func `a film is a part of the file, else its length is not believed`(bytes: Int?, words: String) throws {
    let info = try facts()
    var header = info.header
    header.filmBytes = bytes
    let film = PhotoInfo(entry: info.entry, header: header, contentHash: info.contentHash)
    let picture = PhotoFact.all(of: film, named: "a.jpg", changed: nil).first { $0.name == "Picture" }
    #expect(picture?.value.hasSuffix("jpeg\(words)") == true)
  }

  @Test func `lens, exposure, place and heading are said in the words of photographers`() throws {
    let info = try facts()
    var header = info.header
    (header.lens, header.focalLengthMillimetres, header.focalLength35Millimetres) = ("Lens 24mm", 6.765, 24)
    let words = PhotoFact.taking(header).reduce(into: [String: String]()) { $0[$1.name] = $1.value }
    #expect(words["Lens"] == "Lens 24mm" && words["Focal length"] == "6.8 mm (24 mm on film)")
    #expect(words["Exposure"] == "1/250 s, f/2.4, ISO 100" && words["Place"] == "53.14412, -9.08750")
    #expect(words["Heading"] == "123 degrees (SE)")
    header.position = nil
    #expect(PhotoFact.taking(header).contains(PhotoFact("Place", "the file has one that cannot be read")))
  }

  private func facts() throws -> PhotoInfo {
    try #require(Samples.info(Samples.path("photos/a.jpg"), camera: "Theta X of the club's own box of cameras"))
  }

  private func informed(_ size: Size = Size(80, 24)) throws -> Robot {
    let robot = Robot(photos: ["a.jpg"], size: size)
    robot.press("i")
    robot.happen(photos: .informed(try facts()))
    return robot
  }
}
