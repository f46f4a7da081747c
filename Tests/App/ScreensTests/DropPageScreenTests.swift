import ClubServices
import FileStores
import Foundation
import Testing
import TextUI

@testable import Screens

extension Samples {
  static func dropPage(into folder: String = "photos", giver: String? = "Mia") -> SharedLink {
    SharedLink(
      url: "https://club.example:8443/d/AbCdEfGhIjKlMnOpQrStUv", path: path(folder),
      expires: Timestamp(seconds: 1_800_000_000), drop: DropTerms(giver: giver, mostBytes: 500 << 20))
  }
}

/// `U` asks a friend for photos.
@Suite struct DropPageScreenTests {
  private let url = Samples.dropPage().url

  private func robot(_ size: Size = Size(80, 24), code: QRBlocks? = ClubsSamples.qr, warnings: [String] = []) -> Robot {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], size: size)
    robot.happen(photos: .dropPageMade(ShownDropPage(Samples.dropPage(), code: code, warnings: warnings)))
    robot.take()
    return robot
  }

  private func squares(_ robot: Robot) -> Bool { robot.screen.contains("█") }

  @Test(arguments: [("", "anyone"), ("Mia U q", "Mia U q")])
  func `U asks for the giver's name, and Enter alone is enough`(typed: String, asked: String) {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("U")
    #expect(robot.screen.contains("Photos from: ") && robot.take().isEmpty)
    robot.type(typed)
    #expect(robot.screen.contains("Photos from: \(typed)") && robot.take().isEmpty)
    robot.press("Enter")
    #expect(robot.take() == ["run ask \(asked) for photos"])
    #expect(!robot.screen.contains("Photos from: ") && robot.chosen == "photos/a.jpg")
  }

  @Test func `under another view the name takes no keys`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("U")
    robot.type("Mia")
    robot.push(photos: PathPrompt(purpose: .upload, text: "~/"))
    robot.type("q")
    robot.send(.paste(Array("x".utf8)))
    #expect(robot.state.photos.prompt?.field.string == "~/qx" && robot.state.photos.giver?.string == "Mia")
  }

  @Test func `Esc asks for nothing`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("U", "x", "Esc")
    #expect(robot.take().isEmpty && robot.state.photos.giver == nil && robot.view.isEmpty)
  }

  @Test func `the command line asks, with a name and without`() {
    let robot = Robot(notes: ["a.md"])
    robot.press(":")
    robot.type("photo ask Mia of Oslo\n")
    #expect(robot.take().contains("run ask Mia of Oslo for photos") && robot.state.tab == .photos)
    robot.press(":")
    robot.type("photo ask\n")
    #expect(robot.state.photos.giver != nil && !robot.take().contains { $0.hasPrefix("run ask") })
  }

  @Test(arguments: [Size(80, 30), Size(120, 40), Size(200, 60)])
  func `the page has its address, its end, its folder and its code`(size: Size) {
    let robot = robot(size)
    #expect(robot.view == "drop page" && squares(robot))
    for words in [url, "Mia's phone", "500.0 MiB at most", "\"photos\"", "It ends on 2027-01-15 at 08:00 UTC."] {
      let text = robot.screen.split { $0.isWhitespace }.joined(separator: " ")
      #expect(text.contains(words), "\(words)")
    }
  }

  @Test func `on a small screen the address stands alone`() {
    let robot = robot(Size(40, 12), warnings: ["The phone's browser warns."])
    let lines = robot.screen.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(!squares(robot) && lines.joined().contains(url) && robot.screen.contains("browser warns"))
  }

  @Test func `y copies the address, and the page stays`() {
    let robot = robot()
    robot.press("y")
    #expect(robot.take() == ["copy \(url)"] && robot.view == "drop page" && robot.notice == "Copied the address.")
  }

  @Test(arguments: ["Esc", "q", "Enter", "Down", "Space"]) func `another key closes the page, and does nothing else`(
    key: String
  ) {
    let robot = robot()
    robot.press(key)
    #expect(robot.view.isEmpty && robot.take().allSatisfy { !$0.contains("view") } && robot.chosen == "photos/a.jpg")
  }

  @Test func `a page that comes while a text is typed leaves the text alone`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("R")
    robot.happen(photos: .dropPageMade(ShownDropPage(Samples.dropPage(), code: nil, warnings: [])))
    #expect(robot.view == "rename" && robot.notice?.contains(url) == true)
  }

  @Test func `a refusal says the option that the server lacks`() {
    let robot = Robot(photos: ["a.jpg"])
    let error = StoreError(.notPermitted, "No photos.", remedy: "Ask the owner: byteclub serve --drop-pages")
    robot.happen(photos: .failed(.askForPhotos(giver: ""), error))
    #expect(robot.notice?.contains("serve --drop-pages") == true && robot.view.isEmpty)
  }

  @Test func `a reader asks for nothing`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.happen(.readerKnown(true))
    robot.press("U")
    #expect(robot.state.photos.giver == nil && robot.notice == "\(StoreError.reader)")
  }
}
