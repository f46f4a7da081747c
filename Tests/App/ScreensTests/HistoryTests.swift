import ClubServices
import FileStores
import Merge
import Testing
import TextUI

@testable import Screens

@Suite struct HistoryTests {
  private let path = Samples.path("a.md")

  private func told() -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("H")
    robot.happen(.historyListed(path, Samples.versions("a.md")))
    robot.take()
    return robot
  }

  private func version(_ robot: Robot) {
    robot.press("Down", "Enter")
    let entry = Samples.entry("a.md", revision: "r2")
    robot.happen(.versionRead(OpenNote(entry: entry, bytes: Array("old text".utf8), draft: nil)))
  }

  @Test func `H asks the store, and says so until it answers`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("H")
    #expect(robot.take() == ["run history of a.md [notes.history]"])
    #expect(robot.view == "history" && robot.screen.contains("Loading."))
  }

  @Test func `versions are listed newest first, with age, time, size and member; the first is the current one`() {
    let robot = told()
    let rows = (2...5).map { robot.grid.text(ofRow: $0).split(separator: " ").joined(separator: " ") }
    #expect(rows[0] == "Age Time By Size")
    #expect(rows[1] == "> current 2026-11-18 10:56 2.0 KiB")
    #expect(rows[2] == "2 d 2026-11-16 11:06 ann 1.9 KiB")
    #expect(rows[3] == "5 w 2026-10-09 11:06 12 B")
  }

  @Test func `beside a wide history stands what the version changed, asked for once, with the words in its row`() {
    let robot = Robot(notes: ["a.md"], size: Size(120, 40))
    robot.press("H")
    let versions = Samples.versions("a.md")
    robot.take()
    robot.happen(.historyListed(path, versions))
    #expect(robot.take() == ["run look at a.md from r2 to r3 [notes.look]"])
    #expect(robot.screen.contains("Loading."))
    let read = NoteDifference(
      path, version: versions[0], before: versions[1],
      diff: TextDiff(from: Array("one two\nsame\n".utf8), to: Array("one three four\nsame\n".utf8)))
    robot.happen(.versionSeen(SeenVersion(read)))
    #expect(robot.screen.contains("+2 -1") && robot.screen.contains("+ one three four"))
    robot.press("Down")
    #expect(robot.take() == ["run look at a.md from r1 to r2 [notes.look]"])
    #expect(robot.screen.contains("+2 -1") && !robot.screen.contains("one three four"))
    robot.happen(.failed(.lookAtVersion(path, versions[1], before: versions[2]), StoreError(.server, "It broke.")))
    #expect(robot.screen.contains("byteclub could not read this version. It broke.") && robot.notice == nil)
    // A narrow screen has no room, and asks for nothing.
    robot.resize(80, 24)
    robot.press("Up")
    #expect(!robot.take().contains { $0.contains("look at") } && !robot.screen.contains("Words"))
  }

  @Test func `the times of versions are those of the member's clock, at each version's offset`() {
    let robot = Robot(notes: ["a.md"], size: Size(40, 12))
    robot.press("H")
    robot.happen(.historyListed(path, Samples.versions("a.md"), offsets: [3600, 3600, 7200]))
    let rows = (3...5).map { robot.grid.text(ofRow: $0).split(separator: " ").joined(separator: " ") }
    #expect(rows[0] == "> current 2026-11-18 11:56 2.0 KiB")
    #expect(rows[1] == "2 d 2026-11-16 12:06 1.9 KiB")
    #expect(rows[2] == "5 w 2026-10-09 13:06 12 B")
  }

  @Test func `an old version has its time in place of an age, and one without a time says so`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("H")
    let old = Samples.entry("a.md", ago: 86_400 * 100, revision: "r1")
    let timeless = FileEntry(path: path, kind: .file, size: 1, revision: Revision("r0"))
    robot.happen(.historyListed(path, [old, timeless]))
    let rows = (3...4).map { robot.grid.text(ofRow: $0).split(separator: " ").joined(separator: " ") }
    #expect(rows == ["> current 2026-08-10 11:06 1.2 KiB", "unknown 1 B"])
  }

  @Test func `Enter reads a version, which cannot be changed`() {
    let robot = told()
    robot.press("Down", "Enter")
    #expect(robot.take() == ["run version r2 of a.md [notes.history]"])
    robot.happen(.versionRead(OpenNote(entry: Samples.entry("a.md", revision: "r2"), bytes: [65], draft: nil)))
    #expect(robot.view == "version" && robot.screen.contains("read-only"))
    robot.press("i")
    #expect(robot.view == "version" && robot.take().isEmpty)
    #expect(robot.notice?.contains("R restores it") == true)
    robot.press("Esc")
    #expect(robot.view == "history")
  }

  @Test(arguments: [true, false]) func `R asks, and restores over what was seen`(fromReading: Bool) {
    let robot = told()
    if fromReading { version(robot) } else { robot.press("Down") }
    robot.take()
    robot.press("R")
    #expect(robot.question?.hasPrefix("Restore \"a.md\" as it was ") == true)
    robot.press("n")
    #expect(robot.take().isEmpty)
    robot.press("R", "y")
    #expect(robot.take() == ["run restore r2 of a.md over r3"])
    robot.happen(.restoredVersion(Samples.entry("a.md", revision: "r4")))
    #expect(robot.view.isEmpty && robot.chosen == "a.md")
    #expect(robot.notice == "Restored \"a.md\". The previous text is in the history.")
  }

  @Test func `a restored note that is read is read anew, and is no news`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "new"), .read))
    robot.take()
    robot.happen(.restoredVersion(Samples.entry("a.md", revision: "r4")))
    #expect(robot.take().contains("run open a.md to reread [notes.open]"))
    robot.happen(.opened(Samples.note("a.md", "old", revision: "r4"), .reread))
    #expect(robot.screen.contains("old"))
    #expect(robot.notice == "Restored \"a.md\". The previous text is in the history.")
  }

  @Test func `the newest needs no restoring`() {
    let robot = told()
    robot.press("R")
    #expect(robot.question == nil && robot.take().isEmpty)
    #expect(robot.notice == "This is already the newest version.")
  }

  @Test func `a change by someone else restores nothing, and the history is read anew`() {
    let robot = told()
    version(robot)
    robot.press("R", "y")
    robot.take()
    robot.happen(
      .failed(
        .restoreVersion(path, Revision("r1"), over: nil), StoreError(.conflict, "It is another version.", path: path)))
    #expect(robot.view == "history" && robot.take() == ["run history of a.md [notes.history]"])
    #expect(robot.notice?.contains("Nothing was restored") == true)
    // The selection stays on its version.
    robot.happen(.historyListed(path, [Samples.entry("a.md", ago: 1, revision: "r4")] + Samples.versions("a.md")))
    robot.press("R", "y")
    #expect(robot.take() == ["run restore r2 of a.md over r4"])
  }

  @Test func `a store without history is reported, and the list is there again`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("H")
    robot.happen(.failed(.history(path), StoreError(.unsupported, "The store of \"home\" keeps no versions of notes.")))
    #expect(robot.view.isEmpty)
    #expect(robot.notice?.contains("keeps no versions of notes") == true)
  }

  @Test func `what is reported after the view was closed changes nothing`() {
    let robot = told()
    robot.press("Esc")
    #expect(robot.take() == ["cancel [notes.history]"])
    robot.happen(.historyListed(path, Samples.versions("a.md")))
    robot.happen(.versionRead(OpenNote(entry: Samples.entry("a.md", revision: "r2"), bytes: [65], draft: nil)))
    #expect(robot.view.isEmpty)
  }
}

