import ClubServices
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Screens
@testable import TextUI

/// Find as you type: names first, below them the notes whose texts have the words.
@Suite struct FindTextsTests {
  private static let names = ["harbour.md", "old pier.md", "tides.txt", "zoo.md"]
  private static let tides = FoundFile(Samples.path("tides.txt"), line: 40, text: "low tide at the old pier: 06:12")

  private func finding(_ words: String = "pier", size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: Self.names, size: size)
    robot.press("G", "k")
    robot.take()
    robot.press("/")
    robot.type(words)
    return robot
  }

  private func found(_ robot: Robot, _ words: String = "pier") {
    // A search of texts looks at names, too.
    let named = FoundFile(Samples.path("old pier.md"), line: 2, text: "the pier is old")
    let alone = FoundFile(Samples.path("zoo.md"))
    robot.happen(.files(.foundTexts(words, [named, alone, Self.tides])))
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12)])
  func `texts come below the names with the line of the words, and Enter opens there`(size: Size) throws {
    let robot = finding(size: size)
    #expect(robot.take().contains("run search texts for pier while typing [notes.texts]"))
    #expect(robot.rows == ["old pier.md"])
    found(robot)
    #expect(robot.rows == ["old pier.md", "tides.txt"] && robot.chosen == "old pier.md")
    let line = try #require((0..<size.height).first { robot.grid.text(ofRow: $0).contains("tides.txt") })
    let row = robot.grid.text(ofRow: line)
    #expect(row.contains("40: ") && row.contains("pier"))
    let start = try #require(row.firstRange(of: "pier")).lowerBound
    let column = row.distance(from: row.startIndex, to: start)
    #expect(robot.grid[column, line].style.attributes.contains(.underline))
    robot.press("Down", "Enter", "Enter")
    #expect(robot.view == "opening" && robot.take().contains("run open tides.txt to read [notes.open]"))
    let text = (1...60).map { $0 == 40 ? "low tide at the old pier: 06:12\n" : "line \($0)\n" }.joined()
    robot.happen(.opened(Samples.note("tides.txt", text), .read))
    #expect(robot.screen.contains("low tide at the old pier"))
    robot.press("Esc", "Esc")
    #expect(robot.view.isEmpty && robot.rows == ["old pier.md", "tides.txt"])
    robot.press("Esc")
    #expect(robot.rows == Self.names)
  }

  @Test func `only the texts with the present words are shown`() {
    let robot = finding("pi")
    #expect(!robot.take().contains { $0.contains("search texts") }, "too short")
    robot.type("e")
    robot.type("r")
    found(robot, "pie")
    #expect(robot.rows == ["old pier.md"])
    found(robot)
    #expect(robot.rows.count == 2)
    robot.press("Backspace")
    #expect(robot.rows == ["old pier.md"])
    robot.press("Esc")
    #expect(robot.take().contains("cancel [notes.texts]") && robot.chosen == "tides.txt")
    found(robot)
    #expect(robot.rows == Self.names)
  }

  @Test func `Enter asks again where typing has not found texts, and no name is needed`() {
    let robot = finding("06:12")
    #expect(robot.rows.isEmpty)
    robot.take()
    robot.press("Enter")
    #expect(robot.take().contains("run search texts for 06:12 [notes.texts]"))
    robot.happen(.files(.foundTexts("06:12", [Self.tides])))
    #expect(robot.rows == ["tides.txt"] && robot.chosen == "tides.txt")
    robot.take()
    robot.press("/", "Enter")
    #expect(!robot.take().contains { $0.contains("search texts") })
  }

  @Test(arguments: [
    (true, Duration.milliseconds(200), 1), (true, .zero, 1), (true, nil, 0), (false, nil, 1), (false, .zero, 1),
  ])
  func `typing pauses for files that are read, not for an index, and leaves a server alone; Enter searches at once`(
    isTyping: Bool, pause: Duration?, searches: Int
  ) async {
    let clock = ManualClock(advancesOnSleep: true)
    let told = Mutex<[FileListAction]>([])
    let performer = FileListPerformer(
      service: FileListPerformerTests.Shelf(), desktop: FileListPerformerTests.Shelf(),
      list: { _ async throws(StoreError) in },
      search: { words, _ async throws(StoreError) in .found(words, [Self.tides], total: 4, remark: "") },
      pauseInTyping: { pause }, clock: clock)
    await performer.perform(
      .searchTexts("pier", isTyping: isTyping), Sender { action, _ in told.withLock { $0.append(action) } })
    let count = told.withLock { told in
      told.count { action in if case .foundTexts("pier", [Self.tides]) = action { true } else { false } }
    }
    #expect(count == searches)
    #expect(clock.slept == (isTyping ? [pause].compactMap { $0 }.filter { $0 > .zero } : []))
  }
}
