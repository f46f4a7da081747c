import ClubServices
import FileStores
import Testing
import TextUI

@testable import Imaging
@testable import Screens

/// Pictures of the club within rendered notes.
@Suite struct NotePictureTests {
  private func reading(_ text: String, size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"], size: size)
    robot.happen(.asked(Samples.path("a.md")))
    robot.take()
    robot.happen(.opened(Samples.note("a.md", text), .read))
    return robot
  }

  private func answer(_ robot: Robot, _ path: String, rows: Int? = 6) {
    var request = PreviewRequest(
      kind: .photo, path: Samples.path(path), size: nil, modified: nil, columns: 1, rows: 1)
    request.isBare = true
    let picture = rows.map { Samples.thumbnail(columns: 24, rows: $0) }
    robot.happen(.preview(.shown(request, PreviewContent(picture: picture, lines: []))))
  }

  private func isPicture(_ robot: Robot, _ x: Int, _ y: Int) -> Bool { robot.grid[x, y].base == 0x2580 }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12)])
  func `a picture that stands alone appears below its name, and the text after it`(size: Size) {
    let robot = reading("![the pier](photos/the%20pier.jpg)\n\nbelow\n", size: size)
    #expect(robot.take().contains("run preview photos/the pier.jpg [notes.picture]"))
    #expect(robot.grid.text(ofRow: 4) == " below")
    answer(robot, "photos/the pier.jpg", rows: 4)
    #expect(robot.grid.text(ofRow: 2).hasPrefix(" ▣ the pier"))
    for y in 3..<7 { #expect(isPicture(robot, 1, y) && isPicture(robot, 24, y) && !isPicture(robot, 25, y)) }
    #expect(robot.grid.text(ofRow: 8) == " below")
    robot.press("m")
    #expect(!isPicture(robot, 1, 3))
    robot.press("m")
    #expect(isPicture(robot, 1, 3))
  }

  @Test func `a picture is found by its name in another letter case, in the text and by Enter`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.photos(.listed(Samples.table(["far/Pier.JPG"], folder: "photos"))))
    robot.happen(.asked(Samples.path("a.md")))
    robot.take()
    robot.happen(.opened(Samples.note("a.md", "![pier](photos/far/pier.jpg)"), .read))
    #expect(robot.take().contains("run preview photos/far/Pier.JPG [notes.picture]"))
    answer(robot, "photos/far/Pier.JPG")
    #expect(isPicture(robot, 1, 3))
    robot.press("Tab", "Enter")
    #expect(robot.take().contains { $0.hasPrefix("run view photos/far/Pier.JPG") })
  }

  @Test func `pictures are read one after the other, those in view alone, and each once`() {
    let gap = String(repeating: "word\n\n", count: 40)
    let robot = reading("![](photos/a.jpg)\n\n![[photos/b.png]]\n\n\(gap)![c](photos/c.jpg)\n\n![a](photos/a.jpg)\n")
    #expect(robot.take().filter { $0.contains("preview") } == ["run preview photos/a.jpg [notes.picture]"])
    robot.press("j", "k")
    #expect(robot.take().isEmpty)
    answer(robot, "photos/a.jpg")
    #expect(robot.take() == ["run preview photos/b.png [notes.picture]"])
    answer(robot, "photos/b.png", rows: nil)
    #expect(robot.take().isEmpty)
    robot.press("G")
    #expect(robot.take() == ["run preview photos/c.jpg [notes.picture]"])
    answer(robot, "photos/c.jpg")
    #expect(robot.take().isEmpty)
    robot.press("G")
    #expect(robot.screen.contains("▣ a") && robot.take().isEmpty)
  }

  @Test func `a picture scrolls with the text by rows`() {
    let robot = reading("![a](photos/a.jpg)\n\n" + String(repeating: "word\n\n", count: 40))
    answer(robot, "photos/a.jpg")
    #expect(isPicture(robot, 1, 8) && !isPicture(robot, 1, 9))
    robot.press("j", "j", "j")
    #expect(isPicture(robot, 1, 2) && isPicture(robot, 1, 5) && !isPicture(robot, 1, 6))
    robot.mouse(.wheelUp, 5, 5)
    #expect(robot.grid.text(ofRow: 2).hasPrefix(" ▣ a"))
  }

  @Test func `a picture that arrives while the outline covers the note is shown below it`() {
    let robot = reading("# a\n\n![a](photos/a.jpg)\n")
    robot.press("O")
    answer(robot, "photos/a.jpg")
    robot.press("Esc")
    #expect(isPicture(robot, 1, 5))
  }

  @Test func `a photo that cannot be shown, and one within a sentence, stay links`() {
    let robot = reading(
      "![a](photos/a.jpg)\n\nsee ![b](photos/b.jpg) here\n\n![x](https://x.example/x.jpg) ![y](../y.jpg)\n")
    let before = robot.screen
    answer(robot, "photos/a.jpg", rows: nil)
    answer(robot, "photos/b.jpg")
    #expect(robot.screen == before)
  }

  @Test func `another width asks for the pictures again`() {
    let robot = reading("![a](photos/a.jpg)\n")
    answer(robot, "photos/a.jpg")
    robot.take()
    robot.resize(60, 20)
    #expect(!isPicture(robot, 1, 3) && robot.take().contains("run preview photos/a.jpg [notes.picture]"))
    answer(robot, "photos/a.jpg")
    #expect(isPicture(robot, 1, 3))
  }

  @Test func `a note that is read again keeps its pictures`() {
    let robot = reading("![a](photos/a.jpg)\n")
    answer(robot, "photos/a.jpg")
    robot.happen(.opened(Samples.note("a.md", "new\n\n![a](photos/a.jpg)\n", revision: "r2"), .reread))
    #expect(robot.grid.text(ofRow: 2) == " new" && isPicture(robot, 1, 5))
  }
}
