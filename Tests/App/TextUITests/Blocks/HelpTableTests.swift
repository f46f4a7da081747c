import Testing
import TextUI

@Suite struct HelpTableTests {
  private static let table = HelpTable([
    .init(
      "Everywhere",
      [
        .init("?", "help", id: "help"), .init("Ctrl-L", "draw everything again", id: "redraw"),
        .init("q", "close or quit", id: "quit"),
      ]),
    .init("Notes", [.init("n", "new note", id: "new"), .init("R", "rename", id: "rename")]),
  ])

  private static func rows(_ table: HelpTable, _ width: Int, _ height: Int) -> [String] {
    let grid = drawn(width, height) { table.draw(on: &$0) }
    return (2..<height).map { grid.text(ofRow: $0) }
  }

  @Test func `sections stand side by side when there is room, below the field`() {
    #expect(
      drawn(70, 7) { Self.table.draw(on: &$0) }.text == """
         Keys: Type to find a key or an action.

         Everywhere                      Notes
        >?       help                    n       new note
         Ctrl-L  draw everything again   R       rename
         q       close or quit

        """)
  }

  @Test func `sections stand below each other otherwise, and descriptions are wrapped`() {
    #expect(
      Self.rows(Self.table, 26, 11) == [
        " Everywhere", ">?       help", " Ctrl-L  draw everything", "         again", " q       close or quit", "",
        " Notes", " n       new note", " R       rename",
      ])
  }

  @Test func `a low screen follows the selection, to the end and no further`() {
    var table = Self.table
    table.resize(Size(40, 5))
    for key in keys("<End><Down><Down>") { #expect(table.handle(key) == .stays) }
    #expect(Self.rows(table, 40, 5).contains(">R       rename"))
    for key in keys("<Home><Up>") { #expect(table.handle(key) == .stays) }
    #expect(Self.rows(table, 40, 5)[0] == " Everywhere")
    #expect(table.handle(Key(.escape)) == .closes)
  }

  @Test func `typed words filter by key, action and place, and Enter chooses`() {
    var table = Self.table
    for key in keys("note ren") { #expect(table.handle(key) == .stays) }
    #expect(Self.rows(table, 40, 6) == [" Notes", ">R       rename", "", ""])
    #expect(table.handle(Key(.enter)) == .chose("rename"))
    #expect(table.handle(Key(.escape)) == .stays)
    #expect(Self.rows(table, 40, 6)[0] == " Everywhere")
    for key in keys("<Down>") { _ = table.handle(key) }
    #expect(table.handle(Key(.enter)) == .chose("redraw"))
    for key in keys("zzz") { _ = table.handle(key) }
    #expect(Self.rows(table, 40, 4)[0] == " No key and no action has these words.")
    #expect(table.handle(Key(.enter)) == .stays)
  }

  @Test func `the key of the help closes it while nothing is typed`() {
    var table = Self.table
    #expect(table.handle(Key(.character("?"))) == .closes)
    #expect(table.handle(Key(.function(1))) == .closes)
    _ = table.handle(Key(.character("h")))
    #expect(table.handle(Key(.character("?"))) == .stays)
  }

  @Test func `an empty table has its field alone`() {
    #expect(Self.rows(HelpTable([]), 50, 3) == [" No key and no action has these words."])
  }

  @Test(arguments: [
    (Key(.character("s"), .control), "Ctrl-S"), (Key(.character("b"), .alt), "Alt-B"), (Key(.character("D")), "D"),
    (Key(.character(" ")), "Space"),
    (Key(.backTab), "Shift-Tab"), (Key(.function(1)), "F1"), (Key(.pageUp), "PgUp"),
    (Key(.character("_"), [.control, .alt]), "Ctrl-Alt-_"),
  ])
  func `keys have names`(key: Key, name: String) { #expect(key.name == name) }
}
