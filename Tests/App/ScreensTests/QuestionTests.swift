import ClubServices
import Testing
import TextUI

@testable import Screens

@Suite struct QuestionTests {
  @Test(arguments: [
    ("short.md", 20, "short.md"), ("a long name.md", 14, "a long name.md"), ("a long name.md", 9, "a lo~e.md"),
    ("a long name.md", 1, "~"), ("漢字漢字漢字.md", 9, "漢字~.md"), ("漢字漢字漢字", 2, "~"), ("", 5, ""),
  ])
  func `a name is shortened in its middle`(name: String, columns: Int, short: String) {
    #expect(ShortName.of(name, columns: columns) == short)
  }

  @Test func `a shortened name is never wider than its room, whatever is in it`() {
    let name = "family 👩‍👩‍👧 cafe\u{301} 漢字 esc \u{1B}[31m two\nlines.md"
    for columns in 1...60 {
      #expect(GlyphReader.columns(of: ShortName.of(name, columns: columns)) <= columns)
    }
  }

  @Test func `a long question without a name wraps at its words`() {
    let robot = Robot(photos: ["a.jpg"], size: Size(40, 12))
    let paths = [Samples.path("photos/a.jpg"), Samples.path("photos/b.jpg")]
    robot.happen(photos: .clubHas(["~/a.jpg", "~/b.jpg"], paths))
    #expect(robot.grid.text(ofRow: 9) == " The club already has 2 of these")
    #expect(robot.grid.text(ofRow: 10) == " pictures. Upload them again?")
    #expect(robot.footer.hasPrefix(" y upload again"))
  }

  @Test func `each question about a long name ends with its mark, and its answers are there`() {
    let name = "a name that is much too long for a narrow terminal.md"
    let trash = Robot(notes: [name], size: Size(40, 12))
    trash.press("D")
    let drop = Robot(notes: [name], size: Size(40, 12))
    drop.press("Enter")
    drop.happen(.opened(Samples.note(name, "text"), .read))
    drop.press("i")
    drop.type("x")
    drop.press("Esc")
    let theirs = Robot(notes: [name], size: Size(40, 12))
    theirs.happen(.saved(Samples.path(name), .conflict(Samples.conflict(name, theirs: nil)), session: nil))
    theirs.press("t")
    let draft = Robot(notes: [name], size: Size(40, 12))
    draft.happen(.foundWaiting([Samples.waiting(name)]))
    draft.press("x")
    #expect(drop.question == "Discard the text? Kept for a week.")
    for robot in [trash, theirs, draft] {
      #expect(robot.grid.text(ofRow: 10).hasSuffix("?") && robot.grid.text(ofRow: 10).contains("~"))
      #expect(robot.footer.hasPrefix(" y ") && robot.footer.contains("n "))
    }
  }
}
