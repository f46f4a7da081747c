import ClubServices
import FileStores
import TestKit
import Testing
import TextUI

@testable import Screens

/// Files of remarks that no member's byteclub has written, on the screen.
@Suite struct HostileTalkTests {
  private static let path = Samples.path("walk.md")
  private static let talks = Dictionary(uniqueKeysWithValues: HostileTalk.all.map { ($0.name, Talk($0.bytes)) })

  /// The remarks over the note that has them.
  private func robot(_ talk: Talk, _ size: Size) -> Robot {
    let robot = Robot(notes: ["walk.md"], size: size)
    robot.press("Enter")
    var note = Samples.note("walk.md", "# Walk\n\nover the sand\n")
    note.remarks = PlacedTalk(talk, in: note.bytes)
    robot.happen(.opened(note, .read))
    for key in ["End", "Home"] {
      robot.press(key)
      #expect(robot.grid.fault == nil)
    }
    robot.press("@", "@")
    robot.happen(.talk(.loaded(Self.path, talk)))
    robot.take()
    return robot
  }

  @Test(arguments: HostileTalk.all, [Size(80, 24), Size(40, 12)])
  func `nothing of them drives the terminal, each remark is reached, and answered`(file: HostileTalk, size: Size)
    throws
  {
    let talk = try #require(Self.talks[file.name])
    let robot = robot(talk, size)
    #expect(talk.remarks.count == file.remarks && talk.strange.count == file.below.count)
    var seen = ""
    func look() {
      let grid = robot.grid
      #expect(grid.fault == nil)
      seen += grid.text
    }
    robot.press("End")
    for _ in 0..<12 {
      look()
      robot.press("Down")
    }
    #expect(robot.notice == "This is the last remark.")
    for _ in 0..<24 {
      look()
      robot.press("Up")
    }
    for word in file.shown { #expect(seen.contains(word), "\(word)") }
    if size.width == 80 { for word in file.below { #expect(seen.contains(word), "\(word)") } }
    #expect(talk.unread == 0 || seen.contains("90,000 more remarks are in the file."))
    robot.press("Home", "Enter")
    robot.type("yes")
    look()
    robot.press("Enter")
    #expect(robot.takeRuns().last == "run say \"yes\" reply(to: \"\(talk.remarks[0].id)\") on walk.md")
  }

  @Test func `of equal ids the selected remark stays when they are read again`() throws {
    let talk = try #require(Self.talks["equal ids"])
    let robot = robot(talk, Size(80, 24))
    robot.press("Home", "Down", "Down")
    let selected = try #require(robot.state.talk?.selected)
    #expect(selected == talk.remarks[2])
    robot.happen(.talk(.loaded(Self.path, talk)))
    #expect(robot.state.talk?.selected == selected)
  }

  @Test(arguments: [Size(80, 24), Size(40, 12)])
  func `a remark longer than the screen, and lines below the last one, are read to their ends`(size: Size) {
    let words = (0..<300).map { "word\($0)." }.joined(separator: " ")
    let items = ["aaaaaaa1", "aaaaaaa2"].map { id in
      TalkItem(member: "ann", time: Timestamp(seconds: Samples.now), id: id, aim: .whole, text: words).markdown
    }
    let odd = (0..<250).map { "odd\($0).\n" }.joined()
    let robot = robot(Talk(Array((items.joined() + odd).utf8)), size)
    var (seen, steps) = ("", 0)
    robot.press("Home")
    while robot.notice != "This is the last remark.", steps < 200 {
      seen += robot.screen
      robot.press("Down")
      steps += 1
    }
    for number in 0..<300 { #expect(seen.ranges(of: "word\(number).").count >= 2, "\(number)") }
    for number in 0..<200 { #expect(seen.contains("odd\(number).")) }
    #expect(seen.contains("50 more lines are in the file."))
    for _ in 0..<steps { robot.press("Up") }
    #expect(robot.notice == "This is the first remark." && robot.screen.contains("word0."))
  }

  @Test func `on a screen that has become larger, no key is lost on rows that are in view by then`() {
    let words = (0..<300).map { "word\($0)." }.joined(separator: " ")
    let item = TalkItem(member: "ann", time: Timestamp(seconds: Samples.now), id: "aaaaaaa1", aim: .whole, text: words)
    let robot = robot(Talk(Array(item.markdown.utf8)), Size(40, 12))
    robot.press("End")
    robot.resize(80, 24)
    #expect(!robot.screen.contains("word0."))
    robot.press("Up")
    #expect(robot.screen.contains("word0."))
  }
}
