import TestKit
import Testing
import TextUI

@Suite struct TextFieldTests {
  private static func shown(_ field: TextField, _ width: Int) -> String {
    let grid = drawn(width) { field.draw(on: &$0) }
    return grid.text(ofRow: 0) + " @\(grid.cursor?.x ?? -1)"
  }

  @Test(
    "keys edit the line",
    arguments: [
      ("abc", "<C-a>x", "xabc"), ("abc", "<C-u>", ""), ("one two", "<C-w>", "one "),
      ("abc", "<C-a><C-k><C-y><C-y>", "abcabc"),
      ("abc", "<Left><BS>", "ac"), ("abc", "<Home><Del>", "bc"), ("one two", "<A-b><A-d>", "one "),
      ("a", "b<C-_>", "a"), ("漢字", "<BS>", "漢"),
    ])
  func editing(text: String, typed: String, result: String) {
    var field = TextField(text)
    for key in keys(typed) { _ = field.handle(key) }
    #expect(field.string == result)
  }

  @Test(
    "a letter replaces an offered text, a movement goes on with it",
    arguments: [
      ("x", "x"), ("<BS>", ""), ("<Del>", ""), ("<C-w>", ""), ("<End>x", "abcx"), ("<Left>x", "abxc"),
      ("<Home>x", "xabc"), ("<C-e>x", "abcx"), ("x<C-_>", "abc"), ("<Up>x", "x"),
    ])
  func offering(typed: String, result: String) {
    var field = TextField("abc")
    field.offer()
    #expect(drawn(9) { field.draw(on: &$0) }[0, 0].style.attributes.contains(.reverse))
    for key in keys(typed) { _ = field.handle(key) }
    #expect(field.string == result)
    #expect(!drawn(9) { field.draw(on: &$0) }[0, 0].style.attributes.contains(.reverse))
  }

  @Test func `a pasted text replaces an offered one, and a taken one goes on`() {
    var field = TextField("abc")
    field.offer()
    _ = field.paste(Array("de".utf8))
    #expect(field.string == "de")
    field.offer()
    field.take()
    _ = field.handle(Key(.character("f")))
    #expect(field.string == "def")
    field = TextField()
    field.offer()
    _ = field.handle(Key(.character("g")))
    #expect(field.string == "g")
  }

  @Test(arguments: ["<Enter>", "<Esc>", "<Tab>", "<Up>", "<Down>", "<PgUp>"])
  func `keys of the form are ignored`(typed: String) {
    var field = TextField("a")
    #expect(keys(typed).map { field.handle($0) } == [.ignored])
  }

  @Test func `pasted line ends become spaces`() {
    var field = TextField()
    _ = field.paste(Array("a\r\nb\nc\rd".utf8))
    #expect(field.string == "a b c d")
  }

  @Test func `a field that keeps lines has a symbol between them`() {
    var field = TextField("a\r\nb", keepsLines: true)
    #expect(field.string == "a\nb" && Self.shown(field, 10) == "a↵ b @4")
    _ = field.paste(Array("\rc".utf8))
    #expect(field.string == "a\nb\nc")
    for key in keys("<BS><BS>") { _ = field.handle(key) }
    #expect(field.string == "a\nb")
  }

  @Test(
    "the part around the cursor is shown",
    arguments: [
      ("abc", "", 10, "abc @3"), ("abcdefgh", "", 5, "<fgh @4"), ("abcdefgh", "<Home>", 5, "abcd> @0"),
      ("abcde", "<Home>", 5, "abcde @0"),
      ("漢字漢字", "", 5, "<字 @3"), ("", "", 5, " @0"), ("a\u{1B}b", "", 9, "a^[b @4"), ("abc", "", 1, "< @0"),
      ("abc", "<Home>", 1, "> @0"),
    ])
  func scrolling(text: String, typed: String, width: Int, result: String) {
    var field = TextField(text)
    for key in keys(typed) { _ = field.handle(key) }
    #expect(Self.shown(field, width) == result)
  }

  @Test func `the cursor is in view wherever it is`() {
    var generator = SeededNumbers(12)
    for _ in 0..<200 {
      var field = TextField(bytes: HostileText.random(&generator, count: 1 + generator.below(60)))
      let width = 1 + generator.below(20)
      _ = field.handle(Key(.home))
      for _ in 0..<40 {
        let grid = drawn(width) { field.draw(on: &$0) }
        #expect(grid.cursor != nil)
        #expect(HostileText.fault(in: grid) == nil)
        _ = field.handle(Key(generator.below(4) == 0 ? .left : .right))
        if generator.below(8) == 0 { field.click(x: generator.below(width), width: width) }
      }
    }
  }

  @Test func `a click puts the cursor on the glyph that is shown there`() {
    var field = TextField("abcdef")
    field.click(x: 2, width: 10)
    #expect(field.cursor == 2)
    field.click(x: 9, width: 10)
    #expect(field.cursor == 6)
    var long = TextField("abcdefgh")
    long.click(x: 1, width: 5)
    #expect(long.cursor == 5)
  }

  @Test func `a field of a megabyte is drawn as well`() {
    var field = TextField(bytes: [UInt8](repeating: 0x78, count: 1 << 20))
    #expect(Self.shown(field, 6) == "<xxxx @5")
    for _ in 0..<3 { _ = field.handle(Key(.left)) }
    #expect(Self.shown(field, 6).hasPrefix("<x"))
    _ = field.handle(Key(.home))
    #expect(Self.shown(field, 6) == "xxxxx> @0")
  }

  @Test func `completion replaces a part and can be undone`() {
    var field = TextField("get fo", placeholder: "command")
    #expect(
      field.replace(4..<6, with: Array("foo.jpg".utf8))
        == .edited([TextEdit(offset: 4, removed: 2, inserted: Array("foo.jpg".utf8))]))
    #expect(field.string == "get foo.jpg")
    _ = field.handle(Key(.character("_"), .control))
    #expect(field.string == "get fo")
    field.clear()
    #expect(field.isEmpty)
    #expect(Self.shown(field, 10) == "command @0")
  }
}
