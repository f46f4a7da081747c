import TestKit
import Testing

@testable import TextUI

/// Selections, lists, indentation, and characters as readers see them.
@Suite struct EditorKeysTests {
  /// The text after keys; `|` is the cursor, and `[` the other end of a selection.
  private static func after(_ text: String, _ typed: String, _ shift: [Key] = []) -> String {
    var bytes = Array(text.utf8)
    let cursor = bytes.firstIndex(of: 0x7C)
    if let cursor { bytes.remove(at: cursor) }
    var editor = TextEditor(bytes)
    editor.resize(Size(80, 8))
    editor.move(to: cursor ?? 0)
    for key in shift + keys(typed) { _ = editor.handle(key) }
    var result = editor.bytes
    for (offset, mark) in [(editor.text.cursor, "|"), (editor.text.anchor ?? -1, "{")].sorted(by: { $0.0 > $1.0 })
    where offset >= 0 {
      result.insert(contentsOf: mark.utf8, at: offset)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let family = "👨‍👩‍👧‍👦"

  @Test(
    "Backspace, Delete and the arrows take what a reader sees as one character",
    arguments: [
      family, "🇩🇪", "👍🏽", "e\u{0301}\u{0323}", "각", "✈️", "\u{1112}\u{1161}\u{11AB}", "日",
    ])
  func characters(one: String) {
    let two = one + one
    #expect(Self.after("a\(two)|b", "<BS>") == "a\(one)|b")
    #expect(Self.after("a|\(two)b", "<Del>") == "a|\(one)b")
    #expect(Self.after("a|\(two)b", "<Right><Right>") == "a\(two)|b")
    #expect(Self.after("a\(two)|b", "<Left>") == "a\(one)|\(one)b")
    #expect(Self.after("|\(two)", "<End><BS><BS>") == "|")
    #expect(Self.after("|\(two)", "", [Key(.right, .shift)]) == "{\(one)|\(one)")
  }

  @Test(
    "Backspace takes the last mark in scripts whose marks are typed one by one, Delete and the arrows the whole",
    arguments: [
      ("\u{E17}\u{E35}\u{E48}", "\u{E17}\u{E35}"), ("\u{928}\u{93F}", "\u{928}"),
      ("\u{915}\u{94D}\u{937}\u{93F}", "\u{915}\u{94D}\u{937}"), ("\u{628}\u{651}\u{64E}", "\u{628}\u{651}"),
      ("\u{6CC}\u{200C}", "\u{6CC}"), ("\u{5E9}\u{5C1}", "\u{5E9}"),
    ])
  func marks(whole: String, rest: String) {
    #expect(Self.after("a\(whole)|b", "<BS>").unicodeScalars.elementsEqual("a\(rest)|b".unicodeScalars))
    #expect(Self.after("a|\(whole)b", "<Del>") == "a|b")
    #expect(Self.after("a|\(whole)b", "<Right>") == "a\(whole)|b")
    #expect(Self.after("a\(whole)|b", "<Left>") == "a|\(whole)b")
  }

  @Test func `the cursor's column on the screen is behind what was drawn, its place counts characters`() {
    var editor = TextEditor(Array("\(Self.family)🇩🇪x".utf8))
    editor.resize(Size(40, 2))
    let widths = [Self.family, "🇩🇪", "x"].map { GlyphReader.columns(of: $0) }
    var column = 0
    for (place, width) in widths.enumerated() {
      #expect(drawn(40, 2) { editor.draw(on: &$0) }.cursor == Point(column, 0))
      #expect(editor.position.column == place + 1)
      _ = editor.handle(Key(.right))
      column += width
    }
    #expect(drawn(40, 2) { editor.draw(on: &$0) }.cursor == Point(column, 0))
  }

  @Test func `a click and an arrow up never put the cursor into a character`() {
    let text = Array("\(Self.family)\(Self.family)\n01234567890123\n".utf8)
    var editor = TextEditor(text)
    let borders = Graphemes.starts(in: text)
    for width in 3...20 {
      editor.resize(Size(width, 10))
      for x in 0..<width {
        for y in 0..<5 {
          editor.click(Point(x, y))
          #expect(borders.contains(editor.text.cursor) || editor.text.cursor == text.count)
          _ = editor.handle(Key(.up))
          #expect(borders.contains(editor.text.cursor))
          editor.click(Point(x, y))
          let before = editor.text.cursor
          _ = editor.handle(Key(.down))
          #expect(editor.text.cursor > before || before == text.count)
        }
      }
    }
  }

  @Test func `characters of random bytes are whole and found from both sides`() {
    var generator = SeededNumbers(21)
    for _ in 0..<TestTier.process.rounds(60) {
      let buffer = TextBuffer(HostileText.random(&generator, count: 120))
      var (offset, borders) = (0, [0])
      while offset < buffer.count {
        let next = buffer.glyphEnd(after: offset)
        #expect(next > offset)
        offset = max(next, offset + 1)
        borders.append(offset)
      }
      #expect(offset == buffer.count)
      for border in borders.dropFirst() {
        let start = buffer.glyphStart(before: border)
        #expect(start < border)
      }
    }
  }

  @Test(
    "Shift with a movement selects, a movement without it ends the selection",
    arguments: [
      ("|one two", [Key(.right, .shift), Key(.right, .shift)], "", "{on|e two"),
      ("|one two", [Key(.right, [.control, .shift])], "", "{one| two"),
      ("one| two", [Key(.end, .shift)], "", "one{ two|"), ("one| two", [Key(.home, .shift)], "", "|one{ two"),
      ("one\nt|wo", [Key(.up, .shift)], "", "o|ne\nt{wo"),
      ("o|ne\ntwo", [Key(.end, [.control, .shift])], "", "o{ne\ntwo|"),
      ("|one two", [Key(.right, [.control, .shift])], "<Right>", "one| two"),
      ("|one two", [Key(.right, [.control, .shift])], "<Left>", "|one two"),
      ("|one two", [Key(.right, [.control, .shift])], "x", "x| two"),
      ("|one two", [Key(.right, [.control, .shift])], "<BS>", "| two"),
      ("|one two", [Key(.right, [.control, .shift])], "<Del>", "| two"),
      ("|one two", [Key(.right, [.control, .shift])], "<C-w><C-e><C-y>", " twoone|"),
      ("|one two", [Key(.right, [.control, .shift])], "<Enter>", "\n| two"),
      ("|one two", [Key(.right, [.control, .shift])], "x<C-_>", "one| two"),
    ] as [(String, [Key], String, String)])
  func selection(text: String, shift: [Key], typed: String, result: String) {
    #expect(Self.after(text, typed, shift) == result)
  }

  @Test(
    "Enter continues a list and ends it on an item without text",
    arguments: [
      ("- a|", "<Enter>b", "- a\n- b|"), ("- a|b", "<Enter>", "- a\n- |b"), ("  * a|", "<Enter>", "  * a\n  * |"),
      ("9. a|", "<Enter>", "9. a\n10. |"), ("1) a|", "<Enter>", "1) a\n2) |"),
      ("- [x] a|", "<Enter>", "- [x] a\n- [ ] |"), ("- a\n- |", "<Enter>", "- a\n|"), ("- [ ] |", "<Enter>", "|"),
      ("> - a|", "<Enter>", "> - a\n> - |"), ("|- a", "<Enter>", "\n|- a"), ("-a|", "<Enter>", "-a\n|"),
      ("- |a", "<Enter>", "- \n- |a"), ("a|", "<Enter>", "a\n|"), ("- a\r\n- b|", "<Enter>", "- a\r\n- b\r\n- |"),
      ("- a|", "<Enter><C-_>", "- a|"), ("1234567890. a|", "<Enter>", "1234567890. a\n|"),
    ])
  func lists(text: String, typed: String, result: String) {
    #expect(Self.after(text, typed) == result)
  }

  @Test func `Tab indents the selected lines and Shift-Tab takes it back, each as one step`() {
    let down = Key(.down, .shift)
    let all = "\ta\n\n\t    b\n"
    #expect(Self.after("|a\n\n    b\nc", "<Tab>", [down, down, down]) == "{\ta\n\n\t    b|\nc")
    #expect(Self.after("|a\n\n    b\nc", "<Tab><C-_>", [down, down, down]) == "a\n\n    b\n|c")
    var editor = TextEditor(Array(all.utf8))
    for key in [down, down, Key(.end, .shift), Key(.backTab), Key(.backTab)] { _ = editor.handle(key) }
    #expect(editor.bytes == Array("a\n\nb\n".utf8))
    #expect(Self.after("  a|", "") == "  a|" && Self.after("a|", "<Tab>") == "a\t|")
    var line = TextEditor(Array("     a".utf8))
    line.move(to: 6)
    _ = line.handle(Key(.backTab))
    #expect(line.bytes == Array(" a".utf8) && line.text.cursor == 2)
  }

  @Test func `edits that are applied together are one step, and the cursor stays at its text`() {
    var editor = TextEditor(Array("one two three".utf8))
    editor.move(to: 5)
    let edits = [TextEdit(offset: 8, removed: 5, inserted: [0x33]), TextEdit(offset: 0, removed: 3, inserted: [0x31])]
    #expect(editor.apply(edits) == .edited(edits))
    #expect(editor.bytes == Array("1 two 3".utf8) && editor.text.cursor == 3)
    _ = editor.undo()
    #expect(editor.bytes == Array("one two three".utf8) && !editor.isModified)
    _ = editor.redo()
    #expect(editor.bytes == Array("1 two 3".utf8))
  }

  @Test func `a difference is one edit`() {
    #expect(
      TextEdit(from: Array("abcd".utf8), to: Array("aXd".utf8)) == TextEdit(offset: 1, removed: 2, inserted: [0x58]))
    #expect(TextEdit(from: Array("aa".utf8), to: Array("aaa".utf8)) == TextEdit(offset: 2, inserted: [0x61]))
    #expect(TextEdit(from: [], to: []) == TextEdit(offset: 0))
  }

  @Test func `words are counted the same through random edits as in the whole text`() {
    var generator = SeededNumbers(5)
    var editor = TextEditor(Array("one two  three\n".utf8))
    for _ in 0..<TestTier.process.rounds(2_000) {
      editor.move(to: generator.below(editor.text.buffer.count + 1))
      switch generator.below(6) {
      case 0: _ = editor.undo()
      case 1: _ = editor.redo()
      case 2: _ = editor.handle(Key(.backspace))
      case 3: _ = editor.handle(Key(.backspace, .alt))
      default: _ = editor.paste(Array(["a", " ", "b c", "\n", " d", "e "][generator.below(6)].utf8))
      }
      let words = editor.bytes.split { $0 == 0x20 || $0 == 0x0A }.count
      #expect(editor.wordCount == words)
    }
  }

  @Test func `words of a long text are counted in slices, also while it is edited`() {
    var editor = TextEditor(Array(String(repeating: "word ", count: 500_000).utf8))
    #expect(editor.wordCount == nil)
    editor.move(to: 1_000_000)
    _ = editor.paste(Array("more words ".utf8))
    editor.move(to: 2_000_000)
    _ = editor.paste(Array("and more ".utf8))
    editor.move(to: (1 << 20) + 5)
    _ = editor.handle(Key(.character("k"), .control))
    _ = editor.undo()
    while editor.wordCount == nil { editor.countOn() }
    #expect(editor.wordCount == editor.bytes.split { $0 == 0x20 }.count)
  }
}
