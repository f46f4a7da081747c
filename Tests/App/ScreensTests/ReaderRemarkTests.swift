import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// Remarks in the note that is read, and the choice of words for a new one.
@Suite struct ReaderRemarkTests {
  private static let text = """
    # Walk

    At low tide we go *over the sand* to the pier.

    Back by the road.

    """

  private static func item(_ id: String, _ aim: TalkItem.Aim, _ text: String, by member: String = "ann") -> String {
    TalkItem(member: member, time: Timestamp(seconds: Samples.now), id: id, aim: aim, text: text).markdown
  }

  private func robot(
    _ items: [String] = [], name: String = "walk.md", text: String = Self.text, size: Size = Size(80, 24)
  ) -> Robot {
    let robot = Robot(notes: [name], size: size)
    robot.press("Enter")
    var note = Samples.note(name, text)
    note.remarks = PlacedTalk(Talk(Array(items.joined().utf8)), in: note.bytes)
    robot.happen(.opened(note, .read))
    robot.take()
    return robot
  }

  private func rows(_ robot: Robot) -> [String] {
    robot.screen.split(separator: "\n").map { $0.trimmingSpaces }.filter { !$0.isEmpty }
  }

  @Test func `remarks are behind the words that they quote, lost ones at the top, and others below`() throws {
    let robot = robot([
      Self.item("aaaaaaa1", .whole, "Nice."), Self.item("aaaaaaa2", .words("over the sand"), "Shoes off."),
      Self.item("aaaaaaa3", .reply(to: "aaaaaaa2"), "Always.", by: "ray"),
      Self.item("aaaaaaa4", .words("by the bridge"), "Which one?"),
      Self.item("aaaaaaa5", .withdrawal(of: "aaaaaaa1"), ""),
      Self.item("aaaaaaa6", .direction(yaw: 1, pitch: 2), "Odd."),
    ])
    let rows = rows(robot)
    func row(_ words: String) throws -> Int {
      try #require(rows.firstIndex { $0.contains(words) }, "\(words) in \(rows)")
    }
    let lost = try row("ann on \"by the bridge\", which the note no longer has: Which one?")
    let (heading, tide, quoted) = (try row("Walk"), try row("At low tide"), try row("ann: Shoes off."))
    let (answer, road, below) = (try row("ray: Always."), try row("Back by the road."), try row("Remarks"))
    #expect(lost < heading)
    #expect(tide + 1 == quoted && quoted + 1 == answer && answer < road && road < below)
    #expect(try below + 1 == row("ann: Odd."))
    #expect(!robot.screen.contains("Nice."))
  }

  @Test func `the raw text stays as it is`() {
    let robot = robot([Self.item("aaaaaaa1", .whole, "Nice.")])
    #expect(robot.screen.contains("ann: Nice."))
    robot.press("m")
    #expect(robot.state.notes.reader?.page == nil && !robot.screen.contains("ann: Nice."))
    robot.press("m")
    #expect(robot.screen.contains("ann: Nice."))
  }

  @Test func `remarks on a note that is gone say how another note gets them`() {
    let robot = robot(name: "gone.md.talk.md", text: "# Remarks on gone.md\n\n" + Self.item("aaaaaaa1", .whole, "x"))
    #expect(robot.notice?.hasPrefix("These are remarks on \"gone.md\", which is gone.") == true)
  }

  @Test func `a long remark goes on among all remarks`() {
    let robot = robot([Self.item("aaaaaaa1", .whole, String(repeating: "word ", count: 400) + "finis")])
    #expect(robot.screen.contains("(goes on)") && !robot.screen.contains("finis"))
  }

  @Test func `control characters of a remark do not reach the terminal`() {
    let robot = robot([Self.item("aaaaaaa1", .whole, "a\u{1B}[2Jb")])
    #expect(!robot.screen.unicodeScalars.contains("\u{1B}"))
  }

