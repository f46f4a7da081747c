import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// Folders as other note programs write them, each as the club: its notes are listed and shown, and its links lead on.
/// `docs/vaults.md` tells the same.
@Suite struct VaultTests {
  /// Reads a note of a vault with these files.
  private func reading(_ note: String, _ text: String, among files: [String], photos: [String] = []) -> Robot {
    let robot = Robot(notes: files)
    if !photos.isEmpty { robot.happen(.photos(.listed(Samples.table(photos, folder: "photos")))) }
    robot.happen(.asked(Samples.path(note)))
    robot.happen(.opened(Samples.note(note, text), .read))
    robot.take()
    return robot
  }

  /// The notes that the links of a note lead to, from the first to the last; pictures and others are empty.
  private func targets(_ note: String, _ text: String, among files: [String]) -> [String] {
    let robot = reading(note, text, among: files)
    var targets: [String] = []
    while true {
      robot.press("Tab")
      guard robot.notice == nil, targets.count < 20 else { return targets }
      let copy = Robot(copyOf: robot)
      copy.press("Enter")
      let opened = copy.take().first { $0.hasPrefix("run open ") } ?? ""
      targets.append(opened.replacing("run open ", with: "").replacing(" to read [notes.open]", with: ""))
    }
  }

  private func scope(_ photosFolder: String = "photos") -> NoteScope {
    NoteScope(photosFolder: Samples.path(photosFolder), hasFolders: true)
  }

  /// The files of a vault that are notes.
  private func notes(_ files: String...) -> [String] { files.filter { scope().isNote(Samples.path($0)) } }

  // MARK: Obsidian

  private static let obsidian = [
    "Home.md", "daily/2026-11-29.md", "trips/Oslo.md", "trips/2026/Bergen harbour.md", "trips/2026/Plan.md",
    "work/Plan.md",
  ]

