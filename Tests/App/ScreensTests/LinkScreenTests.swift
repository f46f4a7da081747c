import FileStores
import TestKit
import Testing
import TextUI

@testable import ClubServices
@testable import Screens

/// Links that are mended, completed or broken, on the screen.
@Suite struct LinkScreenTests {
  private static let sizes = [Size(80, 24), Size(120, 40), Size(40, 12), Size(200, 60)]

  private static func plan(_ names: [String] = ["a.md", "b.md"]) -> LinkMendPlan {
    let edit = LinkEdit(range: 2..<6, bytes: Array("bergen".utf8))
    let notes = names.map { LinkMendPlan.Note(path: Samples.path($0), hash: "", edits: [edit]) }
    return LinkMendPlan(notes: notes)
  }

  private static func renamed(_ size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md", "oslo.md"], size: size)
    robot.happen(.renamed(from: Samples.path("oslo.md"), Samples.entry("bergen.md")))
    robot.take()
    robot.happen(.files(.linksFound(plan())))
    return robot
  }

  private static func mended(_ names: [String], changed: [String] = []) -> MendOutcome {
    var outcome = MendOutcome()
    outcome.mended = names.map { MendedNote(path: Samples.path($0), hash: "", inverse: []) }
    outcome.changed = changed.map { Samples.path($0) }
    return outcome
  }

  @Test func `after a rename the member is asked, and one key undoes all mended links, then the rename`() {
    let robot = Self.renamed()
    #expect(robot.question == "2 links in 2 notes point here. Mend them?" && robot.take().isEmpty)
    robot.press("y")
    #expect(robot.take() == ["run mend 2 links in 2 notes"])
    robot.happen(.files(.mended(Self.mended(["a.md", "b.md"]))))
    #expect(robot.notice == "Mended links in 2 notes. z undoes.")
    robot.press("z")
    #expect(robot.take().contains("run undo the mending of a.md b.md"))
    robot.happen(.undone(.mend(Self.mended(["a.md", "b.md"]).mended)))
    #expect(robot.notice?.hasPrefix("The links in 2 notes are as before.") == true)
    robot.press("z")
    #expect(robot.take().contains("run rename back bergen.md to oslo.md"))
  }

  @Test func `a member who leaves the links is not asked again`() {
    let robot = Self.renamed()
    robot.press("n")
    #expect(robot.question == nil && robot.take() == ["run leave 2 links"])
    robot.press("j")
    #expect(robot.question == nil)
  }

  @Test func `notes that have changed are named, and the others can be undone`() {
    let robot = Self.renamed()
    robot.press("y")
    robot.happen(.files(.mended(Self.mended(["a.md", "b.md", "c.md"], changed: ["d.md", "e.md"]))))
    #expect(robot.notice == "Mended links in 3 of 5 notes; changed meanwhile: d.md, e.md. z undoes.")
  }

  @Test func `the offer after a further move takes the place of the one before`() {
    let robot = Self.renamed()
    robot.happen(.files(.linksFound(Self.plan(["a.md"]))))
    #expect(robot.question == "1 link in 1 note points here. Mend it?")
    robot.happen(.files(.linksFound(Self.plan([]))))
    #expect(robot.question == nil)
    robot.happen(.files(.linksFound(Self.plan(["a.md"]))))
    robot.press("n")
    #expect(robot.question == nil && robot.take() == ["run leave 1 links"])
  }

  @Test func `while the member types, the question waits`() {
    let robot = Self.editing("one")
    robot.happen(.files(.linksFound(Self.plan())))
    robot.type("x")
    #expect(robot.question == nil && robot.text == "onex")
    robot.press("Ctrl-Q")
    #expect(robot.question == "2 links in 2 notes point here. Mend them?")
  }

  // MARK: - Completion

  private static let names = ["log.md", "trips/oslo.md", "trips/oslo quay.md", "work/plan.md", "x.md"]

  private static func editing(
    _ text: String = "", size: Size = Size(80, 24), keys: EditorKeys = .emacs
  ) -> Robot {
    let robot = Robot(notes: names, size: size, editorKeys: keys)
    robot.happen(.photos(.listed(Samples.table(["pier.jpg", "oslo/night.jpg"], folder: "photos"))))
    robot.happen(.asked(Samples.path("log.md")))
    robot.happen(.opened(Samples.note("log.md", text), .read))
    robot.press("i", "End")
    robot.take()
    return robot
  }

