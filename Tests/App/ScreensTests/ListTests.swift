import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct ListTests {
  @Test func `the start lists, watches and looks for drafts`() {
    let robot = Robot()
    #expect(robot.take() == ["tell title: byteclub: home", "run list [notes.list]"])
    robot.happen(.listed(Samples.table([])))
    #expect(
      robot.take() == [
        "run watch [notes.watch]", "run find waiting", "run watch keeping [notes.keeping]", "run list [photos.list]",
        "run attach to transfers",
      ])
    robot.happen(.listed(Samples.table([])))
    #expect(robot.take().isEmpty)
  }

  @Test func `photos are listed once, after the notes, and their thumbnails wait for the tab`() {
    let robot = Robot()
    robot.happen(.listed(Samples.table(["a"])))
    #expect(robot.take().contains("run list [photos.list]"))
    #expect(!robot.screen.contains("working"))
    robot.happen(photos: .listed(Samples.table(["p.jpg"], folder: "photos")))
    #expect(robot.take() == ["run watch [photos.watch]"])
    let mark = NewsMark(revision: Revision("r2"), before: nil, member: "Ann")
    robot.happen(.photos(.files(.news([Samples.path("photos/p.jpg"): mark], isListed: true))))
    #expect(robot.grid.text(ofRow: 0).contains("1 Notes 1   2 PanoPhotos 1 · 1 new"))
    robot.press("2")
    #expect(robot.take().contains { $0.hasPrefix("run thumbnails photos/p.jpg") })
    robot.press("1", "2")
    #expect(!robot.take().contains("run list [photos.list]"))
  }

  @Test func `photos are listed when their tab is seen before the notes are listed`() {
    let robot = Robot()
    robot.take()
    robot.press("2")
    #expect(robot.take() == ["run list [photos.list]"])
    robot.happen(.listed(Samples.table([])))
    #expect(!robot.take().contains("run list [photos.list]"))
  }

  @Test(arguments: [
    (["j"], "note-001.md"), (["Down", "Down", "k"], "note-001.md"), (["G"], "note-099.md"), (["End"], "note-099.md"),
    (["G", "g"], "note-000.md"), (["End", "Home"], "note-000.md"), (["PgDn"], "note-018.md"),
    (["PgDn", "PgDn", "PgUp"], "note-018.md"), (["Ctrl-D"], "note-009.md"),
    (["Ctrl-D", "Ctrl-D", "Ctrl-U"], "note-009.md"),
    (["k"], "note-000.md"), (["G", "j"], "note-099.md"),
  ])
  func `keys move the choice`(keys: [String], chosen: String) {
    let robot = Robot(notes: Samples.names(100))
    for key in keys { robot.press(key) }
    #expect(robot.chosen == chosen)
    #expect(robot.screen.contains("> " + chosen) || robot.screen.contains(">  " + chosen))
  }

  @Test func `the choice stays on its note when others come and go`() {
    let robot = Robot(notes: ["b", "d", "f"])
    robot.press("j")
    robot.happen(
      .changed(
        ChangeSet(
          changes: [.present(Samples.entry("a")), .present(Samples.entry("c")), .absent(Samples.path("b"))],
          cursor: ChangeCursor("1"))))
    #expect(robot.rows == ["a", "c", "d", "f"])
    #expect(robot.chosen == "d")
    robot.happen(.listed(Samples.table(["0", "1", "d", "z"])))
    #expect(robot.chosen == "d")
  }

  @Test func `when the chosen note goes, its neighbour is chosen`() {
    let robot = Robot(notes: ["a", "b", "c"])
    robot.press("j")
    robot.happen(.changed(ChangeSet(changes: [.absent(Samples.path("b"))], cursor: ChangeCursor("1"))))
    #expect(robot.chosen == "c")
    robot.happen(.changed(ChangeSet(changes: [.absent(Samples.path("c"))], cursor: ChangeCursor("1"))))
    #expect(robot.chosen == "a")
  }

  @Test func `a store that lost track is listed anew`() {
    let robot = Robot(notes: ["a"])
    robot.happen(.changed(ChangeSet(changes: [], cursor: ChangeCursor("1"), mustRelist: true)))
    #expect(robot.take() == ["run list [notes.list]"])
    #expect(robot.rows == ["a"])
  }

  @Test(arguments: ["l", "Right"])
  func `a key to the right opens`(key: String) {
    let robot = Robot(notes: ["a.md"])
    robot.press(key)
    #expect(robot.view == "opening")
  }

  @Test func `sorting goes round name, date and size and shows the first`() {
    let robot = Robot(notes: ["a", "b", "c"])
    robot.happen(
      .detailed(
        [
          Samples.entry("a", size: 1, ago: 30), Samples.entry("b", size: 3, ago: 10),
          Samples.entry("c", size: 2, ago: 20),
        ], isLast: true))
    robot.press("j", "s")
    #expect(robot.rows == ["b", "c", "a"] && robot.chosen == "b")
    #expect(robot.notice == "Sorted by date, the newest first.")
    robot.press("s")
    #expect(robot.rows == ["b", "c", "a"])
    #expect(robot.notice == "Sorted by size, the largest first.")
    robot.press("s")
    #expect(robot.rows == ["a", "b", "c"])
    #expect(robot.chosen == "a")
  }

  @Test func `a sorted list stays sorted when a note changes`() {
    let robot = Robot(notes: ["a", "b"])
    robot.happen(.detailed([Samples.entry("a", size: 5), Samples.entry("b", size: 9)], isLast: true))
    robot.press("s", "s")
    #expect(robot.rows == ["b", "a"])
    robot.happen(
      .changed(ChangeSet(changes: [.present(Samples.entry("a", size: 10))], cursor: ChangeCursor("1"))))
    #expect(robot.rows == ["a", "b"])
    #expect(robot.chosen == "b")
  }

  @Test func `sizes and ages are asked for the rows in view`() {
    let robot = Robot(size24)
    robot.take()
    robot.happen(.listed(Samples.table(Samples.names(100))))
    let asked = robot.take().first ?? ""
    #expect(asked.hasPrefix("run details note-000.md") && asked.hasSuffix("note-018.md [notes.details]"))
    robot.press("G")
    let next = robot.take().first ?? ""
    #expect(next.hasPrefix("run details note-081.md") && next.hasSuffix("note-099.md [notes.details]"))
  }

  private var size24: Size { Size(80, 24) }

  @Test func `names that were known last are on the screen at once, and the list takes their place`() {
    let robot = Robot()
    robot.take()
    robot.happen(.files(.named(Samples.table(["a.md", "b.md", "gone.md"]))))
    #expect(robot.rows == ["a.md", "b.md", "gone.md"])
    // Sizes, ages and changes come with the list.
    #expect(!robot.take().contains { $0.contains("details") || $0.contains("watch") })
    robot.press("j")
    robot.happen(.listed(Samples.table(["a.md", "b.md", "new.md"])))
    #expect(robot.rows == ["a.md", "b.md", "new.md"] && robot.chosen == "b.md")
    #expect(robot.take().contains { $0.contains("watch") })
    // Late names change nothing.
    robot.happen(.files(.named(Samples.table(["gone.md"]))))
    #expect(robot.rows == ["a.md", "b.md", "new.md"])
  }

  @Test func `find narrows as words are typed and chooses the first, and Esc brings the list and the choice back`() {
    let robot = Robot(notes: ["apple.md", "garage.md", "Map.md", "zebra.md"])
    robot.press("G")
    robot.press("/")
    robot.type("a")
    #expect(robot.chosen == "apple.md")
    robot.type("p")
    #expect(robot.rows == ["apple.md", "Map.md"])
    #expect(robot.chosen == "apple.md")
    robot.press("Down", "Enter")
    #expect(robot.rows == ["apple.md", "Map.md"])
    #expect(robot.chosen == "Map.md")
    robot.press("Esc")
    #expect(robot.rows.count == 4)
    #expect(robot.chosen == "zebra.md")
    robot.press("/")
    robot.type("ap")
    robot.press("Enter", "Down", "Esc")
    #expect(robot.chosen == "Map.md", "what the member chose since stays chosen")
    robot.press("/")
    robot.type("zzz")
    #expect(robot.rows.isEmpty)
    #expect(robot.screen.contains("No match in names. Esc shows all."))
    robot.press("Esc")
    #expect(robot.rows.count == 4)
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12)])
  func `a filter is on the screen for as long as it holds, on both tabs`(size: Size) {
    for robot in [Robot(notes: Samples.names(310), size: size), Robot(photos: Samples.names(310), size: size)] {
      robot.press("G")
      let before = robot.screen
      robot.press("/")
      robot.type("note-12")
      #expect(robot.screen.contains("21 of 310"))
      robot.press("Enter")
      #expect(robot.screen.contains("filter: note-12  21 of 310  Esc clears"))
      robot.press("Space")
      #expect(robot.screen.contains("filter: note-12  21 of 310" + (size.width == 80 ? "  1 marked  Esc clears" : "")))
      robot.press("Esc")
      #expect(!robot.screen.contains("filter:") && robot.screen.contains("1 marked  Esc unmarks"))
      robot.press("Esc")
      #expect(!robot.screen.contains("unmarks") && robot.notice?.hasPrefix("Unmarked one") == true)
      robot.press("G", "F5", "F5")
      #expect(robot.screen == before)
    }
  }

  @Test func `Esc brings back the row that was on top`() {
    let robot = Robot(notes: Samples.names(100))
    robot.press("PgDn", "PgDn", "k")
    let before = robot.screen
    robot.press("/")
    robot.type("note-09")
    robot.press("Esc")
    #expect(robot.screen == before)
  }

  @Test func `the part of a name that was typed stands out, also without colour`() {
    let robot = Robot(notes: ["Über Apple.md", "apple.md"], abilities: TerminalAbilities(colors: .none))
    robot.press("/")
    robot.type("appl")
    let grid = robot.grid
    for (row, letter) in [(2, "a"), (3, "A")] as [(Int, Character)] {
      let start = Array(grid.text(ofRow: row)).firstIndex(of: letter) ?? 0
      #expect((start..<(start + 4)).allSatisfy { grid[$0, row].style.attributes.contains([.underline, .bold]) })
      #expect(!grid[start + 4, row].style.attributes.contains(.underline))
    }
  }

  @Test func `a note that was just saved is seen whatever the filter, until other words are typed`() {
    let robot = Robot(notes: ["apple.md", "zoo.md"])
    robot.press("/")
    robot.type("appl")
    robot.press("Enter")
    robot.happen(.saved(nil, .saved(Samples.entry("Zebra.md")), session: nil))
    #expect(robot.rows == ["apple.md", "Zebra.md"] && robot.chosen == "Zebra.md")
    robot.happen(.listed(Samples.table(["apple.md", "Zebra.md", "zoo.md"])))
    #expect(robot.rows == ["apple.md", "Zebra.md"])
    robot.happen(.renamed(from: Samples.path("apple.md"), Samples.entry("pear.md")))
    #expect(robot.rows == ["pear.md", "Zebra.md"] && robot.chosen == "pear.md")
    robot.press("s")
    #expect(robot.rows.count == 2)
    robot.press("/", "End")
    robot.type("e")
    #expect(robot.rows.isEmpty)
    robot.press("Esc")
    #expect(robot.rows.count == 3)
  }

  @Test func `the best match comes first and is chosen, with its letters marked, and a new order takes its place`() {
    let robot = Robot(notes: ["a changelog.md", "changes.md", "cheese.md", "xchange.md"])
    robot.press("G", "/")
    robot.type("chng")
    #expect(robot.rows == ["changes.md", "xchange.md", "a changelog.md"] && robot.chosen == "changes.md")
    let line = (0..<24).first { robot.grid.text(ofRow: $0).contains("xchange.md") } ?? 0
    let start = Array(robot.grid.text(ofRow: line)).firstIndex(of: "x") ?? 0
    #expect((0..<7).filter { robot.grid[start + $0, line].style.attributes.contains(.underline) } == [1, 2, 4, 5])
    robot.press("Enter", "s", "s", "s")
    #expect(robot.rows == ["a changelog.md", "changes.md", "xchange.md"])
    #expect(robot.chosen == "a changelog.md")
    robot.press("Esc")
    #expect(robot.rows.count == 4)
  }

  @Test func `Enter after find opens the note that is chosen`() {
    let robot = Robot(notes: ["apple.md", "garage.md"])
    robot.press("/")
    robot.type("gar")
    robot.press("Enter", "Enter")
    #expect(robot.take().contains("run open garage.md to read [notes.open]"))
  }

  @Test func `a listing and changes keep what find narrows to`() {
    let robot = Robot(notes: ["apple.md", "garage.md"])
    robot.press("/")
    robot.type("ap")
    robot.happen(.listed(Samples.table(["apple.md", "grape.md", "garage.md"])))
    #expect(robot.rows == ["apple.md", "grape.md"])
    robot.happen(
      .changed(
        ChangeSet(
          changes: [.present(Samples.entry("map.md")), .present(Samples.entry("x.md"))], cursor: ChangeCursor("1"))))
    #expect(robot.rows == ["apple.md", "map.md", "grape.md"])
  }

  @Test func `a photo that is listed anew has the size that was listed`() {
    let robot = Robot(photos: [])
    for (size, shown) in [(UInt64(2048), "2.0 KiB"), (4096, "4.0 KiB")] {
      var table = Samples.table(["a.jpg"], folder: "photos")
      table.merge([Samples.entry("photos/a.jpg", size: size)])
      robot.happen(photos: .listed(table))
      #expect(robot.screen.contains(shown))
    }
  }

  @Test func `find works on photos, too`() {
    let robot = Robot(photos: ["garage.jpg", "roof.jpg"])
    robot.press("/")
    robot.type("oo")
    #expect(robot.rows == ["roof.jpg"])
    robot.press("Enter", "Esc")
    #expect(robot.rows.count == 2)
  }

  @Test func `the chosen row is in view while find is typed`() {
    let robot = Robot(notes: Samples.names(100))
    robot.press("G", "/")
    #expect(robot.screen.contains("note-099.md"))
    let photos = Robot(photos: Samples.names(100))
    photos.press("G", "/")
    #expect(photos.screen.contains("note-099.md"))
  }

  @Test func `marks are shown, kept by find, and dropped by Esc`() {
    let robot = Robot(notes: ["a", "b", "c"])
    robot.press("Space", "Space")
    #expect(robot.chosen == "c")
    #expect(robot.screen.contains("+a") && robot.screen.contains("+b"))
    robot.press("D")
    #expect(robot.question == "Move 2 notes to the trash?")
    #expect(robot.screen.contains("2 marked"))
    robot.press("Esc", "Esc")
    #expect(robot.notice == "Unmarked 2 notes." && !robot.screen.contains("unmarks"))
    robot.press("D")
    #expect(robot.question == "Move \"c\" to the trash?")
  }

  @Test func `a mark is taken back by the same key`() {
    let robot = Robot(notes: ["a", "b"])
    robot.press("Space", "k", "Space")
    #expect(robot.state.notes.files.marks.isEmpty)
  }

  @Test func `a mark goes with its note`() {
    let robot = Robot(notes: ["a", "b", "c"])
    robot.press("Space")
    robot.happen(.changed(ChangeSet(changes: [.absent(Samples.path("a"))], cursor: ChangeCursor("1"))))
    robot.press("D")
    #expect(robot.question == "Move \"b\" to the trash?")
  }

  @Test func `on a narrow screen the filter and its count stay, and the marks give way`() {
    let names = ["challenge.md"] + (0..<309).map { "note-\($0 + 1000).md" }
    let robot = Robot(notes: names, size: Size(40, 12))
    robot.press("Space", "Space", "g", "/")
    robot.type("cha")
    robot.press("Enter")
    #expect(robot.grid.text(ofRow: 9) == " filter: cha  1 of 310  +2  Esc clears")
    robot.press("/", "End")
    robot.type("ll")
    robot.press("Enter")
    #expect(robot.grid.text(ofRow: 9) == " filter: chall  1 of 310  Esc clears")
    robot.resize(80, 24)
    #expect(robot.grid.text(ofRow: 21) == " filter: chall  1 of 310  2 marked  Esc clears")
  }

  @Test(arguments: [Size(80, 24), Size(40, 12)])
  func `a match in the cut part of a long name is seen`(size: Size) {
    let name = String(repeating: "a very long name ", count: 6) + "of the pier.md"
    let robot = Robot(notes: [name, "b.md"], size: size)
    robot.press("/")
    robot.type("pier")
    let row = robot.grid.text(ofRow: size.height > 12 ? 2 : 1)
    #expect(row.contains("of the pier.md") && row.hasPrefix(" > ~"))
    let photos = Robot(photos: ["\(name).jpg", "b.jpg"], size: size)
    photos.press("/")
    photos.type("pier")
    #expect(photos.screen.contains("pier.md"))
  }

  @Test func `a failed listing keeps the rows and says so`() {
    let robot = Robot(notes: ["a", "b"])
    robot.press("r")
    #expect(robot.take() == ["run list [notes.list]", "run watch [notes.watch]"])
    robot.happen(.listFailed(StoreError(.offline, "The store cannot be reached.", remedy: "Try again later.")))
    #expect(robot.rows == ["a", "b"])
    #expect(robot.notice == "byteclub could not list the notes. The store cannot be reached. Trying again.")
    let photos = Robot(photos: ["a.jpg"])
    photos.happen(photos: .listFailed(StoreError(.offline, "The store cannot be reached.")))
    #expect(photos.rows == ["a.jpg"])
  }

  @Test func `a failed listing does not hide the failure of a command, and is reported after it`() {
    let robot = Robot(notes: ["a", "b"])
    robot.press(":")
    robot.type("frobnicate")
    robot.press("Enter")
    let failure = robot.notice
    #expect(failure?.contains("frobnicate") == true)
    let gone = StoreError(.notFound, "The club's folder no longer exists.")
    robot.happen(.listFailed(gone))
    #expect(robot.notice == failure)
    robot.press("Down")
    robot.happen(.listFailed(gone))
    #expect(robot.notice?.hasPrefix("byteclub could not list the notes.") == true)
  }

  @Test func `a sign-in that ends is one line with the command that mends it, and the rows stay`() {
    let ended = StoreError(
      .notSignedIn, "club.example:8443 no longer accepts the sign-in of this machine.",
      remedy: "Sign in with: byteclub login --club lab")
    for happening in [FileListAction.failed(.list, ended), .failed(.watch, ended)] {
      let robot = Robot(notes: ["a", "b"])
      robot.happen(.notes(.files(happening)))
      #expect(robot.rows == ["a", "b"])
      #expect(robot.notice == "Not signed in. Sign in with: byteclub login --club lab (then press r)")
      #expect(robot.grid.text(ofRow: 22).contains("byteclub login --club lab (then press r)"))
      robot.press("r")
      #expect(robot.take() == ["run list [notes.list]", "run watch [notes.watch]"])
      // The answer to an earlier request may come now.
      robot.happen(.notes(.files(happening)))
      robot.happen(.listed(Samples.table(["a", "b", "c"])))
      #expect(robot.notice == nil)
      let photos = Robot(photos: ["a.jpg"])
      photos.happen(.photos(.files(happening)))
      #expect(photos.rows == ["a.jpg"])
      #expect(photos.notice == "Not signed in. Sign in with: byteclub login --club lab (then press r)")
    }
    let empty = Robot()
    empty.happen(.listFailed(ended))
    #expect(empty.screen.contains("byteclub login --club lab"))
  }

  @Test func `without rows a failed listing says why, until one succeeds`() {
    let robot = Robot()
    robot.happen(.listFailed(StoreError(.notFound, "\"~/ByteClub\" is not there.", remedy: "Make it.")))
    #expect(robot.screen.contains("\"~/ByteClub\" is not there."))
    robot.happen(.listed(Samples.table(["a"])))
    #expect(robot.rows == ["a"] && robot.state.notes.files.problem == nil)
    robot.press("Esc")
    #expect(!robot.screen.contains("is not there"))
  }

  @Test func `the club is called working while the list is read`() {
    let robot = Robot()
    #expect(robot.grid.text(ofRow: 0).hasSuffix("working"))
    robot.happen(.listed(Samples.table(["a"])))
    #expect(!robot.grid.text(ofRow: 0).hasSuffix("working"))
    robot.press("r")
    #expect(robot.grid.text(ofRow: 0).hasSuffix("working"))
    robot.happen(.listFailed(StoreError(.offline, "No.")))
    #expect(!robot.grid.text(ofRow: 0).hasSuffix("working"))
  }

  @Test func `a name is copied and a file is opened outside`() {
    let robot = Robot(notes: ["a b.md"])
    robot.press("y", "o")
    #expect(robot.take() == ["copy a b.md", "run open outside a b.md"])
    let photos = Robot(photos: ["x.jpg"])
    photos.press("y", "o")
    #expect(photos.take() == ["copy photos/x.jpg", "run open outside photos/x.jpg"])
  }

  @Test func `keys on an empty list ask for nothing`() {
    for robot in [Robot(notes: []), Robot(photos: [])] {
      for key in ["Enter", "j", "G", "PgDn", "Space", "D", "R", "e", "o", "y", "i", "d", "s"] { robot.press(key) }
      #expect(robot.take().allSatisfy { $0.hasPrefix("cancel") || $0.hasPrefix("run keep order") })
      #expect(robot.view.isEmpty && robot.question == nil)
    }
  }
}
