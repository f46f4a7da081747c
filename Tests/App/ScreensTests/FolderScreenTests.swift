import ClubServices
import FileStores
import TestKit
import Testing
import TextUI

@testable import Screens

/// Folders of notes in the notes' tab.
@Suite struct `Folders of notes` {
  private static let names = [
    "a.md", "b.md", "bergen/x.md", "trips/1.md", "trips/2.md", "trips/oslo/day.md", "trips/oslo/night.md",
  ]

  private func robot(
    _ names: [String] = Self.names, size: Size = Size(80, 24), folders: [String] = [], others: [String: Int] = [:]
  ) -> Robot { Robot(notes: names, size: size, folders: folders, others: others) }

  private func folder(_ robot: Robot) -> String? {
    robot.state.notes.files.album.map { String(decoding: $0, as: UTF8.self) }
  }

  private func chosenFolder(_ robot: Robot) -> String? {
    robot.state.notes.files.selectedAlbum.map { String(decoding: $0.path, as: UTF8.self) }
  }

  private func line(of text: String, _ robot: Robot) -> String {
    robot.screen.split(separator: "\n").first { $0.contains(text) }.map(String.init) ?? ""
  }

  private func path(_ name: String) -> StorePath { Samples.path(name) }

  // MARK: Entering and leaving

  @Test func `are rows above the notes, with a slash, counts up the tree and the newest date`() {
    let robot = robot()
    robot.happen(
      .detailed(Self.names.map { Samples.entry($0, ago: $0.contains("night") ? 120 : 7200) }, isLast: true))
    #expect(robot.rows == ["a.md", "b.md"] && chosenFolder(robot) == "bergen")
    #expect(line(of: "trips/", robot).contains("4 notes") && line(of: "trips/", robot).contains("2 min"))
    #expect(line(of: "bergen/", robot).contains("1 note ") && robot.screen.contains("1 of 4"))
  }