  @Test(arguments: [
    ("[[osl", ["Tab"], "[[oslo]]"), ("[[quay", ["Enter"], "[[oslo quay]]"),
    ("[a](quay", ["Tab"], "[a](trips/oslo%20quay.md)"),
    ("[a](trips/oslo qu", ["Tab"], "[a](trips/oslo%20quay.md)"), ("[a]( pl", ["Tab"], "[a]( pl\t"),
    ("[a](plan.md \"pl", ["Tab"], "[a](plan.md \"pl\t"),
    ("![[pier", ["Tab"], "![[pier.jpg]]"), ("![a](night", ["Tab"], "![a](photos/oslo/night.jpg)"),
    ("[[osl", ["Down", "Tab"], "[[oslo quay]]"), ("[[osl", ["Esc", "Tab"], "[[osl\t"), ("[[zzz", ["Tab"], "[[zzz\t"),
    ("[[plan", ["Left", "Tab"], "[[pla\tn"), ("[[x]] [[pl", ["Tab"], "[[x]] [[plan]]"),
    ("[x] (pl", ["Tab"], "[x] (pl\t"),
    ("[a](https://pl", ["Tab"], "[a](https://pl\t"), ("[[plan|wo", ["Tab"], "[[plan|wo\t"),
  ])
  func `a link completes while it is typed`(typed: String, keys: [String], text: String) {
    let robot = Self.editing()
    robot.type(typed)
    for key in keys { robot.press(key) }
    #expect(robot.text == text)
  }

  @Test(arguments: [
    ("[[trips/foo", "[[trips/Food]]"), ("[[recipes/foo", "[[recipes/Food]]"), ("[[oslo", "[[oslo]]"),
    ("[a](recipes/foo", "[a](../recipes/Food.md)"),
  ])
  func `a name that two notes have is written with the shortest path that is unique`(typed: String, text: String) {
    let robot = Robot(notes: ["recipes/Food.md", "trips/Food.md", "trips/log.md", "trips/oslo.md"])
    robot.happen(.asked(Samples.path("trips/log.md")))
    robot.happen(.opened(Samples.note("trips/log.md", ""), .read))
    robot.press("i")
    robot.type(typed)
    robot.press("Tab")
    #expect(robot.text == text)
  }

  @Test func `a picture is written with its folder if one of the same name is beside the note`() {
    var builder = EntryTable.Builder(folder: .root)
    builder.add([Samples.entry("trips/x.md")])
    builder.add(folders: [], others: [:], pictures: [Samples.path("trips/p.jpg")])
    let robot = Robot()
    robot.happen(.listed(builder.finish()))
    robot.happen(.photos(.listed(Samples.table(["p.jpg"], folder: "photos"))))
    robot.happen(.asked(Samples.path("trips/x.md")))
    robot.happen(.opened(Samples.note("trips/x.md", ""), .read))
    robot.press("i")
    robot.type("![[p")
    robot.press("Tab")
    #expect(robot.text == "![[photos/p.jpg]]")
  }

  @Test func `typing goes on under the list, and what is taken is one step to undo`() {
    let robot = Self.editing()
    robot.type("see [[osl")
    #expect(robot.screen.contains("> oslo") && robot.screen.contains("trips/") && robot.footer.contains("Tab take"))
    robot.press("Tab")
    robot.type(" and")
    #expect(robot.text == "see [[oslo]] and" && !robot.footer.contains("Tab take"))
    robot.press("Ctrl-_", "Ctrl-_", "Ctrl-_")
    #expect(robot.text == "see [[osl")
  }

  @Test func `brackets that are there are not written twice`() {
    let robot = Self.editing("[[]] end")
    robot.press("Home", "Right", "Right")
    robot.type("pla")
    robot.press("Tab")
    robot.type("!")
    #expect(robot.text == "[[plan]]! end")
  }

  @Test(arguments: [
    ("[[pln]] end", 4, "[[plan]]! end"), ("[[plxx|way]] end", 4, "[[plan|way]]! end"),
    ("[[plx#Top]] end", 4, "[[plan#Top]]! end"), ("[a](plx.md) end", 6, "[a](work/plan.md)! end"),
    ("[[pl and [[x]]", 4, "[[plan]]! and [[x]]"), ("[[pl] end", 4, "[[plan]]!] end"),
  ])
  func `within a closed link the name is replaced up to the end of the link`(text: String, at: Int, taken: String) {
    let robot = Self.editing(text)
    robot.press("Home")
    for _ in 0..<at { robot.press("Right") }
    robot.type("a")
    robot.press("Tab")
    robot.type("!")
    #expect(robot.text == taken)
  }

