import ClubServices
import FileStores
import TestKit
import Testing

@testable import Screens
@testable import TextUI

/// Filters in the find field: by the facts of the list, by texts, completed, and remembered.
@Suite struct FindQueryTests {
  private static let entries = [
    Samples.entry("harbour.md", ago: 3600, member: "Ann Lee"),
    Samples.entry("old pier.md", ago: 10 * 86_400, member: "ray"),
    Samples.entry("tides.txt", ago: 40 * 86_400, member: "Ann Lee"), Samples.entry("zoo.md", ago: 60, member: "ray"),
  ]
  private static let names = entries.map { "\($0.path)" }

  private static func robot(size: Size = Size(80, 24), finding words: String? = nil) -> Robot {
    let robot = Robot(notes: names, size: size)
    robot.happen(.files(.detailed(entries, isLast: true)))
    robot.take()
    guard let words else { return robot }
    robot.press("/")
    robot.type(words)
    return robot
  }

  @Test(arguments: [
    ("by:ann", ["harbour.md", "tides.txt"]), ("-by:ann", ["old pier.md", "zoo.md"]),
    ("since:7d", ["harbour.md", "zoo.md"]),
    ("before:7d", ["old pier.md", "tides.txt"]), ("by:ray since:3m before:7d", ["old pier.md"]),
    ("in:/ by:ray", ["old pier.md", "zoo.md"]), ("in:trips", []), ("pier by:ray", ["old pier.md"]), ("pier by:ann", []),
  ])
  func `facts of the list leave rows at once`(words: String, rows: [String]) {
    let robot = Self.robot(finding: words)
    #expect(robot.rows == rows)
    robot.press("Esc")
    #expect(robot.rows == Self.names)
  }

  @Test func `facts alone read no text, and the order of the list stays`() {
    let robot = Self.robot(finding: "by:ann since:2m")
    #expect(!robot.take().contains { $0.contains("search texts for by:ann since:2m") })
    #expect(robot.rows == ["harbour.md", "tides.txt"])
    robot.press("Enter", "s")
    #expect(robot.rows == ["harbour.md", "tides.txt"])
    robot.press("S")
    #expect(robot.rows == ["tides.txt", "harbour.md"])
  }

  @Test func `facts that come later count, too`() {
    let robot = Robot(notes: Self.names)
    robot.press("/")
    robot.type("since:7d")
    #expect(robot.rows.isEmpty)
    robot.happen(.files(.detailed(Self.entries, isLast: true)))
    #expect(robot.rows == ["harbour.md", "zoo.md"])
  }

  @Test func `news are found, and stay in the list while they are read`() {
    let robot = Self.robot()
    let mark = NewsMark(revision: Revision("r1"), before: nil, member: "ray")
    robot.happen(.files(.news([Samples.path("zoo.md"): mark], isListed: true)))
    robot.press("/")
    robot.type("is:unread")
    #expect(robot.rows == ["zoo.md"])
    robot.press("Enter", "Enter")
    robot.happen(.opened(Samples.note("zoo.md", "text", revision: "r1"), .read))
    robot.press("Esc")
    #expect(robot.rows == ["zoo.md"])
  }

  @Test func `where names do not decide, the texts do`() {
    let robot = Self.robot(finding: "tag:oslo")
    #expect(robot.take().contains("run search texts for tag:oslo while typing [notes.texts]"))
    #expect(robot.rows == Self.names, "until the texts are read")
    let hit = FoundFile(Samples.path("zoo.md"), line: 2, text: "a walk in #oslo")
    robot.happen(.files(.moreTexts("tag:oslo", [hit], unread: 3)))
    #expect(robot.rows == ["zoo.md"])
    robot.happen(.files(.foundTexts("tag:oslo", [FoundFile(Samples.path("harbour.md")), hit])))
    #expect(robot.rows == ["harbour.md", "zoo.md"] && robot.screen.contains("a walk in #oslo"))
    robot.type(" -boat")
    robot.happen(.files(.foundTexts("tag:oslo -boat", [hit])))
    #expect(robot.rows == ["zoo.md"])
    robot.press("Esc")
    #expect(robot.rows == Self.names)
  }

  @Test func `a filter of no use says what it takes, and Enter stays in the field`() {
    let robot = Self.robot(finding: "since:soon")
    #expect(robot.screen.contains("since: takes 7d") && robot.rows == Self.names)
    robot.press("Enter")
    #expect(robot.screen.contains("Find: since:soon"))
    for _ in 0..<4 { robot.press("Backspace") }
    robot.type("7d")
    #expect(!robot.screen.contains("takes") && robot.rows == ["harbour.md", "zoo.md"])
  }