  @Test func `Obsidian's notes are listed without its settings, canvases and attachments`() {
    #expect(
      notes(
        ".obsidian/app.json", ".obsidian/plugins/x/README.md", ".trash/Old.md", "Home.md", "trips/Oslo.md",
        "trips/map.canvas", "attachments/pier.png", "trips/base.base")
        == ["Home.md", "trips/Oslo.md"])
  }

  @Test func `Obsidian's links lead to the note of the shortest path`() {
    let text = """
      [[Oslo]] [[trips/Oslo|there]] [[Bergen harbour#Low tide]] [[daily/2026-11-29]] ![[Oslo]]

      [Bergen](trips/2026/Bergen%20harbour.md) [Bergen](<trips/2026/Bergen harbour.md>) [[work/Plan]]
      """
    #expect(
      targets("Home.md", text, among: Self.obsidian) == [
        "trips/Oslo.md", "trips/Oslo.md", "trips/2026/Bergen harbour.md", "daily/2026-11-29.md", "trips/Oslo.md",
        "trips/2026/Bergen harbour.md", "trips/2026/Bergen harbour.md", "work/Plan.md",
      ])
    #expect(targets("trips/2026/Bergen harbour.md", "[[Plan]]", among: Self.obsidian) == ["trips/2026/Plan.md"])
  }

  @Test func `Obsidian's own marks are shown as it shows them`() {
    let robot = reading(
      "Home.md",
      """
      ---
      tags: [trip]
      ---
      > [!warning]- Mind the *step*
      > It is wet.

      A ==bright== word,%% hidden %% a formula $a_1 * b_1$ and a note[^1]. ^block-1

      [^1]: The first footnote.
      """, among: Self.obsidian)
    for shown in [
      "┃ Warning: Mind the step", "┃ It is wet.", "A bright word", "$a_1 * b_1$", "note[1]", "[1] The first",
    ] {
      #expect(robot.screen.contains(shown), "\(shown)")
    }
    for hidden in ["[!warning]", "==", "hidden", "^block-1", "[^1]"] {
      #expect(!robot.screen.contains(hidden), "\(hidden)")
    }
  }

  @Test(arguments: [
    ("![[pier.png]]", "pier.png"), ("![[pier.png|300]]", "pier.png"),
    ("![a](attachments/pier.png)", "trips/attachments/pier.png"),
    ("![[roof.jpg]]", "photos/oslo/roof.jpg"), ("![a](../files/a%20b.png)", "files/a b.png"),
  ])
  func `a picture is found where it lies`(text: String, path: String) {
    let robot = reading(
      "trips/Oslo.md", "\(text)\n", among: Self.obsidian + ["pier.png"], photos: ["oslo/roof.jpg"])
    robot.press("j")
    robot.press("Tab", "Enter")
    #expect(robot.take().contains { $0.contains("view \(path)") })
  }

  @Test(arguments: [
    ("![[harbour map.png]]", "attachments/harbour map.png"), ("![[harbour%20map.png]]", "attachments/harbour map.png"),
    ("![[twice.png]]", "trips/files/twice.png"), ("![a](pier.jpg)", "work/img/pier.jpg"),
    ("![[roof.jpg]]", "photos/oslo/roof.jpg"),
  ])
  func `a picture of an attachments folder is found by its name alone`(text: String, path: String) {
    let robot = reading("trips/Oslo.md", "\(text)\n", among: Self.obsidian, photos: ["oslo/roof.jpg"])
    robot.happen(.listed(Self.vaultTable))
    robot.press("j")
    robot.press("Tab", "Enter")
    let asked = robot.take()
    #expect(asked.contains { $0.contains("view \(path)") }, "\(asked)")
  }

  @Test func `pictures of all folders complete, and a folder with other files alone is not called empty`() {
    let robot = Robot(notes: Self.obsidian)
    robot.happen(.listed(Self.vaultTable))
    #expect(robot.screen.contains("4 other files"))
    robot.press("n")
    robot.type("x")
    robot.press("Tab")
    robot.type("![[harb")
    robot.press("Tab")
    #expect(robot.text == "![[harbour map.png]]")
  }

  private static var vaultTable: EntryTable {
    var builder = EntryTable.Builder(folder: .root)
    builder.add(obsidian.map { Samples.entry($0) })
    let pictures = [
      "attachments/harbour map.png", "attachments/twice.png", "attachments/roof.jpg", "trips/files/twice.png",
      "work/img/pier.jpg",
    ]
    builder.add(
      folders: [Samples.path("attachments")], others: [Samples.path("attachments"): 4],
      pictures: pictures.map { Samples.path($0) })
    return builder.finish()
  }

  // MARK: nb

  @Test func `nb's notes and folders are listed without its index, and its links have names of files`() {
    #expect(
      notes(
        ".index", ".nb/x", ".git/config", "trips/.index", "20261129101112.md", "trips/oslo.md", "todo.todo.md",
        "a.bookmark.md")
        == ["20261129101112.md", "trips/oslo.md", "todo.todo.md", "a.bookmark.md"])
    let files = ["20261129101112.md", "trips/oslo.md", "a.bookmark.md"]
    #expect(
      targets(
        "a.bookmark.md", "# A page\n\n<https://club.example>\n\n[[trips/oslo.md]] [[20261129101112.md]]", among: files)
        == ["", "trips/oslo.md", "20261129101112.md"])
  }

  // MARK: zk

  @Test func `zk's notes are listed without its folder, and links have paths with or without the ending`() {
    #expect(notes(".zk/config.toml", ".zk/notebook.db", ".zk/templates/default.md", "k8x2-oslo.md") == ["k8x2-oslo.md"])
    let files = ["k8x2-oslo.md", "journal/daily/2026-11-29.md", "a1b2-harbour.md"]
    #expect(
      targets(
        "journal/daily/2026-11-29.md", "[Oslo](../../k8x2-oslo) [[a1b2-harbour]] [[k8x2-oslo | Oslo]]", among: files)
        == ["k8x2-oslo.md", "a1b2-harbour.md", "k8x2-oslo.md"])
  }

  // MARK: Joplin

  @Test func `Joplin's export for people has paths, and its raw export has identities`() {
    let id = "0123456789abcdef0123456789abcdef"
    #expect(
      notes("Trips/Oslo.md", "_resources/pier.png", "Trips/Bergen & more.md") == [
        "Trips/Oslo.md", "Trips/Bergen & more.md",
      ])
    let files = ["Trips/Oslo.md", "Trips/Bergen & more.md", "\(id).md"]
    #expect(
      targets("Trips/Oslo.md", "[Bergen](Bergen%20&%20more.md) [x](:/\(id)) [y](:/\(id)#part)", among: files)
        == ["Trips/Bergen & more.md", "\(id).md", "\(id).md"])
    let robot = reading("Trips/Oslo.md", "[x](:/\(id))\n", among: ["Trips/Oslo.md"])
    robot.press("Tab", "Enter")
    #expect(robot.question?.contains("The club has no note \"\(id)\"") == true)
    let picture = reading("Trips/Oslo.md", "![](../_resources/pier.png)\n", among: files)
    picture.press("Tab", "Enter")
    #expect(picture.take().contains { $0.contains("view _resources/pier.png") })
  }

  @Test(arguments: [":/", ":/0123", ":/0123456789abcdef0123456789abcdeg", ":/0123456789abcdef0123456789abcdef/../x"])
  func `an address that only looks like Joplin's opens nothing`(address: String) {
    let robot = reading("a.md", "[x](\(address))\n", among: ["a.md"])
    robot.press("Tab", "Enter")
    #expect(robot.question == nil && !robot.take().contains { $0.hasPrefix("run open") })
  }

  // MARK: Nextcloud

  @Test func `Nextcloud's categories are folders, and its attachments are hidden`() {
    #expect(
      notes(
        "Trips/Oslo.md", "Trips/2026/Plan.txt", "Welcome.md", "Trips/.attachments.42/pier.png",
        "Trips/.attachments.42/a.md")
        == ["Trips/Oslo.md", "Trips/2026/Plan.txt", "Welcome.md"])
    let files = ["Trips/Oslo.md", "Trips/2026/Plan.txt", "Welcome.md"]
    #expect(
      targets("Welcome.md", "- [ ] a\n- [x] b\n\n[Oslo](Trips/Oslo.md) [Plan](Trips/2026/Plan.txt)", among: files)
        .suffix(2) == ["Trips/Oslo.md", "Trips/2026/Plan.txt"])
    let picture = reading("Trips/Oslo.md", "![](.attachments.42/pier.png)\n", among: files)
    picture.press("Tab", "Enter")
    #expect(picture.take().contains { $0.contains("view Trips/.attachments.42/pier.png") })
  }
}