  @Test(arguments: [
    "`[[pla", "``a ` [[pla", "```\n[[pla", "~~~ swift\nx = [[pla", "one\n\n    [[pla", "one\n\n\tx = 1\n\n\t[[pla",
    "`handlers[1](pla", "handlers[1](pla", "f()[1](pla", "[](pla", "if [[ pla", "```\n[a](pla", "    ![a](pier",
  ])
  func `in code, and behind what begins no link, there is no list, and Enter and Tab are typed`(text: String) {
    let robot = Self.editing(String(text.dropLast()))
    robot.press("Ctrl-End")
    robot.type(String(text.suffix(1)))
    #expect(!robot.footer.contains("Tab take"))
    robot.press("Enter", "Tab")
    #expect(robot.text == text + "\n\t")
  }

  @Test func `a number sign in code begins no tag`() {
    let robot = Self.editing()
    robot.type("` #h")
    #expect(robot.takeRuns().isEmpty)
    robot.type("` #h")
    #expect(robot.takeRuns() == ["run find tags [notes.tags]"])
  }

  @Test(arguments: [
    "`a` [[pla", "```\na\n```\n[[pla", "- a\n\n    [[pla", "- a\n    - [[pla", "one\n    [[pla", "\\` [[pla",
  ])
  func `behind code, and in an item of a list, a link completes`(text: String) {
    let robot = Self.editing(String(text.dropLast()))
    robot.press("Ctrl-End")
    robot.type("a")
    robot.press("Tab")
    #expect(robot.text == "\(text.dropLast(3))plan]]")
  }

  @Test(arguments: [
    ("[[", ["Enter"], "[[\n"), ("[a](", ["Enter"], "[a](\n"), ("[[", ["Down", "Up", "Enter"], "[[log]]"),
    ("[[", ["Tab"], "[[log]]"), ("[[pla", ["Enter"], "[[plan]]"), ("![](pie", ["Enter"], "![](photos/pier.jpg)"),
  ])
  func `Enter takes a name once a letter is typed or the choice was moved`(
    typed: String, keys: [String], text: String
  ) {
    let robot = Self.editing()
    robot.type(typed)
    #expect(robot.footer.contains("Tab take"))
    for key in keys { robot.press(key) }
    #expect(robot.text == text)
  }

  @Test func `headings of the note before a number sign are read once`() {
    let robot = Self.editing()
    robot.type("[[oslo#")
    #expect(robot.takeRuns() == ["run headings of trips/oslo.md [notes.headings]"])
    robot.happen(.headingsRead(Samples.path("trips/oslo.md"), ["The quay", "The hills"]))
    #expect(robot.screen.contains("The quay") && robot.screen.contains("The hills"))
    robot.type("hil")
    #expect(robot.takeRuns().isEmpty && !robot.screen.contains("The quay"))
    robot.press("Tab")
    #expect(robot.text == "[[oslo#The hills]]")
  }

  @Test func `in vi's insert mode the list has its keys, and in normal mode there is none`() {
    let robot = Self.editing(keys: .vi)
    robot.type("i[[pla")
    robot.press("Tab", "Esc")
    robot.type("x")
    #expect(robot.text == "[[plan]" && !robot.footer.contains("Tab take"))
  }

  @Test func `with vi's keys Esc closes the list and ends insert mode`() {
    let robot = Self.editing(keys: .vi)
    robot.type("i[[osl")
    #expect(robot.screen.contains("> oslo"))
    robot.press("Esc")
    #expect(!robot.screen.contains("> oslo"))
    robot.type("x")
    #expect(robot.text == "[[os")
  }

  @Test(arguments: [(1, "[[oslo]]"), (2, "[[oslo quay]]")])
  func `a click on a row of the list takes it`(row: Int, text: String) {
    let robot = Self.editing()
    robot.type("[[osl")
    robot.mouse(.press, 10, 2 + row)
    robot.mouse(.release, 10, 2 + row)
    #expect(!robot.footer.contains("Tab take") && robot.text == text)
    robot.type("!")
    #expect(robot.text == text + "!")
  }

