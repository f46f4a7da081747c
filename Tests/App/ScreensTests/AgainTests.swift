import FileStores
import Testing
import TextUI

@testable import Screens

/// Cached photos, and repeated uploads and downloads.
@Suite struct AgainTests {
  @Test func `a photo that is kept from a look is marked more quietly than one on disk, and o opens it`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    let paths = ["a.jpg", "b.jpg"].map { Samples.path("photos/\($0)") }
    robot.happen(photos: .kept([paths[0]], of: paths))
    #expect(robot.screen.contains("cached") && !robot.screen.contains("on disk"))
    robot.press("o")
    #expect(robot.take() == ["run open kept photos/a.jpg"])
    robot.press("j", "o")
    #expect(robot.take().last == "run open outside photos/b.jpg")
    robot.happen(
      photos: .changed(ChangeSet(changes: [.present(Samples.entry("photos/a.jpg"))], cursor: ChangeCursor("1"))))
    #expect(!robot.screen.contains("cached"))
  }

  @Test(arguments: [Size(80, 24), Size(40, 12)])
  func `a picture that the club has is uploaded only when the member says so`(size: Size) {
    let robot = Robot(photos: ["pier.jpg"], size: size)
    robot.happen(photos: .clubHas(["~/a.jpg"], [Samples.path("photos/pier.jpg")]))
    #expect(robot.notice == "The club already has this picture: pier.jpg.")
    #expect(robot.question == "The club already has this: pier.jpg. Upload again?")
    robot.take()
    robot.press("Esc")
    #expect(robot.take().isEmpty && robot.question == nil)
    robot.happen(
      photos: .clubHas(["~/a.jpg", "~/b.jpg"], [Samples.path("photos/pier.jpg"), Samples.path("photos/q.jpg")]))
    #expect(robot.question == "The club already has 2 of these pictures. Upload them again?")
    robot.press("y")
    #expect(robot.take() == ["run upload ~/a.jpg ~/b.jpg again"] && robot.state.photos.preparing == 2)
  }

  @Test func `a photo that is in the folder is downloaded only when the member says so`() {
    let robot = Robot(photos: ["pier.jpg"])
    robot.happen(photos: .folderHas([Samples.path("photos/pier.jpg")], "~/Pictures/"))
    #expect(robot.notice == "pier.jpg is already in ~/Pictures.")
    #expect(robot.question == "pier.jpg is already in ~/Pictures. Download again?")
    robot.take()
    robot.press("y")
    #expect(robot.take() == ["run download photos/pier.jpg to ~/Pictures/ again"])
  }

  @Test func `the question waits while a view lies over the list`() {
    let robot = Robot(photos: ["pier.jpg"])
    robot.press("Enter")
    robot.happen(photos: .folderHas([Samples.path("photos/pier.jpg")], "~"))
    #expect(robot.question == nil && robot.notice == "pier.jpg is already in ~.")
    robot.press("q")
    #expect(robot.question == "pier.jpg is already in ~. Download again?")
  }
}