  @Test func `Tab goes on with filters and values, and once more takes the next`() {
    let robot = Self.robot(finding: "b")
    #expect(robot.screen.contains("Tab: by: before:"))
    robot.press("Tab")
    #expect(robot.screen.contains("Find: by:"))
    robot.press("Tab")
    #expect(robot.screen.contains("Find: before:"))
    robot.press("Shift-Tab")
    #expect(robot.screen.contains("Find: by:"))
    robot.type("A")
    #expect(robot.screen.contains("Tab: \"Ann Lee\""))
    robot.press("Tab")
    #expect(robot.screen.contains("Find: by:\"Ann Lee\"") && robot.rows == ["harbour.md", "tides.txt"])
    robot.type("has:")
    robot.press("Tab")
    #expect(robot.screen.contains("has:photo"))
  }

  @Test func `behind a network tags are read from the local copy, while the store is away`() {
    for (state, isAsked) in [
      (.online, false), (.offline(since: 5, StoreError(.offline, "It is away.")), true),
    ] as [(StoreConnection.State, Bool)] {
      let robot = Robot(notes: ["a.md"])
      robot.happen(.connection(state))
      robot.press("/")
      robot.type("tag:")
      #expect(robot.take().contains("run find tags [notes.tags]") == isAsked)
    }
  }

  @Test func `tags are read once, and complete the filter`() {
    let robot = Self.robot(finding: "tag:")
    #expect(robot.take().contains("run find tags [notes.tags]"))
    var tags = TagCounts()
    tags.add(["trips/oslo"])
    robot.happen(.tagsFound(tags))
    robot.type("t")
    #expect(!robot.take().contains("run find tags [notes.tags]"))
    #expect(robot.screen.contains("Tab: trips trips/oslo"))
    robot.press("Tab")
    #expect(robot.screen.contains("Find: tag:trips"))
  }

  @Test func `tags that arrive are offered at once, without another key`() {
    let robot = Self.robot(finding: "tag:os")
    var tags = TagCounts()
    tags.add(["oslo", "osier"])
    robot.happen(.tagsFound(tags))
    #expect(robot.screen.contains("Tab: osier oslo"))
    robot.press("Tab")
    tags.add(["ostend"])
    robot.happen(.tagsFound(tags))
    robot.press("Tab")
    #expect(robot.screen.contains("Find: tag:oslo"), "what the member goes through stays")
  }

  @Test(arguments: [
    ("search b", "search b", "by:  before:"), ("search si", "search since:", nil),
    ("search is:u", "search is:unread ", nil),
    ("search pier in:tr", "search pier in:trips", nil), ("search -in:trips/o", "search -in:trips/oslo ", nil),
    ("search by:A", "search by:\"Ann Lee\" ", nil), ("search tag:os", "search tag:oslo ", nil),
    ("search since:", "search since:", "today  yesterday  7d  2w  3m  1y"), ("  search ta", "  search tag:", nil),
    ("search \"low ti", "search \"low ti", "No completion begins with \"low ti\"."),
    ("search pier", "search pier", "No completion begins with \"pier\"."), ("sea", "search ", nil),
  ])
  func `Tab completes filters and values in the command line, too`(typed: String, text: String, said: String?) {
    let robot = Robot(notes: ["trips/a.md", "trips/oslo/b.md"])
    robot.happen(.files(.detailed([Samples.entry("trips/a.md", member: "Ann Lee")], isLast: true)))
    robot.take()
    robot.press(":")
    robot.type(typed)
    #expect(robot.take().contains("run find tags [notes.tags]") == typed.contains("tag:"))
    var tags = TagCounts()
    tags.add(["oslo"])
    robot.happen(.tagsFound(tags))
    robot.press("Tab")
    #expect(robot.state.line?.field.string == text && robot.notice == said)
  }

  @Test func `the cursor stays on the first row while more is found, until the member moves it`() {
    let robot = Self.robot(finding: "tag:oslo")
    func hits(_ names: String...) -> [FoundFile] {
      names.map { FoundFile(Samples.path($0), line: 2, text: "in #oslo") }
    }
    robot.happen(.files(.moreTexts("tag:oslo", hits("zoo.md"), unread: 3)))
    robot.happen(.files(.moreTexts("tag:oslo", hits("tides.txt"), unread: 2)))
    #expect(robot.rows == ["tides.txt", "zoo.md"] && robot.chosen == "tides.txt")
    // Back on the first row, the member means its note.
    robot.press("Down", "Up")
    robot.happen(.files(.moreTexts("tag:oslo", hits("harbour.md"), unread: 1)))
    #expect(robot.rows.first == "harbour.md" && robot.chosen == "tides.txt")
    robot.type(" -x")
    robot.happen(.files(.moreTexts("tag:oslo -x", hits("zoo.md"), unread: 3)))
    robot.happen(.files(.foundTexts("tag:oslo -x", hits("harbour.md", "zoo.md"))))
    #expect(robot.chosen == "harbour.md", "another search begins at the top")
  }

