import ClubServices
import FileStores
import Imaging
import Testing
import TextUI

@testable import Screens

/// Albums in the photos' tab.
@Suite struct `Albums of photos` {
  private static let names = ["a.jpg", "b.jpg", "bergen/x.jpg", "oslo/1.jpg", "oslo/2.jpg", "oslo/pier/low.jpg"]

  private func robot(
    _ names: [String] = Self.names, size: Size = Size(80, 24), layout: PhotosLayout = .list, isFlat: Bool = false
  ) -> Robot { Robot(photos: names, size: size, layout: layout, isFlat: isFlat) }

  private func album(_ robot: Robot) -> String? {
    robot.state.photos.files.album.map { String(decoding: $0, as: UTF8.self) }
  }

  private func chosenAlbum(_ robot: Robot) -> String? {
    robot.state.photos.files.selectedAlbum.map { String(decoding: $0.path, as: UTF8.self) }
  }

  private func path(_ name: String) -> StorePath { Samples.path("photos/\(name)") }

  private func moved(_ name: String, to target: String) -> MovedFile {
    MovedFile(path(name), Samples.entry("photos/\(target)"))
  }

  // MARK: Entering and leaving

  @Test func `are rows above the photos, with a slash, a count and no photo of theirs`() {
    let robot = robot()
    #expect(robot.rows == ["a.jpg", "b.jpg"] && chosenAlbum(robot) == "bergen" && robot.chosen == nil)
    let lines = (0..<24).map { robot.grid.text(ofRow: $0) }
    let oslo = lines.firstIndex { $0.contains("oslo/") } ?? 0
    #expect(
      lines[oslo + 1].contains("3 photos") && lines.contains { $0.contains("1 photo ") || $0.hasSuffix("1 photo") })
    #expect(robot.screen.contains("1 of 4"))
  }

  @Test(arguments: ["Enter", "l", "Right"], ["Backspace", "h", "Left", "Esc"])
  func `are entered, and left for the row that they have above`(enter: String, leave: String) {
    let robot = robot()
    robot.press("j", enter)
    #expect(album(robot) == "oslo" && robot.rows == ["oslo/1.jpg", "oslo/2.jpg"] && chosenAlbum(robot) == "oslo/pier")
    #expect(robot.grid.text(ofRow: 1).contains("oslo/"))
    #expect(robot.screen.contains(" 1.jpg") && !robot.screen.contains("oslo/1.jpg"))
    robot.press(enter)
    #expect(album(robot) == "oslo/pier" && robot.chosen == "photos/oslo/pier/low.jpg")
    robot.press(leave)
    #expect(album(robot) == "oslo" && chosenAlbum(robot) == "oslo/pier")
    robot.press(leave)
    #expect(album(robot) == "" && chosenAlbum(robot) == "oslo")
  }

  @Test func `at the top the key to leave says that none is open, and Esc does not quit`() {
    let robot = robot()
    robot.press("Backspace")
    #expect(robot.notice == "No album is open." && !robot.take().contains("quit"))
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12)], [PhotosLayout.list, .grid])
  func `that a club does not have change nothing of its look`(size: Size, layout: PhotosLayout) {
    let names = Samples.names(30).map { $0.replacing(".md", with: ".jpg") }
    #expect(
      robot(names, size: size, layout: layout).grid == robot(names, size: size, layout: layout, isFlat: true).grid)
  }

  @Test func `in a grid are cells, and Backspace leaves`() {
    let robot = robot(layout: .grid)
    #expect(robot.screen.contains("bergen/") && robot.screen.contains("oslo/") && robot.screen.contains("a.jpg"))
    robot.press("Right", "Enter")
    #expect(album(robot) == "oslo")
    robot.press("Right", "Left")
    #expect(album(robot) == "oslo" && chosenAlbum(robot) == "oslo/pier")
    robot.press("Backspace")
    #expect(album(robot) == "" && chosenAlbum(robot) == "oslo")
  }

  @Test func `Esc clears the marks first, then leaves`() {
    let robot = robot()
    robot.press("j", "Enter", "j", "Space", "Esc")
    #expect(album(robot) == "oslo" && robot.state.photos.files.marks.isEmpty)
    robot.press("Esc")
    #expect(album(robot) == "")
  }

  @Test func `give the viewer their photos alone, and the place among them`() {
    let robot = robot()
    robot.press("j", "Enter", "j", "Enter")
    #expect(robot.take().contains("run view photos/oslo/1.jpg [photos.view]"))
    #expect(robot.screen.contains("1 of 2"))
    robot.press("n")
    #expect(robot.take().contains("run view photos/oslo/2.jpg [photos.view]"))
    robot.press("n")
    #expect(robot.notice == "This is the last photo.")
  }

  @Test func `open for a photo to which another view leads`() {
    let robot = robot()
    robot.happen(photos: .asked(path("oslo/pier/low.jpg")))
    #expect(album(robot) == "oslo/pier" && robot.screen.contains("1 of 1"))
  }

  // MARK: Finding, order, all photos

  @Test func `give way to a search of all photos, and come back with their selected row`() {
    let robot = robot()
    robot.press("j", "/")
    robot.type("jpg")
    #expect(robot.rows.count == 6 && chosenAlbum(robot) == nil && robot.screen.contains("oslo/1.jpg"))
    let grid = robot.grid
    let y = (0..<24).first { grid.text(ofRow: $0).contains("oslo/1.jpg") } ?? 0
    let x = grid.text(ofRow: y).split(separator: "oslo/1", omittingEmptySubsequences: false)[0].count
    #expect(grid[x, y].style != grid[x + 5, y].style)
    robot.press("Esc")
    #expect(chosenAlbum(robot) == "oslo" && robot.rows == ["a.jpg", "b.jpg"])
  }

  @Test func `give way to all photos by a key, which is remembered, and the photo stays selected`() {
    let robot = robot()
    robot.press("j", "Enter", "j", "j")
    #expect(robot.chosen == "photos/oslo/2.jpg")
    robot.take()
    robot.press("a")
    #expect(robot.take().contains("run keep all photos in one list"))
    #expect(robot.rows == Self.names.sorted() && robot.chosen == "photos/oslo/2.jpg" && album(robot) == nil)
    robot.press("a")
    #expect(robot.take().contains("run keep albums") && album(robot) == "oslo" && robot.chosen == "photos/oslo/2.jpg")
    #expect(album(Robot(photos: Self.names, isFlat: true)) == nil)
  }

  @Test func `are missing, says the key that would show them`() {
    let robot = robot(["a.jpg"])
    robot.press("a")
    #expect(robot.notice == "The club has no albums. m moves photos into one.")
  }

  // MARK: What happens meanwhile

  @Test func `stay selected when another member adds one`() {
    let robot = robot()
    robot.press("j")
    let change = ChangeSet(changes: [.present(Samples.entry("photos/alta/n.jpg"))], cursor: ChangeCursor("2"))
    robot.happen(photos: .files(.changed(change)))
    #expect(chosenAlbum(robot) == "oslo" && robot.screen.contains("alta/"))
  }

  @Test func `are left when their last photo goes`() {
    let robot = robot()
    robot.press("j", "Enter", "Enter")
    let change = ChangeSet(changes: [.absent(path("oslo/pier/low.jpg"))], cursor: ChangeCursor("2"))
    robot.happen(photos: .files(.changed(change)))
    #expect(album(robot) == "oslo" && robot.rows.count == 2)
  }

  @Test func `have the news of all photos in them, and the key to the next leads there`() {
    let robot = robot()
    let mark = NewsMark(revision: Revision("r2"), before: nil)
    robot.happen(
      photos: .files(.news([path("oslo/2.jpg"): mark, path("oslo/pier/low.jpg"): mark], isListed: true)))
    #expect(robot.screen.contains("3 photos  2 new"))
    robot.press("N")
    #expect(chosenAlbum(robot) == "oslo")
    robot.press("Enter")
    #expect(robot.screen.contains("1 photo  1 new"))
    robot.press("Backspace", "k", "Enter", "N")
    #expect(robot.notice == "Nothing new is in this album. Backspace leaves it.")
  }

  @Test func `are renamed, and back with one key`() {
    let robot = robot()
    robot.press("R")
    #expect(robot.screen.contains("New name: bergen"))
    robot.press("Ctrl-U")
    robot.type("a/b\n")
    #expect(robot.screen.contains("A name has no slash."))
    robot.press("Ctrl-U")
    robot.type("oslo\n")
    #expect(robot.screen.contains("\"oslo\" already exists.") && robot.view == "rename")
    robot.press("Ctrl-U")
    robot.take()
    robot.type("alta\n")
    #expect(robot.take() == ["run move the folder photos/bergen to photos/alta"])
    let moved = FolderMoved(from: path("bergen"), to: path("alta"), count: 1)
    robot.happen(photos: .files(.folderMoved(moved)))
    #expect(robot.view.isEmpty && chosenAlbum(robot) == "alta" && robot.screen.contains("alta/"))
    #expect(robot.notice == "Moved \"photos/bergen/\" to \"photos/alta/\". z undoes.")
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run move the folder photos/alta back to photos/bergen"])
    robot.happen(photos: .undone(.moveFolder(moved)))
    #expect(chosenAlbum(robot) == "bergen" && robot.notice == "Moved \"photos/alta/\" back to \"photos/bergen/\".")
  }

  @Test func `go to the trash with all in them once the member agrees, and come back`() {
    let robot = robot()
    robot.press("j", "D")
    #expect(robot.question == "Move \"photos/oslo/\" with all in it (3 photos) to the trash?")
    robot.take()
    robot.press("y")
    #expect(robot.take() == ["run trash the folder photos/oslo"])
    robot.happen(photos: .files(.folderTrashed(TrashedFolder(folder: path("oslo")))))
    #expect(!robot.screen.contains("oslo/ ") && robot.notice == "Moved \"photos/oslo/\" to the trash. z undoes.")
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run restore the folder photos/oslo"])
    robot.happen(photos: .undone(.restoreFolder(TrashedFolder(folder: path("oslo")))))
    #expect(robot.notice == "\"photos/oslo/\" is back." && robot.take().contains("run list [photos.list]"))
  }

  @Test(arguments: [
    ("bergen", "photos/oslo", "photos/bergen/oslo"), ("new/er", "photos/oslo", "photos/new/er/oslo"),
  ])
  func `go into another, and a new name makes one`(typed: String, folder: String, target: String) {
    let robot = robot()
    robot.press("j", "m")
    #expect(robot.view == "move" && !robot.screen.contains("\n   oslo/"))
    robot.type(typed)
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run move the folder \(folder) to \(target)"] && robot.view.isEmpty)
  }

  @Test(arguments: [
    ("oslo/pier", "\"photos/oslo/\" cannot go into itself."), ("oslo", "cannot go into itself."),
    ("", "The album is there already."), ("a.jpg", "is a photo, so it can be no album."),
  ])
  func `do not go into themselves, nor where they are`(typed: String, words: String) {
    let robot = robot()
    robot.press("j", "m")
    robot.type(typed)
    robot.take()
    robot.press("Enter")
    #expect(robot.view == "move" && robot.take().isEmpty)
    #expect(robot.screen.split(separator: "\n").joined(separator: " ").contains(words))
  }

  @Test(arguments: ["Space", "i", "c", "d", "o", "y", "Y"])
  func `take no key of a photo, and say so`(key: String) {
    let robot = robot()
    robot.press(key)
    #expect(robot.notice == "This is an album. Enter shows its photos." && robot.view.isEmpty)
  }

  @Test func `take the uploads that begin in them`() {
    let robot = robot()
    robot.press("Enter", "u")
    #expect(robot.screen.contains("Upload to bergen/: "))
    robot.type("/p.jpg")
    robot.happen(
      photos: .completed("/p.jpg", PathCompletion(choices: [], common: "/p.jpg", meaning: .files(["/p.jpg"]))))
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run upload /p.jpg to photos/bergen"])
  }

  @Test func `in hundreds and deep ones keep the list usable`() {
    let many = robot((0..<10_000).map { "album \($0)/p.jpg" })
    many.press("End")
    #expect(chosenAlbum(many) == "album 9999" && many.screen.contains("10,000 of 10,000"))
    let deep = robot([(0..<80).map { "d\($0)" }.joined(separator: "/") + "/p.jpg"])
    for _ in 0..<Albums.mostDepth { deep.press("Enter") }
    #expect(deep.state.photos.files.album?.split(separator: UInt8(ascii: "/")).count == Albums.mostDepth)
    #expect(deep.screen.contains("the deepest album"))
  }

  // MARK: Moving

  @Test(arguments: [
    ("oslo", "photos/oslo"), ("oslo/", "photos/oslo"), ("OSLO", "photos/oslo"), ("oslo/pier", "photos/oslo/pier"),
    ("new", "photos/new"), ("Oslo/new one", "photos/oslo/new one"), ("/new/", "photos/new"),
  ])
  func `take a photo by a typed name, and a new name makes one`(typed: String, folder: String) {
    let robot = robot()
    robot.press("j", "j", "m")
    #expect(robot.view == "move")
    robot.type(typed)
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run move photos/a.jpg to \(folder)"] && robot.view.isEmpty)
  }

  @Test(arguments: ["", "/"]) func `give a photo back to the top`(typed: String) {
    let robot = robot()
    robot.press("Enter", "m")
    robot.type(typed)
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run move photos/bergen/x.jpg to photos"])
  }

  @Test func `are completed, and chosen with the arrows`() {
    let robot = robot()
    robot.press("G", "m")
    #expect(robot.screen.contains("\n   bergen/") && robot.screen.contains("\n   oslo/pier/"))
    robot.type("o")
    robot.press("Tab")
    #expect(robot.screen.contains("Move to: oslo/"))
    robot.press("Down", "Down")
    #expect(robot.screen.contains("\n > oslo/pier/"))
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run move photos/b.jpg to photos/oslo/pier"])
  }

  @Test func `take all marked photos, once back with one key`() {
    let robot = robot()
    robot.press("j", "j", "Space", "Space", "m")
    #expect(robot.screen.contains("Move 2 to: "))
    robot.type("oslo")
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run move photos/a.jpg photos/b.jpg to photos/oslo"])
    let files = [moved("a.jpg", to: "oslo/a.jpg"), moved("b.jpg", to: "oslo/b.jpg")]
    robot.happen(photos: .files(.moved(files)))
    #expect(robot.notice == "Moved 2 photos to \"photos/oslo/\". z undoes.")
    #expect(robot.rows.isEmpty && robot.screen.contains("5 photos") && robot.state.photos.files.marks.isEmpty)
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run move back photos/oslo/a.jpg photos/oslo/b.jpg"])
    robot.happen(photos: .undone(.move(files), Samples.entry("photos/a.jpg"), Samples.entry("photos/b.jpg")))
    #expect(robot.notice == "Moved 2 photos back." && robot.rows == ["a.jpg", "b.jpg"])
    robot.press("z")
    #expect(!robot.take().contains { $0.contains("move") })
  }

  @Test func `keep the photos that could not go marked, with the reason`() {
    let robot = robot()
    let failed = FileFailure(path("b.jpg"), StoreError(.exists, "\"photos/oslo/b.jpg\" already exists."))
    robot.happen(photos: .files(.moved([moved("a.jpg", to: "oslo/a.jpg")], failed: [failed])))
    #expect(
      robot.notice == "Moved 1 of 2 photos to \"photos/oslo/\". Not moved: \"photos/b.jpg\". "
        + "\"photos/oslo/b.jpg\" already exists. z undoes.")
    #expect(robot.state.photos.files.marks == [path("b.jpg")])
  }

  @Test func `count a photo once that has moved without what belongs to it`() {
    let robot = robot()
    let reason = StoreError(.notPermitted, "Its caption is not yours.")
    let late = FileFailure(path("a.jpg"), reason)
    robot.happen(photos: .files(.moved([moved("a.jpg", to: "oslo/a.jpg")], failed: [late])))
    #expect(robot.notice == "Moved \"photos/a.jpg\" to \"photos/oslo/\". Its caption is not yours. z undoes.")
    #expect(robot.state.photos.files.marks.isEmpty)
  }

  @Test(arguments: [
    ("oslo", "\"photos/oslo/1.jpg\" already exists. Rename one of the two first (R)."),
    ("", "The photo is there already."), (".hidden", "dot"), ("a//b", "two slashes in a row"), ("..", "dot"),
    ("b.jpg", "\"photos/b.jpg\" is a photo, so it can be no album."),
    (Array(repeating: "d", count: 65).joined(separator: "/"), "more than 64 parts"),
  ])
  func `refuse what cannot be, and the prompt stays`(typed: String, words: String) {
    let robot = robot(["1.jpg", "b.jpg", "oslo/1.jpg"])
    robot.press("j", "m")
    robot.type(typed)
    robot.take()
    robot.press("Enter")
    #expect(robot.view == "move" && robot.take().isEmpty)
    let shown = robot.screen.split(separator: "\n").joined(separator: " ")
    #expect(words.split(separator: " ").allSatisfy { shown.contains($0) })
    robot.press("Esc")
    #expect(robot.view.isEmpty)
  }

  @Test func `keep what is known of a moved photo, there and back`() {
    let robot = robot()
    robot.happen(photos: .kindFound(path("a.jpg"), .sphere))
    let file = moved("a.jpg", to: "oslo/a.jpg")
    robot.happen(photos: .files(.moved([file])))
    #expect(robot.state.photos.kind(of: path("oslo/a.jpg")) == .sphere)
    robot.happen(photos: .undone(.move([file]), Samples.entry("photos/a.jpg")))
    #expect(robot.state.photos.kind(of: path("a.jpg")) == .sphere)
  }

  @Test func `are refused for a reader`() {
    let robot = robot()
    robot.happen(.readerKnown(true))
    robot.press("G", "m")
    #expect(robot.view.isEmpty && robot.notice?.hasPrefix("You are a reader of this club") == true)
  }

  @Test func `take photos from the command line`() {
    let robot = robot()
    robot.press(":")
    robot.type("photo mv a.jpg b.jpg Oslo/\n")
    #expect(robot.take().last == "run move photos/a.jpg photos/b.jpg to photos/oslo")
  }
}