  @Test(arguments: ["Enter", "l", "Right"], ["Backspace", "h", "Left", "Esc"])
  func `are entered, and left for the row that they have above`(enter: String, leave: String) {
    let robot = robot()
    robot.press("j", enter)
    #expect(folder(robot) == "trips" && robot.rows == ["trips/1.md", "trips/2.md"])
    #expect(chosenFolder(robot) == "trips/oslo" && robot.grid.text(ofRow: 1).contains("trips/"))
    #expect(robot.screen.contains("   1.md") && !robot.screen.contains("trips/1.md"))
    robot.press(enter)
    #expect(folder(robot) == "trips/oslo" && robot.chosen == "trips/oslo/day.md")
    robot.press(leave)
    #expect(folder(robot) == "trips" && chosenFolder(robot) == "trips/oslo")
    robot.press(leave)
    #expect(folder(robot) == "" && chosenFolder(robot) == "trips")
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12)])
  func `that a club does not have change nothing of its look`(size: Size) {
    let flat = Robot(notes: Samples.names(30), size: size, isFlat: true)
    #expect(robot(Samples.names(30), size: size).grid == flat.grid)
  }

  @Test func `are drawn while the notes in them are read, without counts, and no key means them yet`() {
    let robot = Robot(Size(80, 24))
    robot.happen(.files(.topNamed(Samples.table(["a.md"], folders: ["bergen", "trips"], others: ["": 2]))))
    #expect(robot.screen.contains("bergen/") && robot.screen.contains("trips/") && robot.screen.contains("a.md"))
    #expect(!robot.screen.contains("empty") && !robot.screen.contains("note "))
    let top = robot.state.notes.files.atTop
    #expect(top?.rows.count == 3 && top?.rows.selected == nil && top?.top.isEmpty == true)
    robot.resize(60, 20)
    #expect(robot.screen.contains("bergen/"))
    robot.resize(80, 24)
    robot.take()
    robot.press("j", "Enter", "D")
    #expect(robot.rows.isEmpty && robot.state.notes.files.table == nil && folder(robot) == "")
    robot.happen(.listed(Samples.table(Self.names, folders: ["bergen", "trips", "trips/oslo"])))
    #expect(chosenFolder(robot) == "bergen" && line(of: "trips/", robot).contains("4 notes"))
    // Late names change nothing.
    robot.happen(.files(.topNamed(Samples.table(["gone.md"], folders: ["gone"]))))
    #expect(!robot.screen.contains("gone") && robot.rows == ["a.md", "b.md"])
  }

  @Test func `at the top are not drawn for a list that failed, nor in place of all notes in one list`() {
    let top = FileListAction.topNamed(Samples.table(["a.md"], folders: ["trips"]))
    let flat = Robot(Size(80, 24), isFlat: true)
    flat.happen(.files(top))
    #expect(!flat.screen.contains("trips/"))
    let robot = Robot(Size(80, 24))
    robot.happen(.files(top))
    robot.happen(.files(.failed(.list, StoreError(.notPermitted, "You may not."))))
    #expect(!robot.screen.contains("trips/") && robot.screen.contains("You may not."))
  }

  @Test func `without notes are shown, and say what to do next`() {
    let robot = robot(["a.md"], folders: ["ideas", "ideas/new"])
    #expect(line(of: "ideas/", robot).contains("empty"))
    robot.press("Enter", "Enter")
    #expect(folder(robot) == "ideas/new" && robot.screen.contains("This folder is empty. n writes a note in it"))
    robot.press("Backspace", "Backspace")
    #expect(folder(robot) == "" && chosenFolder(robot) == "ideas")
  }

  @Test func `name the files that are no notes in one dim line`() {
    let robot = robot(others: ["": 1, "trips": 14])
    #expect(robot.screen.contains("and 1 other file"))
    robot.press("j", "Enter")
    #expect(robot.screen.contains("and 14 other files"))
    let many = self.robot(Samples.names(100).map { "trips/\($0)" }, others: ["trips": 1400])
    many.press("Enter")
    #expect(many.screen.contains("1 of 100 and 1,400 other files"))
  }

  @Test func `name the folders that are too deep to be listed in the same line`() {
    var builder = EntryTable.Builder(folder: .root)
    builder.add([Samples.entry("trips/x.md"), Samples.entry("a.md")])
    builder.add(folders: [path("trips")], tooDeep: [path("trips/d")])
    let robot = Robot()
    robot.happen(.notes(.listed(builder.finish())))
    robot.take()
    #expect(!robot.screen.contains("too deep"))
    robot.press("Enter")
    #expect(robot.screen.contains("and 1 folder too deep to list"))
  }

  @Test func `are shown by their page, else by the first names in them, in the preview`() {
    let robot = robot(Self.names + ["bergen/README.md"], size: Size(120, 40))
    #expect(robot.state.preview.request?.path == path("bergen/README.md"))
    robot.press("j")
    #expect(robot.state.preview.request?.kind == .folder(["oslo/", "1.md", "2.md"].map { Array($0.utf8) }))
    #expect(robot.state.preview.request?.remarks == "4 notes")
  }

  // MARK: Finding, all notes, other ways into a folder

  @Test func `give way to a search of all notes, and come back once a hit was read`() {
    let robot = robot()
    robot.press("Enter", "/")
    robot.type("md")
    let grid = robot.grid
    let y = (0..<24).first { grid.text(ofRow: $0).contains("trips/oslo/night") } ?? 0
    #expect(robot.rows.count == Self.names.count && grid[4, y].style != grid[15, y].style)
    robot.press("Esc", "/")
    robot.type("night")
    #expect(robot.rows == ["trips/oslo/night.md"])
    robot.press("Enter", "Enter")
    robot.happen(.opened(Samples.note("trips/oslo/night.md", "dark"), .read))
    #expect(robot.grid.text(ofRow: 1).contains("trips/oslo/night.md"))
    robot.press("Esc", "Esc")
    #expect(robot.view.isEmpty && folder(robot) == "bergen" && robot.rows == ["bergen/x.md"])
  }

  @Test func `give way to all notes by a key, which is remembered, and the note stays selected`() {
    let robot = robot()
    robot.press("j", "Enter", "j", "j")
    #expect(robot.chosen == "trips/2.md")
    robot.take()
    robot.press("a")
    #expect(
      robot.take().contains("run keep all notes in one list") && robot.notice == "All notes, whatever their folder.")
    #expect(robot.rows == Self.names && robot.chosen == "trips/2.md" && robot.screen.contains("trips/2.md"))
    robot.press("a")
    #expect(robot.take().contains("run keep folders") && folder(robot) == "trips" && robot.chosen == "trips/2.md")
    #expect(folder(Robot(notes: Self.names, isFlat: true)) == nil)
  }

  @Test func `show the note to which the news or a link led, once it is closed`() {
    let robot = robot()
    robot.happen(.asked(path("trips/oslo/day.md")))
    robot.happen(.opened(Samples.note("trips/oslo/day.md", "sun"), .read))
    robot.press("Ctrl-N")
    #expect(robot.take().contains("run open trips/oslo/night.md to read [notes.open]"))
    robot.happen(.opened(Samples.note("trips/oslo/night.md", "dark"), .read))
    robot.press("Esc")
    #expect(folder(robot) == "trips/oslo" && robot.chosen == "trips/oslo/night.md")
  }

  @Test func `have the news of all notes in them, and the key to the next leads there`() {
    let robot = robot()
    let mark = NewsMark(revision: Revision("r2"), before: nil)
    robot.happen(.files(.news([path("trips/2.md"): mark, path("trips/oslo/day.md"): mark], isListed: true)))
    #expect(line(of: "trips/", robot).contains("2 new  4 notes"))
    robot.press("N")
    #expect(chosenFolder(robot) == "trips")
    robot.press("Enter")
    #expect(line(of: "oslo/", robot).contains("1 new"))
    robot.press("Backspace", "k", "Enter", "N")
    #expect(robot.notice == "Nothing new is in this folder. Backspace leaves it.")
  }

  // MARK: Making, moving, removing

  @Test func `take the new note, and a typed name goes further down`() {
    let robot = robot()
    robot.press("j", "Enter", "n")
    #expect(robot.screen.contains("New note") && robot.screen.contains("in trips/"))
    robot.type("oslo/plan")
    robot.press("Tab")
    robot.type("x")
    robot.take()
    robot.press("Ctrl-Q")
    #expect(robot.takeRuns().contains { $0.hasPrefix("run create trips/oslo/plan: ") })
    robot.happen(.saved(nil, .saved(Samples.entry("trips/oslo/plan.md")), session: nil))
    #expect(robot.notice == "Saved \"trips/oslo/plan.md\"." && folder(robot) == "trips/oslo")
    #expect(robot.chosen == "trips/oslo/plan.md")
  }

  @Test func `leave the selection to a note that was made, although their row had it`() {
    let robot = robot()
    #expect(chosenFolder(robot) == "bergen")
    robot.happen(.saved(nil, .saved(Samples.entry("z.md")), session: nil))
    #expect(robot.chosen == "z.md" && folder(robot) == "")
  }

  @Test(arguments: ["/x.md", "x.md"]) func `let a note go to the top by a slash`(typed: String) {
    let robot = robot()
    robot.press("Enter", "n")
    robot.type(typed + "\nx")
    robot.take()
    robot.press("Ctrl-S")
    let name = typed == "x.md" ? "bergen/x.md" : "/x.md"
    #expect(robot.takeRuns().contains { $0.hasPrefix("run create \(name): ") })
  }

  @Test func `are made by a command, in the one that is shown`() {
    let robot = robot()
    robot.press("j", "Enter", ":")
    robot.type("mkdir new ones\n")
    #expect(robot.take().last == "run make the folder new ones in trips")
    robot.happen(.files(.folderMade(path("trips/new ones"))))
    #expect(chosenFolder(robot) == "trips/new ones" && line(of: "new ones/", robot).contains("empty"))
    #expect(robot.notice == "Made the folder \"trips/new ones/\". n writes a note in it.")
    robot.happen(.files(.folderMade(path("trips/new ones"))))
    #expect(robot.notice == "The folder \"trips/new ones/\" is there already.")
  }

  @Test func `take the marked notes, which come back with one key`() {
    let robot = robot()
    robot.press("G", "Space", "k", "Space", "m")
    #expect(robot.view == "move" && robot.screen.contains("Move 2 to: ") && robot.screen.contains("\n   trips/oslo/"))
    robot.type("tr")
    robot.press("Tab", "Enter")
    #expect(robot.takeRuns().last == "run move a.md b.md to trips")
    let files = ["a.md", "b.md"].map { MovedFile(path($0), Samples.entry("trips/\($0)")) }
    robot.happen(.files(.moved(files)))
    #expect(robot.notice == "Moved 2 notes to \"trips/\". z undoes." && line(of: "trips/", robot).contains("6 notes"))
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run move back trips/a.md trips/b.md"])
  }

  @Test func `take notes from the command line`() {
    let robot = robot()
    robot.press(":")
    robot.type("note mv a.md b.md Trips/\n")
    #expect(robot.take().last == "run move a.md b.md to trips")
  }

  @Test func `are moved with what is known of their notes, and back`() {
    let robot = robot()
    robot.happen(.detailed(Self.names.map { Samples.entry($0, size: 77, ago: 120) }, isLast: true))
    robot.happen(
      .files(.news([path("trips/oslo/day.md"): NewsMark(revision: Revision("r2"), before: nil)], isListed: true)))
    let moved = FolderMoved(from: path("trips"), to: path("bergen/trips"), count: 4)
    robot.happen(.files(.folderMoved(moved)))
    #expect(folder(robot) == "bergen" && chosenFolder(robot) == "bergen/trips")
    #expect(line(of: "trips/", robot).contains("1 new  4 notes"))
    let table = robot.state.notes.files.table
    #expect(table?.row(of: path("bergen/x.md")) != nil && table?.contains(path("trips/1.md")) == false)
    robot.happen(.undone(.moveFolder(moved)))
    #expect(
      folder(robot) == "" && chosenFolder(robot) == "trips" && line(of: "trips/", robot).contains("1 new  4 notes"))
    robot.press("Enter", "j")
    #expect(robot.state.notes.files.selectedRow.flatMap { robot.state.notes.files.table?.size(at: $0) } == 77)
  }

  @Test func `go to the trash with all in them, and come back`() {
    let robot = robot(folders: ["trips/empty"])
    robot.press("j", "D")
    #expect(robot.question == "Move \"trips/\" with all in it (4 notes) to the trash?")
    robot.take()
    robot.press("y")
    #expect(robot.take() == ["run trash the folder trips"])
    robot.happen(.files(.folderTrashed(TrashedFolder(folder: path("trips")))))
    #expect(line(of: "trips/ ", robot).isEmpty && robot.chosen == "a.md")
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run restore the folder trips"])
    robot.happen(.undone(.restoreFolder(TrashedFolder(folder: path("trips")))))
    #expect(chosenFolder(robot) == "trips" && robot.notice == "\"trips/\" is back.")
  }

  @Test(arguments: ["Space", "e", "H", "o", "y", "Y"])
  func `take no key of a note, and say so`(key: String) {
    let robot = robot()
    robot.press(key)
    #expect(robot.notice == "This is a folder. Enter shows its notes." && robot.view.isEmpty)
  }

  @Test(arguments: ["R", "D", "m"]) func `are neither renamed, moved nor removed by a reader`(key: String) {
    let robot = robot()
    robot.happen(.readerKnown(true))
    robot.press(key)
    #expect(robot.view.isEmpty && robot.question == nil)
    #expect(robot.notice?.hasPrefix("You are a reader of this club") == true)
  }

  // MARK: Bad input

  @Test func `that vanish while they are shown give way to the nearest one above`() {
    let robot = robot(folders: ["trips", "trips/oslo"])
    robot.press("j", "Enter", "Enter")
    robot.happen(.listed(Samples.table(["a.md", "trips/1.md"], folders: ["trips"])))
    #expect(folder(robot) == "trips" && robot.rows == ["trips/1.md"])
    robot.happen(.listed(Samples.table(["a.md"])))
    #expect(folder(robot) == "" && robot.rows == ["a.md"])
  }

  @Test func `that become a file are a note at their place`() {
    let robot = robot(folders: ["trips", "trips/oslo"])
    robot.press("j", "Enter")
    let gone = Self.names.filter { $0.hasPrefix("trips/") }.map { ChangeSet.Change.absent(path($0)) }
    robot.happen(
      .changed(ChangeSet(changes: gone + [.present(Samples.entry("trips"))], cursor: ChangeCursor("2"))))
    #expect(folder(robot) == "" && robot.rows == ["a.md", "b.md", "trips"])
  }

  @Test(arguments: [Size(80, 24), Size(40, 12), Size(12, 3), Size(1, 1)])
  func `64 deep, and with hostile names, are entered and left on any screen`(size: Size) {
    let deep = (0..<Albums.mostDepth).map { "d\u{1B}[2J\($0)" }.joined(separator: "/") + "/x/p.md"
    let robot = robot([deep], size: size)
    for _ in 0..<Albums.mostDepth {
      robot.press("Enter")
      #expect(robot.grid.fault == nil)
    }
    #expect(robot.state.notes.files.album?.split(separator: UInt8(ascii: "/")).count == Albums.mostDepth)
    if size.width >= 40 { #expect(robot.screen.contains("the deepest folder")) }
    for _ in 0..<Albums.mostDepth { robot.press("Backspace") }
    #expect(folder(robot) == "")
  }

  @Test func `that differ in letter case alone keep their own notes`() {
    let robot = robot(["Oslo/1.md", "Oslo/3.md", "oslo/2.md", "oslo/4.md", "oslo/5.md"])
    #expect(robot.state.notes.files.albums.map(\.count) == [2, 3])
    robot.press("Enter")
    #expect(robot.rows == ["Oslo/1.md", "Oslo/3.md"])
    robot.press("Backspace", "j", "Enter")
    #expect(robot.rows == ["oslo/2.md", "oslo/4.md", "oslo/5.md"])
  }
}