  @Test func `a click takes a row in the form for a new note, too`() throws {
    let robot = Robot(notes: ["a.md", "oslo.md", "oslo quay.md"])
    robot.press("n")
    robot.type("b")
    robot.press("Enter")
    robot.type("[[osl")
    let row = try #require((0..<24).first { robot.grid.text(ofRow: $0).contains("> oslo") })
    robot.mouse(.press, 10, row + 1)
    #expect(robot.view == "form" && robot.text == "[[oslo quay]]")
  }

  @Test func `near the bottom the list is above the cursor, and a click takes a row there`() {
    let robot = Self.editing(String(repeating: "\n", count: 18))
    robot.press("Ctrl-End")
    robot.type("[[osl")
    let cursor = robot.grid.cursor?.y ?? 0
    #expect(robot.grid.text(ofRow: cursor).contains("[[osl"))
    let row = (0..<cursor).first { robot.grid.text(ofRow: $0).contains("> oslo") } ?? cursor
    #expect(row < cursor && robot.grid.text(ofRow: cursor - 1).contains("│ "))
    robot.mouse(.press, 10, row)
    #expect(robot.text?.hasSuffix("\n[[oslo]]") == true)
  }

  @Test func `a click beside the list closes it`() {
    let robot = Self.editing()
    robot.type("[[osl")
    robot.mouse(.press, 2, 2)
    #expect(!robot.footer.contains("Tab take") && robot.text == "[[osl")
  }

  @Test(arguments: sizes)
  func `the list of names looks as it did`(size: Size) {
    let robot = Self.editing(size: size)
    robot.type("one\ntwo\nsee [[o")
    expectGolden(robot.grid, named: "link-completion-\(size.width)x\(size.height)")
  }

  @Test(arguments: sizes)
  func `the question about links looks as it did`(size: Size) {
    expectGolden(Self.renamed(size).grid, named: "link-mend-\(size.width)x\(size.height)")
  }

  // MARK: - Broken links

  private static func broken(_ size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"], size: size)
    robot.press("B")
    let text = Array(
      "# A\n\nsee [[nobody]], [x](../up.md), ![[no.jpg]], [[b]], [t](trips/) and `[[code]]`\n\n[[nobody|x]]\n".utf8)
    let paths = LinkPaths(["a.md", "b.md"].map { Samples.path($0) })
    let links = NoteBacklink.broken(among: paths, in: text, of: Samples.path("a.md"))
    robot.happen(.backlinksFound(.root, FoundBacklinks(links: links)))
    return robot
  }

  @Test func `B lists the links that lead nowhere, and Enter opens one at its line`() {
    let robot = Self.broken()
    #expect(robot.take().contains { $0.hasPrefix("run backlinks of") })
    for row in [
      "3  nobody\n", "3  ../up.md: outside of the club\n", "3  no.jpg\n", "5  nobody\n",
    ] {
      #expect(robot.screen.contains(row), "\(row)")
    }
    #expect(!robot.screen.contains("code") && !robot.screen.contains("trips"))
    robot.press("Enter")
    #expect(robot.take() == ["run open a.md to read [notes.open]"])
  }

  @Test(arguments: sizes)
  func `names that differ at their end alone can be told apart`(size: Size) {
    let robot = Robot(notes: ["a.md"], size: size)
    robot.press("B")
    let name = "A very long name of a note about the tide at the northern harbour in"
    let links = ["spring", "autumn"].flatMap { season in
      let path = Samples.path("areas/\(name) \(season).md")
      return NoteBacklink.broken(
        among: LinkPaths([path]), in: Array("[[\(name) \(season) 2026]]\n".utf8), of: path)
    }
    robot.happen(.backlinksFound(.root, FoundBacklinks(links: links)))
    let rows = robot.screen.split(separator: "\n").filter { $0.contains("~") && $0.contains("  1  ") }
    #expect(rows.count == 2)
    for (row, letter) in zip(rows, ["g", "n"]) {
      #expect(row.contains("\(letter).md") && row.contains("\(letter) 2026"))
    }
    expectGolden(robot.grid, named: "broken-links-long-\(size.width)x\(size.height)")
  }

  @Test func `a club without broken links says so, and the command line leads there`() {
    let robot = Robot(notes: ["a.md"])
    robot.press(":")
    robot.type("broken")
    robot.press("Enter")
    robot.happen(.backlinksFound(.root, FoundBacklinks(links: [])))
    #expect(robot.screen.contains("Every link leads to a note or a picture."))
  }

  @Test(arguments: sizes)
  func `the list of broken links looks as it did`(size: Size) {
    expectGolden(Self.broken(size).grid, named: "broken-links-\(size.width)x\(size.height)")
  }
}
