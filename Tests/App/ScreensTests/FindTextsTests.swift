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

  @Test func `texts that are read meanwhile are added, and the line says how many are unread`() {
    let robot = finding()
    robot.happen(.files(.moreTexts("pier", [], unread: 1880)))
    #expect(robot.rows == ["old pier.md"] && robot.screen.contains("1 of 4, 1,880 to search"))
    robot.happen(.files(.moreTexts("pier", [Self.tides], unread: 120)))
    robot.happen(.files(.moreTexts("pie", [FoundFile(Samples.path("harbour.md"), line: 1, text: "pie")], unread: 9)))
    let late = FoundFile(Samples.path("zoo.md"), line: 3, text: "a pier for penguins")
    robot.happen(.files(.moreTexts("pier", [late], unread: 20)))
    #expect(robot.rows == ["old pier.md", "tides.txt", "zoo.md"] && robot.screen.contains("3 of 4, 20 to search"))
    found(robot)
    #expect(robot.rows == ["old pier.md", "tides.txt"] && !robot.screen.contains("to search"))
    robot.happen(.files(.moreTexts("pier", [], unread: 20)))
    robot.press("Backspace")
    #expect(!robot.screen.contains("to search"))
  }

  @Test func `hits go to the screen at once, then as many as it has, and after each step of the reading`() {
    let hits = SearchHits(steps: 10)
    let files = (0..<8).map { FoundFile(Samples.path("\($0).md"), line: 1, text: "pier") }
    #expect(hits.read(1, of: 100) == nil)
    #expect(hits.add(files[0]) == SearchHits.Part(files: [files[0]], unread: 99, total: 100))
    #expect(hits.add(files[1])?.files == [files[1]])
    #expect(hits.add(files[2]) == nil && hits.add(files[3])?.files == [files[2], files[3]])
    #expect(hits.add(files[4]) == nil)
    #expect(hits.read(10, of: 100) == SearchHits.Part(files: [files[4]], unread: 90, total: 100))
    // Two tasks that end together may report in either order.
    #expect(hits.read(12, of: 100) == nil && hits.read(11, of: 100) == nil)
    #expect(hits.read(20, of: 100)?.unread == 80)
    #expect(hits.add(files[5]) == nil && hits.read(100, of: 100) == nil)
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
      search: { words, sender async throws(StoreError) in
        sender.send(.searching(words, [Self.tides], unread: 3, of: 4))
        return .found(words, [Self.tides], total: 4, remark: "")
      },
      pauseInTyping: { pause }, clock: clock)
    await performer.perform(
      .searchTexts("pier", isTyping: isTyping), Sender { action, _ in told.withLock { $0.append(action) } })
    let count = told.withLock { told in
      told.count { action in if case .foundTexts("pier", [Self.tides]) = action { true } else { false } }
    }
    #expect(count == searches)
    let parts = told.withLock { told in
      told.count { action in if case .moreTexts("pier", [Self.tides], unread: 3) = action { true } else { false } }
    }
    #expect(parts == searches)
    #expect(clock.slept == (isTyping ? [pause].compactMap { $0 }.filter { $0 > .zero } : []))
  }
}