  @Test func `@ chooses a line, which Enter quotes in a new remark`() {
    let robot = robot()
    robot.press("@", "Down", "Enter")
    #expect(
      robot.state.talk?.typing?.aim == .words("At low tide we go *over the sand* to the pier."),
      "\(String(describing: robot.state.talk?.typing))")
    robot.type("Shoes off.")
    robot.press("Enter")
    #expect(
      robot.takeRuns().last
        == #"run say "Shoes off." words("At low tide we go *over the sand* to the pier.") on walk.md"#)
    robot.press("Esc")
  }

  @Test(
    "Shift marks words from the one at the cursor",
    arguments: [
      (["Shift-Right"], "At"), (["Shift-Right", "Shift-Right", "Shift-Right"], "At low tide"),
      (["Right", "Right", "Shift-Left", "Shift-Left"], "low tide"), (["Shift-Right", "Shift-Right", "Right"], ""),
      (["Shift-Down"], "At low tide we go *over the sand* to the pier. Back"),
    ])
  func wordsAreMarked(_ keys: [String], _ words: String) {
    let robot = robot()
    robot.press("@", "Down")
    for key in keys { robot.press(key) }
    let line = "At low tide we go *over the sand* to the pier."
    #expect(robot.state.notes.reader?.quotedText == (words.isEmpty ? line : words))
    robot.press("Enter")
    #expect(robot.state.talk?.typing?.aim == .words(words.isEmpty ? line : words))
  }

  @Test(arguments: [true, false])
  func `the choice of words outlives another member's save where the words are the same`(isSame: Bool) {
    let robot = robot()
    robot.press("@", "Down", "Shift-Right", "Shift-Right", "Shift-Right")
    let text = isSame ? Self.text + "More.\n" : "Ha! " + Self.text
    robot.happen(.opened(Samples.note("walk.md", text, revision: "r2"), .reread))
    #expect((robot.state.notes.reader?.quote != nil) == isSame)
    robot.press("Enter")
    #expect(robot.state.talk?.typing?.aim == (isSame ? .words("At low tide") : nil))
  }

  @Test func `a name that another member brought says so once it is compared`() {
    let item = Self.item("aaaaaaa1", .whole, "Nice.")
    let robot = robot([item])
    #expect(robot.screen.contains("ann: Nice."))
    let note = Samples.note("walk.md", Self.text)
    let line = item.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
    let talk = PlacedTalk(Talk(Array(item.utf8), authors: [line: ["eve"]]), in: note.bytes)
    robot.happen(.remarksCompared(Samples.note("walk.md", Self.text, revision: "other").entry, talk))
    #expect(robot.screen.contains("ann: Nice."))
    robot.happen(.remarksCompared(note.entry, talk))
    #expect(robot.screen.contains("ann? brought by eve: Nice."))
  }

  @Test(arguments: [Size(80, 24), Size(40, 12)])
  func `below the remarks is the reason why names are not compared, in the reader and among all remarks`(size: Size) {
    let failure = StoreError(.offline, "The server does not answer.")
    let item = Self.item("aaaaaaa1", .words("over the sand"), "Nice.")
    let robot = robot([item], size: size)
    #expect(!robot.screen.contains("not compared"))
    let note = Samples.note("walk.md", Self.text)
    let talk = Talk(Array(item.utf8), failure: failure)
    func says() -> Bool {
      let words = (0..<size.height).map { robot.grid.text(ofRow: $0).split(separator: " ").joined(separator: " ") }
      return words.joined(separator: " ").contains("Names are not compared: The server does not answer.")
    }
    robot.happen(.remarksCompared(note.entry, PlacedTalk(talk, in: note.bytes)))
    robot.press("End")
    #expect(says(), "\(robot.screen)")
    robot.press("@", "@")
    robot.happen(.talk(.loaded(Samples.path("walk.md"), talk)))
    #expect(says() && robot.screen.contains("ann"), "\(robot.screen)")
  }

  @Test func `the cursor goes on beyond the screen, and stops at both ends`() {
    let text = (0..<60).map { "line \($0)\n\n" }.joined()
    for name in ["walk.md", "walk.txt"] {
      let robot = robot(name: name, text: text)
      robot.press("@", "Up")
      #expect(robot.state.notes.reader?.quotedText == "line 0")
      for _ in 0..<120 { robot.press("Down") }
      #expect(robot.state.notes.reader?.quotedText == "line 59", "\(name)")
      #expect(robot.screen.contains("line 59"))
      for _ in 0..<120 { robot.press("Up") }
      #expect(robot.state.notes.reader?.quotedText == "line 0", "\(name)")
    }
  }

  @Test func `Esc ends the choice, and @ again is about the whole note`() {
    let robot = robot()
    robot.press("@")
    for words in ["Arrows move", "Shift mark words", "Enter write", "@ all remarks", "Esc end"] {
      #expect(robot.footer.contains(words), "\(robot.footer)")
    }
    robot.press("Esc")
    #expect(robot.view == "reader" && robot.state.notes.reader?.quote == nil)
    #expect(!robot.footer.contains("Shift mark words"))
    robot.press("@", "@")
    #expect(robot.state.talk?.place == .whole && robot.state.notes.reader?.quote == nil)
    #expect(robot.state.talk?.typing == nil)
  }

  @Test func `a note without words, and one for a reader, show the remarks at once`() {
    let empty = robot(text: "---\n")
    empty.press("@")
    #expect(empty.state.talk?.place == .whole)
    let reading = robot()
    reading.happen(.readerKnown(true))
    reading.press("@")
    #expect(reading.state.talk?.place == .whole)
  }

  @Test func `closing the remarks reads the note again, which then shows them`() {
    let robot = robot()
    robot.press("@", "@")
    robot.happen(.talk(.loaded(Samples.path("walk.md"), .none)))
    robot.take()
    robot.press("Esc")
    #expect(robot.take().contains("run open walk.md to reread [notes.open]"))
    var note = Samples.note("walk.md", Self.text)
    note.remarks = PlacedTalk(Talk(Array(Self.item("aaaaaaa1", .whole, "Nice.").utf8)), in: note.bytes)
    robot.happen(.opened(note, .reread))
    #expect(robot.screen.contains("ann: Nice.") && robot.screen.contains("1 remark "))
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