  @Test(arguments: [
    ("is:unread", "No note matches."), ("zzz is:unread", "No match in names."), ("zzz", "No match in names."),
  ])
  func `a search by filters alone says so where nothing is found`(words: String, said: String) {
    #expect(Self.robot(finding: words).screen.contains(said))
  }

  @Test func `Up in an empty field brings earlier searches, and Down leads back`() {
    let robot = Self.robot()
    for words in ["by:ann", "pier", "by:ann"] {
      robot.press("/")
      robot.type(words)
      robot.press("Enter")
      #expect(robot.take().contains("run keep search \(words) of notes"))
      robot.press("Esc")
    }
    robot.press("/", "Up")
    #expect(robot.screen.contains("Find: by:ann") && robot.rows == ["harbour.md", "tides.txt"])
    robot.press("Up")
    #expect(robot.screen.contains("Find: pier"))
    robot.press("Up")
    #expect(robot.screen.contains("Find: pier"), "there is no older one")
    robot.press("Down", "Down")
    #expect(robot.rows == Self.names)
    robot.press("Up", "x")
    #expect(robot.screen.contains("Find: by:annx"))
    robot.press("Down")
    #expect(robot.screen.contains("Find: by:annx"), "a changed search is no earlier one")
  }

  @Test func `twenty searches are remembered, and none that is too long`() {
    let robot = Self.robot()
    for number in 0..<30 {
      robot.press("/")
      robot.type("pier \(number)")
      robot.press("Enter", "Esc")
    }
    #expect(robot.state.notes.files.searches.count == 20)
    #expect(robot.state.notes.files.searches.first == "pier 29")
    robot.press("/")
    robot.paste(String(repeating: "a", count: 2000))
    robot.press("Enter")
    #expect(robot.state.notes.files.searches.first == "pier 29")
  }

  @Test func `the search of the command line has the same filters`() {
    let robot = Self.robot()
    robot.press(":")
    robot.type("search since:soon")
    robot.press("Enter")
    #expect(robot.notice?.hasPrefix("since: takes 7d") == true)
    #expect(!robot.take().contains { $0.contains("run search") })
    robot.press("Esc", ":")
    robot.type("search by:ann \"low tide\"")
    robot.press("Enter")
    robot.happen(
      .files(
        .found(
          "by:ann \"low tide\"", [FoundFile(Samples.path("tides.txt"), line: 1, text: "at low tide")], total: 4,
          remark: "")))
    #expect(robot.rows == ["tides.txt"])
    #expect(robot.notice == "1 note of 4 matches by:ann \"low tide\". Esc shows all.")
  }

  @Test func `photos have members, days and albums`() {
    let robot = Robot(photos: ["oslo/pier.jpg", "bergen/fish.jpg"])
    robot.happen(
      photos: .files(
        .detailed(
          [
            Samples.entry("photos/oslo/pier.jpg", member: "Ann"),
            Samples.entry("photos/bergen/fish.jpg", ago: 90 * 86_400, member: "ray"),
          ], isLast: true)))
    for (words, rows) in [
      ("by:ann", ["oslo/pier.jpg"]), ("since:1w", ["oslo/pier.jpg"]), ("in:bergen", ["bergen/fish.jpg"]),
      ("-in:oslo", ["bergen/fish.jpg"]),
    ] {
      robot.press("/")
      robot.type(words)
      let files = robot.state.photos.files
      let found = (0..<files.rows.count).compactMap { row in
        files.table.map { String(decoding: $0.name(at: row), as: UTF8.self) }
      }
      #expect(found == rows, "\(words)")
      robot.press("Esc")
    }
  }

  @Test func `a search of a megabyte is answered, and shows everything`() {
    let robot = Self.robot()
    robot.press("/")
    robot.paste(String(repeating: "-by:\"a\" \u{1B}[31m ", count: 70_000))
    #expect(robot.rows == Self.names && robot.screen.contains("longer than 16 KiB"))
    robot.press("Esc")
    #expect(robot.rows == Self.names)
  }

  @Test(arguments: ["filters", "offers", "problem"], [Size(80, 24), Size(120, 40), Size(40, 12), Size(200, 60)])
  func `the find field looks as it did`(view: String, size: Size) {
    let words = ["filters": "by:ann since:3m ", "offers": "pier by:", "problem": "since:soon"][view] ?? ""
    expectGolden(Self.robot(size: size, finding: words).grid, named: "find-\(view)-\(size.width)x\(size.height)")
  }
}
