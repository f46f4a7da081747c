import TestKit
import Testing
import TextUI

@Suite struct TextEditorTests {
  @Test func `Shift moves by a character and deletes one, as the key alone does`() {
    var editor = TextEditor(Array("one two\nthree".utf8))
    for (key, offset) in [(Key.Code.right, 1), (.down, 9), (.up, 1), (.left, 0)] {
      _ = editor.handle(Key(key, .shift))
      #expect(editor.text.cursor == offset, "\(key)")
    }
    _ = editor.handle(Key(.right, .control))
    #expect(editor.text.cursor == 3)
    _ = editor.handle(Key(.backspace, .shift))
    #expect(editor.bytes == Array("on two\nthree".utf8))
  }

  @Test(arguments: [
    ("one\r\ntwo", "x\ny\r\n", "x\r\ny\r\none\r\ntwo"), ("one\ntwo", "x\ny", "x\nyone\ntwo"),
  ])
  func `what is pasted gets the line ends of the text`(row: (text: String, pasted: String, whole: String)) {
    var editor = TextEditor(Array(row.text.utf8))
    _ = editor.paste(Array(row.pasted.utf8))
    #expect(String(decoding: editor.bytes, as: UTF8.self) == row.whole)
    var other = TextEditor(Array(row.text.utf8))
    other.clipboard = Clipboard(Array(row.pasted.utf8))
    _ = other.handle(Key(.character("y"), .control))
    #expect(String(decoding: other.bytes, as: UTF8.self) == row.whole)
  }

  /// The text after keys, with `|` for the cursor; `|` in `text` says where it starts.
  private static func after(_ text: String, _ typed: String, width: Int = 80) -> String {
    var bytes = Array(text.utf8)
    let cursor = bytes.firstIndex(of: 0x7C)
    if let cursor { bytes.remove(at: cursor) }
    var editor = TextEditor(bytes)
    editor.resize(Size(width, 5))
    editor.move(to: cursor ?? 0)
    for key in keys(typed) { _ = editor.handle(key) }
    var result = editor.bytes
    result.insert(0x7C, at: editor.text.cursor)
    return String(decoding: result, as: UTF8.self)
  }

  @Test(
    "keys do what emacs users expect",
    arguments: [
      ("", "hi", "hi|"), ("a|c", "b", "ab|c"), ("ab|", "<BS>", "a|"), ("|ab", "<Del>", "|b"), ("|ab", "<C-d>", "|b"),
      ("ab|", "<C-h>", "a|"),
      ("one |two", "<C-a>", "|one two"), ("o|ne\ntwo", "<C-e>", "one|\ntwo"), ("a|b", "<C-b>", "|ab"),
      ("|ab", "<C-f>", "a|b"),
      ("one two|", "<A-b>", "one |two"), ("|one two", "<A-f>", "one| two"), ("one two|", "<C-Left>", "one |two"),
      ("|one two", "<C-Right>", "one| two"), ("a|b\nc", "<C-k>", "a|\nc"), ("a|\nc", "<C-k>", "a|c"),
      ("|a\nb\nc", "<C-k><C-k><C-k><C-y><C-y>", "a\nba\nb|\nc"),
      ("ab|c", "<C-u>", "|c"), ("one two|", "<C-w>", "one |"), ("|one two", "<A-d>", "| two"),
      ("one two|", "<C-w><C-w><C-y>", "one two|"),
      ("a|b", "<Enter>", "a\n|b"), ("a|", "<Tab>", "a\t|"), ("one\nt|wo", "<Up>", "o|ne\ntwo"),
      ("on|e\ntwo", "<Down>", "one\ntw|o"),
      ("lon|g\nx\nlong", "<Down><Down>", "long\nx\nlon|g"), ("a|b\nc", "<C-End>", "ab\nc|"),
      ("ab\nc|", "<C-Home>", "|ab\nc"),
      ("a|b", "<Home>", "|ab"), ("a|b", "<End>", "ab|"), ("|ab", "<Up>", "|ab"), ("a|b", "<Up>", "|ab"),
      ("a|b", "<Down>", "ab|"),
      ("e\u{0301}|", "<BS>", "|"), ("|漢字", "<Right><BS>", "|字"), ("a\r\n|b", "<BS>", "a|b"),
      ("a|\r\nb", "<Del>", "a|b"), ("a|\r\nb", "<Right>", "a\r\n|b"),
      ("a\r\n|b", "<Left>", "a|\r\nb"), ("|", "<BS><Del><C-k><C-y><C-w><Left><Right><PgUp><PgDn>", "|"),
    ])
  func claims(text: String, typed: String, result: String) {
    #expect(Self.after(text, typed) == result)
  }

  @Test(
    "undo takes back words, and runs of one kind",
    arguments: [
      ("one two<C-_>", "one |"), ("one two<C-_><C-_>", "|"), ("one two<C-_><A-_>", "one two|"),
      ("one two<C-_><C-_><C-A-_><A-_>", "one two|"),
      ("abc<BS><BS><C-_>", "abc|"), ("abc<Left>d<C-_>", "ab|c"), ("ab<Left><Right>cd<C-_>", "ab|"),
      ("one<C-w><C-_>", "one|"), ("ab<C-_>x<A-_>", "x|"),
    ])
  func undo(typed: String, result: String) {
    #expect(Self.after("", typed) == result)
  }

  @Test func `rows of a wrapped line are gone through one by one, at the wanted column`() {
    #expect(Self.after("hello wo|rld and more", "<Down>", width: 7) == "hello world an|d more")
    #expect(Self.after("hello world and mo|re", "<Up><Up>", width: 7) == "hello wo|rld and more")
    #expect(Self.after("hello|", "<Up>", width: 7) == "|hello")
  }

