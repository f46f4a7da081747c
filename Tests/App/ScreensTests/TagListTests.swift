import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// The list of the club's tags.
@Suite struct TagListTests {
  private func counts(_ notes: [[String]]) -> [String] {
    var counts = TagCounts()
    for tags in notes { counts.add(tags) }
    return counts.all.map { "\($0.tag) \($0.notes)" }
  }

  @Test func `a tag counts the notes of the tags below it, each note once`() {
    #expect(
      counts([["trips/oslo", "trips/rome"], ["trips"], ["garage"]])
        == ["trips 2", "garage 1", "trips/oslo 1", "trips/rome 1"])
    #expect(counts([["A/b/c"], ["a/B"]]) == ["A 2", "A/b 2", "A/b/c 1"])
    #expect(counts([["Garage"], ["garage"], ["GARAGE"]]) == ["Garage 3"])
    #expect(counts([[], ["/"], ["a//b"]]).count <= 4)
  }

  @Test func `the list narrows while letters are typed, and Enter lists the notes of a tag`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("#")
    #expect(robot.view == "choice" && robot.take() == ["run find tags [notes.tags]"])
    var tags = TagCounts()
    tags.add(["garage", "trips/oslo"])
    tags.add(["garage"])
    robot.happen(.tagsFound(tags))
    #expect(robot.screen.contains("> #garage") && robot.screen.contains("2 notes"))
    robot.type("oslo")
    robot.press("Enter")
    #expect(robot.view.isEmpty && robot.take().contains("run search tag:trips/oslo [notes.search]"))
  }

  @Test func `a tag that is typed completes from the tags of the club, which are read once`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.writingAsked(Samples.path("a.md")))
    robot.happen(.opened(Samples.note("a.md", ""), .write))
    robot.type("# about #o")
    #expect(robot.takeRuns().filter { $0.contains("find tags") }.count == 1)
    var tags = TagCounts()
    tags.add(["oslo/fjord", "pier"])
    robot.happen(.tagsFound(tags))
    #expect(robot.screen.contains("oslo/fjord") && !robot.screen.contains("pier"))
    robot.press("Down", "Tab")
    robot.type(" x #")
    #expect(robot.text == "# about #oslo/fjord x #" && !robot.takeRuns().contains { $0.contains("find tags") })
  }

  @Test func `a club without tags says what a tag is, and a failure closes the list`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("#")
    robot.happen(.tagsFound(TagCounts()))
    #expect(robot.screen.contains("A tag is #word"))
    robot.press("Esc", "#")
    robot.happen(.failed(.findTags, StoreError(.offline, "It is away.")))
    #expect(robot.view.isEmpty && robot.notice == "byteclub could not count the tags. It is away.")
  }
}
