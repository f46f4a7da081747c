import Testing
import TextUI

@Suite struct DialogTests {
  private static func dialog() -> Dialog<String> {
    Dialog(
      "Move \"a.md\" to the trash?",
      [
        .init(Key(.character("y")), "Yes", "yes"), .init(Key(.character("n")), "No", "no"),
        .init(Key(.escape), "Cancel", "cancel"),
      ], focus: 1)
  }

  @Test(
    "keys give answers",
    arguments: [
      ("y", "yes"), ("Y", "yes"), ("n", "no"), ("<Esc>", "cancel"), ("<Enter>", "no"), ("<Left><Enter>", "yes"),
      ("<Tab><Enter>", "cancel"), ("<Right><Right><Enter>", "yes"),
    ])
  func answers(typed: String, answer: String) {
    var dialog = Self.dialog()
    #expect(keys(typed).compactMap { dialog.handle($0) } == [answer])
  }

  @Test(arguments: ["x", "<C-y>", "<A-y>", "<Up>", "<BS>"])
  func `other keys give none`(typed: String) {
    var dialog = Self.dialog()
    #expect(keys(typed).compactMap { dialog.handle($0) } == [])
  }

  @Test func `a dialog without choices gives no answer`() {
    var dialog = Dialog<Int>("?", [])
    #expect(keys("<Enter><Tab><Left>y").compactMap { dialog.handle($0) } == [])
  }

  @Test func `the question and its answers are drawn`() {
    let dialog = Self.dialog()
    #expect(dialog.height(for: 40) == 2)
    let grid = drawn(40, 2) { dialog.draw(on: &$0) }
    #expect(grid.text == " Move \"a.md\" to the trash?\n [y] Yes  [n] No  [Esc] Cancel")
    #expect(grid[10, 1].style == .reverse)
    #expect(grid[1, 1].style == .plain)
  }

  @Test func `on a low canvas the answers stay`() {
    #expect(drawn(40, 1) { Self.dialog().draw(on: &$0) }.text == " [y] Yes  [n] No  [Esc] Cancel")
  }

  @Test func `the box stands in the middle`() {
    let text = drawn(26, 8) { Self.dialog().drawBox(on: &$0) }.text
    #expect(
      text == """

         +----------------------+
         | Move "a.md" to the   |
         | trash?               |
         | [y] Yes  [n] No      |
         | [Esc] Cancel         |
         +----------------------+

        """)
  }
}