  @Test(arguments: ["<Esc>", "<C-s>", "<C-g>", "<A-x>"])
  func `keys of the screen are ignored`(typed: String) {
    var editor = TextEditor()
    #expect(keys(typed).map { editor.handle($0) } == [.ignored])
    #expect(!editor.isModified)
  }

  @Test func `edits are reported as they are made`() {
    var editor = TextEditor(Array("ab".utf8))
    #expect(editor.handle(Key(.end)) == .moved)
    #expect(editor.handle(Key(.character("é"))) == .edited([TextEdit(offset: 2, inserted: Array("é".utf8))]))
    #expect(editor.handle(Key(.backspace)) == .edited([TextEdit(offset: 2, removed: 2)]))
    #expect(editor.undo() == .edited([TextEdit(offset: 2, inserted: Array("é".utf8))]))
  }

  @Test func `a paste is one edit and one step, byte for byte`() {
    var editor = TextEditor()
    let pasted: [UInt8] = Array("a\u{1B}[31m\r\nb c\n".utf8) + [0xFF]
    #expect(editor.paste(pasted) == .edited([TextEdit(offset: 0, inserted: pasted)]))
    #expect(editor.bytes == pasted)
    _ = editor.undo()
    #expect(editor.bytes.isEmpty)
    #expect(!editor.isModified)
  }

  @Test(
    arguments: [
      Array("a\r\nb".utf8), Array("no end".utf8), [0x61, 0xFF, 0xC3, 0x0A, 0x80], Array("\u{FEFF}x\n\n".utf8),
      [0x0D, 0x0D, 0x0A, 0x00],
    ] as [[UInt8]])
  func `bytes that are not edited stay as they are`(bytes: [UInt8]) {
    var editor = TextEditor(bytes)
    for key in keys("<Down><End><Right>x<BS><C-End><Left>") { _ = editor.handle(key) }
    #expect(editor.bytes == bytes)
  }

  @Test func `the screen shows text, cursor and place`() {
    var editor = TextEditor(Array("The quick brown fox\n\tjumps \u{1B}\r\nend".utf8))
    editor.resize(Size(12, 5))
    editor.move(to: 21)
    let grid = drawn(12, 5) { editor.draw(on: &$0) }
    #expect(grid.text == "The quick\nbrown fox\n    jumps\n^[\nend")
    #expect(grid.cursor == Point(4, 2))
    #expect(editor.position == TextEditor.Position(line: 2, column: 2))
  }

  @Test func `the cursor is behind a full row, and below a hanging space`() {
    var editor = TextEditor()
    editor.resize(Size(6, 3))
    for key in keys("abcde") { _ = editor.handle(key) }
    #expect(drawn(6, 3) { editor.draw(on: &$0) }.cursor == Point(5, 0))
    _ = editor.handle(Key(.character(" ")))
    #expect(drawn(6, 3) { editor.draw(on: &$0) }.cursor == Point(0, 1))
  }

  @Test func `the cursor is always in view, once, whatever is done`() {
    var generator = SeededNumbers(11)
    let all = keys(
      "<Up><Down><PgUp><PgDn><Left><Right><C-Home><C-End><Home><End><BS><Del><Enter><Tab>a 漢<C-k><C-y><C-w><C-_><A-_><A-b><A-f>"
    )
    for round in 0..<TestTier.process.rounds(16) {
      var editor = TextEditor(HostileText.random(&generator, count: 600))
      var size = Size(1 + generator.below(30), 1 + generator.below(6))
      editor.resize(size)
      for step in 0..<150 {
        if step % 50 == 49 {
          size = Size(1 + generator.below(30), 1 + generator.below(6))
          if round % 2 == 0 { editor.resize(size) }
        }
        switch generator.below(20) {
        case 0: editor.click(Point(generator.below(30), generator.below(6)))
        case 1: editor.scroll(by: generator.below(9) - 4)
        default: _ = editor.handle(all[generator.below(all.count)])
        }
        let grid = drawn(size.width, size.height) { editor.draw(on: &$0) }
        #expect(grid.cursor != nil)
        #expect(HostileText.fault(in: grid) == nil)
        #expect(editor.text.cursor <= editor.text.buffer.count)
      }
    }
  }

  @Test func `a click puts the cursor on the glyph`() {
    var editor = TextEditor(Array("abc\n漢字x\n".utf8))
    editor.resize(Size(20, 5))
    editor.click(Point(2, 1))
    #expect(editor.text.cursor == 7)
    editor.click(Point(15, 1))
    #expect(editor.text.cursor == 11)
    editor.click(Point(3, 4))
    #expect(editor.text.cursor == 12)
  }

  @Test func `a single line of 8 MB can be edited in its middle`() {
    let bytes = [UInt8](repeating: 0x78, count: 8 << 20)
    var editor = TextEditor(bytes)
    editor.move(to: 4 << 20)
    for key in keys("<Up><Down><PgDn><PgUp>ab<Up><BS>") { _ = editor.handle(key) }
    #expect(editor.bytes.count == (8 << 20) + 1)
    #expect(drawn(80, 24) { editor.draw(on: &$0) }.cursor != nil)
  }

  @Test func `lines longer than 64 KiB are counted in bytes`() {
    var editor = TextEditor([UInt8](repeating: 0x78, count: 100_000))
    editor.move(to: 90_000)
    #expect(editor.position.column == 90_001)
  }
}
