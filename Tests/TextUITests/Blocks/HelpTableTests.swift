import Testing
import TextUI

@Suite struct HelpTableTests {
  private static let table = HelpTable([
    .init("Everywhere", [.init("?", "help"), .init("Ctrl-L", "draw everything again"), .init("q", "close or quit")]),
    .init("Notes", [.init("n", "new note"), .init("R", "rename")]),
  ])

  @Test func `sections stand side by side when there is room`() {
    #expect(
      drawn(70, 5) { Self.table.draw(on: &$0) }.text == """
         Everywhere                      Notes
         ?       help                    n       new note
         Ctrl-L  draw everything again   R       rename
         q       close or quit

        """)
  }

  @Test func `sections stand below each other otherwise, and descriptions are wrapped`() {
    #expect(
      drawn(26, 9) { Self.table.draw(on: &$0) }.text == """
         Everywhere
         ?       help
         Ctrl-L  draw everything
                 again
         q       close or quit

         Notes
         n       new note
         R       rename
        """)
  }

  @Test func `a low screen scrolls to the end and no further`() {
    var table = Self.table
    table.resize(Size(40, 3))
    for key in keys("<End><Down>jG") { #expect(table.handle(key) == true) }
    #expect(drawn(40, 3) { table.draw(on: &$0) }.text == " n       new note\n R       rename\n")
    for key in keys("kk<PgUp>g") { #expect(table.handle(key) == true) }
    #expect(drawn(40, 1) { table.draw(on: &$0) }.text == " Everywhere")
    #expect(table.handle(Key(.escape)) == false)
  }

  @Test func `an empty table draws nothing`() { #expect(drawn(9, 2) { HelpTable([]).draw(on: &$0) }.text == "\n") }

  @Test(arguments: [
    (Key(.character("s"), .control), "Ctrl-S"), (Key(.character("b"), .alt), "Alt-B"), (Key(.character("D")), "D"),
    (Key(.character(" ")), "Space"),
    (Key(.backTab), "Shift-Tab"), (Key(.function(1)), "F1"), (Key(.pageUp), "PgUp"),
    (Key(.character("_"), [.control, .alt]), "Ctrl-Alt-_"),
  ])
  func `keys have names`(key: Key, name: String) { #expect(key.name == name) }
}
