import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// The visible state of a list: order, position, marks, what is saved.
@Suite struct ListFaceTests {
  @Test func `a long name keeps its end`() {
    let names = (1...3).map { "google-cloud-cli-app-engine-python-extras-and-more-\($0).md" }
    let robot = Robot(notes: names, size: Size(40, 12))
    for number in 1...3 { #expect(robot.screen.contains("-\(number).md")) }
    #expect(robot.screen.contains("google-"))
  }

  private static func robot(_ names: [String] = ["a", "b", "c"]) -> Robot {
    let robot = Robot(notes: names)
    robot.happen(
      .detailed(
        [
          Samples.entry("a", size: 1, ago: 30), Samples.entry("b", size: 3, ago: 10),
          Samples.entry("c", size: 2, ago: 20),
        ], isLast: true))
    return robot
  }

  @Test func `the head of the columns shows the order, which s and S change`() {
    let robot = Self.robot()
    #expect(robot.grid.text(ofRow: 1).hasPrefix("   Name ▲"))
    robot.press("S")
    #expect(robot.grid.text(ofRow: 1).hasPrefix("   Name ▼"))
    #expect(robot.rows == ["c", "b", "a"])
    robot.press("s")
    #expect(robot.grid.text(ofRow: 1).contains("▼ Age"))
    #expect(robot.rows == ["b", "c", "a"])
    robot.press("S")
    #expect(robot.grid.text(ofRow: 1).contains("▲ Age"))
    #expect(robot.rows == ["a", "c", "b"])
    robot.press("s")
    #expect(robot.grid.text(ofRow: 1).contains("▼ Size"))
    #expect(robot.rows == ["b", "c", "a"])
    #expect(robot.chosen == "b")
  }

  @Test func `the head of the photos takes the place of the notes' head`() {
    let robot = Robot(notes: ["a", "b", "c"])
    robot.happen(photos: .listed(Samples.table(["a.jpg", "b.jpg", "c.jpg"], folder: "photos")))
    for (key, head) in [("2", "   Sorted by name ▲"), ("1", "   Name ▲"), ("2", "   Sorted by name ▲")] {
      robot.press(key)
      #expect(robot.screen.split(separator: "\n", omittingEmptySubsequences: false)[1].hasPrefix(head))
    }
  }

  @Test func `an order is remembered, and kept by a new listing`() {
    let robot = Self.robot()
    robot.take()
    robot.press("s")
    #expect(robot.take() == ["run keep order date of notes"])
    robot.press("S")
    #expect(robot.take() == ["run keep order date reversed of notes"])
    robot.happen(.listed(Samples.table(["a", "b", "c"])))
    #expect(robot.rows == ["a", "c", "b"])
  }

  @Test(arguments: ["name", "name reversed", "date", "date reversed", "size", "size reversed"])
  func `an order has a text`(text: String) {
    #expect(ListOrder(text: text)?.text == text)
    #expect(ListOrder(text: text + " x") == nil)
  }

  @Test(arguments: ["", "colour", "name backwards"])
  func `other texts are no order`(text: String) { #expect(ListOrder(text: text) == nil) }

  @Test func `the line below the list has position, marks and what is saved`() {
    let robot = Self.robot()
    let line = { robot.grid.text(ofRow: robot.grid.size.height - 3) }
    #expect(line().hasPrefix(" 1 of 3") && line().hasSuffix("all saved"))
    robot.press("Space")
    #expect(line().hasPrefix(" 2 of 3  1 marked  Esc unmarks"))
    robot.press("Esc")
    robot.happen(.notes(.foundWaiting([Samples.unsent("a")])))
    robot.press("Esc")
    #expect(line().hasSuffix("1 to send"))
  }

  @Test func `a low terminal has rows instead`() {
    let robot = Robot(notes: ["a", "b", "c"], size: Size(40, 12))
    #expect(robot.grid.text(ofRow: 1).contains("> a"))
    #expect(!robot.screen.contains("of 3"))
  }

  @Test func `the tabs have counts`() {
    let robot = Self.robot()
    #expect(robot.grid.text(ofRow: 0).contains("1 Notes 3"))
  }

  @Test func `Enter in the help runs the command`() {
    let robot = Self.robot()
    robot.press("?")
    robot.type("reverse")
    robot.press("Enter")
    #expect(robot.state.help == nil)
    #expect(robot.rows == ["c", "b", "a"])
  }

  @Test func `a command of another place is not run`() {
    let robot = Self.robot()
    robot.press("?")
    robot.type("zoom in")
    robot.press("Enter")
    #expect(robot.state.help == nil)
    #expect(robot.notice == "\"zoom in\" works elsewhere: Photo viewer.")
  }

  @Test func `a click selects the row below the head`() {
    let robot = Self.robot()
    robot.mouse(.press, 5, 3)
    #expect(robot.chosen == "b")
    robot.mouse(.press, 5, 1)
    #expect(robot.chosen == "b")
  }
}
