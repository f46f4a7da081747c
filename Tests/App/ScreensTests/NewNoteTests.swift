import ClubServices
import FileStores
import TestKit
import Testing
import TextUI

@testable import Screens

/// New notes from templates, and the day's note.
@Suite struct NewNoteTests {
  private static let trip = "# {title}\n{date} by {member}\n\n{cursor}\n\n## See also\n"
  private static let template = NoteTemplate(
    Array(trip.utf8), at: Timestamp(seconds: 1_795_996_770), offset: 3600, member: "ann")

  private func offering(_ names: [String] = ["a.md", "templates/trip.md", "templates/today.md"]) -> Robot {
    let robot = Robot(notes: names)
    robot.press("n")
    return robot
  }

  private func form() -> Robot {
    let robot = offering()
    robot.type("trip")
    robot.press("Enter")
    robot.happen(.templateRead(Samples.path("templates/trip.md"), Self.template))
    robot.take()
    return robot
  }

  @Test func `a club without templates opens the form at once`() {
    #expect(offering(["a.md", "templates.md"]).view == "form")
  }

  @Test func `templates in a folder with capital letters are offered, too`() {
    let robot = offering(["a.md", "Templates/Trip.md"])
    #expect(robot.view == "choice" && robot.screen.contains("Trip.md"))
    robot.type("trip")
    robot.press("Enter")
    #expect(robot.take() == ["run read the template Templates/Trip.md [notes.template]"])
  }

  @Test func `links complete in the text of a new note, and Tab leads back to its name without a list`() {
    let robot = offering(["trips/oslo.md", "work/plan.md"])
    robot.type("Rome")
    robot.press("Tab")
    robot.type("see [[osl")
    #expect(robot.screen.contains("> oslo") && robot.footer.contains("Tab take"))
    robot.press("Tab")
    #expect(robot.text == "see [[oslo]]" && robot.view == "form")
    #expect(robot.take().contains { $0.hasPrefix("post edits") })
    robot.type(" [[pl")
    robot.press("Esc", "Enter")
    #expect(robot.text == "see [[oslo]] [[pl\n")
    robot.type("[[pl")
    robot.press("Ctrl-S")
    #expect(!robot.screen.contains("> plan") && robot.take().contains { $0.contains("create") })
  }

  private static let club = ["a.md", "trips/oslo/quay.md", "trips/Norway/x.md", "recipes/y.md"]

  @Test(arguments: [
    ("tri", ["Tab"], "trips/"), ("trips/n", ["Tab"], "trips/Norway/"), ("TRIPS/", ["Down", "Tab"], "trips/oslo/"),
    ("/rec", ["Tab"], "/recipes/"), ("trips/", ["Down", "Enter"], "trips/oslo/"),
  ])
  func `a folder of the club completes the name of a new note`(typed: String, keys: [String], name: String) {
    let robot = offering(Self.club)
    robot.type(typed)
    #expect(robot.footer.contains("Tab take"))
    robot.take()
    for key in keys { robot.press(key) }
    #expect(robot.take().contains { $0.hasPrefix("post retitle") && $0.hasSuffix("\"\(name)\"") })
    robot.type("bread")
    robot.press("Enter")
    robot.type("x")
    #expect(robot.text == "x")
    robot.press("Ctrl-S")
    #expect(robot.takeRuns().contains { $0.hasPrefix("run create \(name)bread: ") })
  }

  @Test func `in a folder its own folders complete the name`() {
    let robot = Robot(notes: Self.club)
    robot.press("j", "Enter", "n")
    robot.type("os")
    robot.press("Tab")
    robot.type("inn")
    robot.press("Tab")
    robot.type("x")
    robot.press("Ctrl-S")
    #expect(robot.takeRuns().contains { $0.hasPrefix("run create trips/oslo/inn: ") })
  }

  @Test func `a folder that differs from this one in letter case alone completes no name here`() {
    for (typed, isOffered) in [("os", false), ("be", true)] {
      let robot = Robot(notes: ["trips/bergen/x.md", "Trips/oslo/y.md"])
      robot.push(NewNoteForm(session: 7, folder: Samples.path("trips")))
      robot.type(typed)
      #expect(robot.footer.contains("Tab take") == isOffered, "\(typed)")
    }
  }

  @Test func `a form that was opened before the list, and an earlier draft, offer the folders, too`() {
    let early = Robot()
    early.press("n")
    early.happen(.listed(Samples.table(Self.club)))
    let late = Robot(notes: Self.club)
    late.push(NewNoteForm(Samples.draft(nil), bytes: [], session: 7))
    for robot in [early, late] {
      robot.type("rec")
      #expect(robot.footer.contains("Tab take"))
    }
  }