/// Differences, writers of lines, merges, and the trash.
@Suite struct PastTests {
  private func history(_ size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: ["a.md"], size: size)
    robot.press("H")
    robot.happen(.historyListed(Samples.path("a.md"), Samples.versions("a.md")))
    robot.take()
    return robot
  }

  private func difference(_ place: Int, from old: String, to new: String) -> NotesAction {
    let versions = Samples.versions("a.md")
    return .differenceRead(
      NoteDifference(
        Samples.path("a.md"), version: versions[place], before: versions.dropFirst(place + 1).first,
        diff: TextDiff(from: Array(old.utf8), to: Array(new.utf8))))
  }

  @Test func `d shows the words that a version changed, and the arrows go to older and newer ones`() {
    let robot = history()
    robot.press("j", "d")
    #expect(robot.take() == ["run difference of a.md from r1 to r2 [notes.history]"])
    robot.happen(difference(1, from: "old words\n", to: "new words\n"))
    #expect(robot.view == "difference")
    #expect(robot.screen.contains("- old words") && robot.screen.contains("+ new words"))
    #expect(robot.screen.contains("ann, 2 d ago, compared with the version of 5 w ago"))
    robot.press("Left")
    #expect(robot.take() == ["run difference of a.md from nothing to r1 [notes.history]"])
    robot.happen(difference(2, from: "", to: "old words\n"))
    #expect(robot.screen.contains("5 w ago: the first version"))
    robot.press("Left")
    #expect(robot.notice == "This is the oldest version.")
    robot.press("Right")
    robot.happen(difference(1, from: "old words\n", to: "new words\n"))
    robot.press("R", "y")
    #expect(robot.take().last == "run restore r2 of a.md over r3")
  }

  @Test func `the arrows go through whole versions, too, and d switches`() {
    let robot = history()
    robot.press("Enter")
    let versions = Samples.versions("a.md")
    robot.happen(.versionRead(OpenNote(entry: versions[0], bytes: Array("three".utf8), draft: nil)))
    robot.take()
    robot.press("Left")
    #expect(robot.take() == ["run version r2 of a.md [notes.history]"])
    robot.happen(.versionRead(OpenNote(entry: versions[1], bytes: Array("two".utf8), draft: nil)))
    #expect(robot.view == "version")
    robot.press("d")
    #expect(robot.take() == ["run difference of a.md from r1 to r2 [notes.history]"])
    robot.happen(difference(1, from: "one\n", to: "two\n"))
    robot.press("Esc")
    #expect(robot.view == "history")
  }

  @Test func `b shows who wrote each line, and Enter the change that brought it`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "one\ntwo\n"), .read))
    robot.take()
    robot.press("b")
    #expect(robot.take() == ["run blame of a.md [notes.history]"])
    robot.happen(
      .blamed(
        NoteBlame(
          path: Samples.path("a.md"), lines: ["one", "two"].map { Array($0.utf8) },
          versions: Samples.versions("a.md"), origins: [2, 1], isCut: false)))
    #expect(robot.grid.text(ofRow: 4).contains("ann") && robot.grid.text(ofRow: 4).contains("two"))
    robot.press("j", "Enter")
    #expect(robot.take() == ["run difference of a.md from r1 to r2 [notes.history]"])
  }

  @Test func `C shows the last merge, and z undoes it from its view`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("C")
    #expect(robot.notice == "Nothing was merged since the start.")
    let sides = MergedNote.Sides(
      mine: Array("ONE\n\ntwo\n".utf8), theirs: Array("one\n\nTWO\n".utf8), base: Array("one\n\ntwo\n".utf8),
      baseRevision: Revision("r1"))
    let merged = MergedNote(
      entry: Samples.entry("a.md", revision: "r3"), text: Array("ONE\n\nTWO\n".utf8), writer: .member("ann"),
      needsLook: false,
      sides: sides)
    robot.happen(.saved(Samples.path("a.md"), .merged(merged), session: nil))
    #expect(robot.notice == "Merged your text of \"a.md\" with ann's change. C shows it, z undoes it.")
    robot.press("C")
    #expect(robot.view == "difference" && robot.screen.contains("+ TWO"))
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run undo the merge of a.md"])
    let conflict = Samples.conflict("a.md", mine: "ONE\n\ntwo\n", theirs: "one\n\nTWO\n", base: "one\n\ntwo\n")
    robot.happen(.mergeUndone(merged, conflict))
    #expect(robot.view == "conflict" && robot.screen.contains("all chosen"))
    #expect(
      robot.notice
        == "Undid the merge: \"a.md\" has ann's text again. Yours is safe: choose part by part.")
  }

  @Test(arguments: [
    (NoteWriter.own(isHere: true), "your change in another window"), (.unknown, "another change"),
  ])
  func `a merge with a text of the member's own says where that came from`(writer: NoteWriter, words: String) {
    let merged = MergedNote(
      entry: Samples.entry("a.md", revision: "r3"), text: [], writer: writer, needsLook: false,
      sides: MergedNote.Sides(mine: [], theirs: [], base: [], baseRevision: Revision("r1")))
    #expect(merged.sentence == "Merged your text of \"a.md\" with \(words).")
  }

  @Test func `the trash lists what was removed, and restores the marked files together`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("T")
    #expect(robot.take() == ["run look into the trash [notes.trash]"])
    robot.happen(.trashListed([Samples.trashed("b.md"), Samples.trashed("photos/c.jpg", id: "t2")]))
    #expect(robot.view == "trash" && robot.screen.contains("photos/c.jpg"))
    robot.press("Space", "Space", "Enter")
    #expect(robot.take() == ["run restore t1 t2 from the trash"])
    robot.happen(.restoredFromTrash([Samples.entry("b.md"), Samples.entry("photos/c.jpg")], failed: []))
    #expect(robot.notice == "Restored 2 files.")
    #expect(robot.rows == ["a.md", "b.md"])
    robot.happen(.trashListed([]))
    #expect(robot.screen.contains("The trash is empty."))
    robot.press("q")
    #expect(robot.view.isEmpty)
  }

  @Test func `beside a wide trash stands the text of the chosen file, asked for once, and of a photo that it is one`() {
    let robot = Robot(notes: ["a.md"], size: Size(120, 40))
    robot.press("T")
    robot.take()
    let files = [
      Samples.trashed("b.md"), Samples.trashed("c.md", id: "t2"), Samples.trashed("photos/d.JPG", id: "t3"),
    ]
    robot.happen(.trashListed(files))
    #expect(robot.take() == ["run look at t1 in the trash [notes.look]"])
    #expect(robot.screen.contains("Loading."))
    robot.happen(.trashedRead("t2", FileBeginning(of: "of another".utf8, limit: 99)))
    robot.happen(.failed(.lookAtTrashed(files[0]), .cancelled("It")))
    #expect(robot.screen.contains("Loading."))
    robot.happen(.trashedRead("t1", FileBeginning(of: "the old text".utf8, limit: 99)))
    #expect(robot.screen.contains("the old text"))
    robot.happen(.trashListed(files))
    #expect(robot.take().isEmpty && robot.screen.contains("the old text"))
    robot.press("Down")
    #expect(robot.take() == ["run look at t2 in the trash [notes.look]"])
    #expect(!robot.screen.contains("the old text"))
    robot.happen(.failed(.lookAtTrashed(files[1]), StoreError(.unsupported, "It has none.")))
    #expect(robot.screen.contains("could not read this file. It has none.") && robot.notice == nil)
    robot.press("Down")
    #expect(robot.take().isEmpty && robot.screen.contains("A photo."))
    robot.press("Up", "q")
    #expect(robot.take() == ["cancel [notes.trash]", "cancel [notes.look]"])
  }

  @Test func `the bytes of a file in the trash cannot forge a screen, and a narrow screen asks for none`() {
    let robot = Robot(notes: ["a.md"], size: Size(99, 30))
    robot.press("T")
    robot.take()
    robot.happen(.trashListed([Samples.trashed("b\u{1B}[31m.md")]))
    #expect(robot.take().isEmpty)
    robot.resize(100, 30)
    #expect(robot.take().contains("run look at t1 in the trash [notes.look]"))
    let hostile = Array("x\u{1B}]0;y\u{7}".utf8) + [0xFF, 0xC3]
    robot.happen(.trashedRead("t1", FileBeginning(of: hostile, limit: 99)))
    #expect(!robot.screen.contains("\u{1B}") && !robot.screen.contains("\u{7}"))
    robot.happen(.trashedRead("t1", FileBeginning(of: [0x89, 0, 1], limit: 99)))
    #expect(robot.screen.contains("This file is not text."))
  }
}