  @Test(arguments: [("tri", "Enter"), ("trips", "Enter"), ("bread", "Tab"), ("trips/new", "Tab"), ("tri", "Esc Tab")])
  func `a name that is no folder's leads on to the text`(name: String, keys: String) {
    let robot = offering(Self.club)
    robot.type(name)
    for key in keys.split(separator: " ") { robot.press(String(key)) }
    robot.type("text")
    #expect(robot.text == "text" && !robot.screen.contains("> "))
    robot.press("Ctrl-S")
    #expect(robot.takeRuns().contains { $0.hasPrefix("run create \(name): ") })
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12), Size(200, 60)])
  func `the folders under the name look as they did`(size: Size) {
    let robot = Robot(notes: Self.club, size: size)
    robot.press("n")
    robot.type("trips/")
    expectGolden(robot.grid, named: "new-note-folders-\(size.width)x\(size.height)")
  }

  @Test func `the name of a new note completes no links`() {
    let robot = offering(["trips/oslo.md"])
    robot.type("[[osl")
    #expect(!robot.footer.contains("Tab take"))
  }

  @Test func `the first choice is a blank note`() {
    let robot = offering()
    #expect(robot.view == "choice" && robot.screen.contains("> blank") && robot.screen.contains("trip.md"))
    robot.press("Enter")
    #expect(robot.view == "form" && robot.text == "" && robot.take().isEmpty)
  }

  @Test func `a template fills the text as soon as the title is typed`() {
    let robot = offering()
    robot.type("trip")
    robot.press("Enter")
    #expect(robot.take() == ["run read the template templates/trip.md [notes.template]"])
    robot.happen(.templateRead(Samples.path("templates/trip.md"), Self.template))
    #expect(robot.view == "form" && robot.text == "")
    robot.type("Rome")
    robot.press("Enter")
    robot.type("x")
    #expect(robot.text == "# Rome\n2026-11-30 by ann\n\nx\n\n## See also\n")
    robot.press("Shift-Tab", "Tab")
    #expect(robot.text?.contains("# Rome\n2026") == true, "it is filled once")
  }

  @Test func `the filled text is one step of undo, and is in the draft`() {
    let robot = form()
    robot.type("A")
    robot.press("Tab")
    #expect(robot.take().contains { $0.hasPrefix("post edits 1 0-0+") })
    robot.press("Ctrl-_")
    #expect(robot.text == "")
  }

  @Test func `a save from the name saves the filled text`() {
    let robot = form()
    robot.type("trips/Rome.md")
    robot.press("Ctrl-Q")
    #expect(
      robot.takeRuns() == ["run create trips/Rome.md: \"# Rome\n2026-11-30 by ann\n\n\n\n## See also\n\" draft 1"])
  }

  @Test func `Esc leaves the choice, and a late template opens nothing`() {
    let robot = offering()
    robot.press("Down", "Enter", "Esc")
    #expect(robot.view.isEmpty && robot.take().contains("cancel [notes.template]"))
    robot.happen(.templateRead(Samples.path("templates/today.md"), Self.template))
    #expect(robot.view.isEmpty)
  }

  @Test func `a template that cannot be read is reported, and another can be taken`() {
    let robot = offering()
    robot.press("Down", "Enter")
    robot.happen(.failed(.readTemplate(Samples.path("templates/today.md")), StoreError(.offline, "It is away.")))
    #expect(robot.notice?.contains("It is away.") == true && robot.view == "choice")
    robot.press("Up", "Enter")
    #expect(robot.view == "form")
  }

  @Test func `a choice that nothing matches says so`() {
    let robot = offering()
    robot.type("zzz")
    #expect(robot.screen.contains("Nothing matches."))
    robot.press("Enter")
    #expect(robot.view == "choice" && robot.notice == "Nothing matches.")
  }

  // MARK: - The day's note

  private func today(_ template: NoteTemplate?) -> Robot {
    let robot = Robot(notes: ["a.md"])
    robot.press(":")
    robot.type("today")
    robot.press("Enter")
    #expect(robot.take() == ["run find the day's note [notes.today]"])
    robot.happen(.todayFound(Samples.path("2026-11-30.md"), template))
    return robot
  }

  @Test func `today opens the day's note`() {
    #expect(today(nil).take() == ["run open 2026-11-30.md to read [notes.open]"])
  }

  @Test func `today begins a missing note with its template, and writes nothing before the save`() {
    let robot = today(Self.template)
    #expect(robot.take() == ["run open 2026-11-30.md to write [notes.open]"])
    let note = OpenNote(entry: FileEntry(path: Samples.path("2026-11-30.md"), kind: .file), bytes: [], draft: nil)
    robot.happen(.opened(note, .write))
    #expect(robot.view == "editor")
    #expect(robot.text == "# 2026-11-30\n2026-11-30 by ann\n\n\n\n## See also\n")
    #expect(robot.takeRuns().allSatisfy { !$0.hasPrefix("run save") })
    robot.press("Ctrl-Q")
    #expect(robot.takeRuns().contains { $0.hasPrefix("run save 2026-11-30.md over nothing") })
  }

  @Test func `a note that another member made meanwhile keeps its text`() {
    let robot = today(Self.template)
    robot.happen(.opened(Samples.note("2026-11-30.md", "theirs"), .write))
    #expect(robot.text == "theirs")
  }
}
