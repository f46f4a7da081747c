import TestKit
import Testing

@testable import TextUI

/// vi's keys: tables of texts before and after, and the state that the screen shows.
@Suite struct ViKeysTests {
  static let mark = Array("¦".utf8)

  /// An editor with vi's keys, with the cursor at the mark.
  static func editor(_ marked: String, size: Size = Size(80, 24)) -> TextEditor {
    var bytes = Array(marked.utf8)
    let place = bytes.firstRange(of: mark)
    if let place { bytes.removeSubrange(place) }
    var editor = TextEditor(bytes)
    editor.resize(size)
    editor.useVi()
    editor.move(to: place?.lowerBound ?? 0)
    return editor
  }

  static func marked(_ editor: TextEditor) -> String {
    var bytes = editor.bytes
    bytes.insert(contentsOf: mark, at: editor.text.cursor)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text after keys, with a mark at the cursor.
  static func after(_ text: String, _ typed: String) -> String {
    var editor = editor(text)
    for key in keys(typed) { _ = editor.handle(key) }
    return marked(editor)
  }

  private func check(_ row: ViRow) {
    // With and without a line feed at the end.
    #expect(Self.after(row.before + "\n", row.keys).trimmed == row.after, "\(row)")
    // An empty last line needs its line feed.
    if !row.before.replacing("¦", with: "").hasSuffix("\n") {
      #expect(Self.after(row.before, row.keys).trimmed == row.after, "\(row), no line feed")
    }
    let returns = Self.after((row.before + "\n").replacing("\n", with: "\r\n"), row.keys)
    #expect(returns.replacing("\r\n", with: "\n").trimmed == row.after, "\(row), carriage returns")
  }

  @Test(arguments: ViRow.motions) func `motions go where Vim goes`(row: ViRow) { check(row) }
  @Test(arguments: ViRow.operators) func `operators change what Vim changes`(row: ViRow) { check(row) }
  @Test(arguments: ViRow.pastes) func `yanked text is pasted as in Vim`(row: ViRow) { check(row) }
  @Test(arguments: ViRow.objects) func `text objects are those of Vim`(row: ViRow) { check(row) }
  @Test(arguments: ViRow.insertions) func `text is inserted as in Vim`(row: ViRow) { check(row) }
  @Test(arguments: ViRow.repeats) func `changes are repeated and undone as in Vim`(row: ViRow) { check(row) }
  @Test(arguments: ViRow.selections) func `selections act as in Vim`(row: ViRow) { check(row) }

  @Test func `the mode and the pending keys are shown`() {
    var editor = Self.editor("one two")
    func words(after typed: String) -> String? {
      for key in keys(typed) { _ = editor.handle(key) }
      return editor.vi?.stateWords
    }
    #expect(words(after: "") == "NORMAL")
    #expect(words(after: "2d") == "NORMAL 2d")
    #expect(words(after: "<Esc>") == "NORMAL")
    #expect(words(after: "v") == "VISUAL")
    #expect(words(after: "V") == "VISUAL LINE")
    #expect(words(after: "<Esc>i") == "INSERT")
    #expect(words(after: "<Esc>") == "NORMAL")
    #expect(Self.marked(editor) == "¦one two")
  }

  @Test(
    arguments: [
      (":w<Enter>", ViKeys.Request.save), (":q<Enter>", .cancel), (":q!<Enter>", .discard), (":wq<Enter>", .done),
      (":x<Enter>", .done), ("ZZ", .done), ("ZQ", .discard), ("yw", .copied),
      (":set<Enter>", .say("byteclub does not know \":set\". It knows :w :q :q! :wq :x and :NUMBER.")),
      ("Q", .say("vi's Q does nothing here. F1 shows the keys.")),
      ("\"a", .say("byteclub has one register, which is also the clipboard.")),
      ("/nothing<Enter>", .say("This text does not contain \"nothing\".")),
    ])
  func `commands for the screen are asked once`(typed: String, request: ViKeys.Request) {
    var editor = Self.editor("¦one two")
    for key in keys(typed) { _ = editor.handle(key) }
    #expect(editor.takeRequest() == request)
    #expect(editor.takeRequest() == nil)
    #expect(Self.marked(editor) == "¦one two")
  }

  @Test(arguments: [
    (":3<Enter>", "a\nb\n¦c\nd"), (":99<Enter>", "a\nb\nc\n¦d"), (":$<Enter>", "a\nb\nc\n¦d"), (":<BS>x", "\nb\nc\nd"),
  ])
  func `a number behind the colon is a line`(typed: String, wanted: String) {
    #expect(Self.after("¦a\nb\nc\nd", typed).replacing("¦\n", with: "\n") == wanted)
  }

  @Test func `a command is one undo step, however many keys it takes`() {
    for typed in ["2dw", "ihello world and more<Esc>", "cwab cd ef<Esc>", "3oab cd<Esc>", "vjd", "dwj."] {
      var editor = Self.editor("¦one two three\nfour five six\nseven")
      let before = editor.bytes
      for key in keys(typed) { _ = editor.handle(key) }
      #expect(editor.bytes != before)
      for key in keys(typed == "dwj." ? "uu" : "u") { _ = editor.handle(key) }
      #expect(editor.bytes == before, "\(typed)")
      #expect(!editor.isModified)
    }
  }

  @Test func `arrows in insert mode begin a new change`() {
    #expect(Self.after("¦ab", "ix<Right>y<Esc>") == "xa¦yb")
    #expect(Self.after("¦ab", "ix<Right>y<Esc>u") == "xa¦b")
    #expect(Self.after("¦ab", "ix<Right>y<Esc>.") == "xa¦yyb")
  }

  @Test func `a merge that comes in while text is inserted is an undo step of its own`() {
    var editor = Self.editor("¦one\ntwo")
    for key in keys("iab") { _ = editor.handle(key) }
    _ = editor.apply([TextEdit(offset: editor.bytes.count, inserted: Array("!".utf8))])
    for key in keys("cd<Esc>u") { _ = editor.handle(key) }
    #expect(String(decoding: editor.bytes, as: UTF8.self) == "abone\ntwo!")
    for key in keys("uu") { _ = editor.handle(key) }
    #expect(String(decoding: editor.bytes, as: UTF8.self) == "one\ntwo")
  }

  @Test func `pasted text goes in at the cursor, in insert mode as one change with typed text`() {
    var editor = Self.editor("on¦e")
    _ = editor.paste(Array("dd".utf8))
    #expect(Self.marked(editor) == "ond¦de")
    _ = editor.handle(Key(.character("i")))
    _ = editor.paste(Array("x\ny".utf8))
    for key in keys("z<Esc>u") { _ = editor.handle(key) }
    #expect(Self.marked(editor) == "ond¦de")
  }

  @Test func `a character is what a reader sees as one`() {
    let family = "👨‍👩‍👧‍👦"
    #expect(Self.after("¦\(family)\(family)x", "l") == "\(family)¦\(family)x")
    #expect(Self.after("¦\(family)\(family)x", "x") == "¦\(family)x")
    #expect(Self.after("\(family)¦\(family)", "rz") == "\(family)¦z")
    #expect(Self.after("¦a\(family)\nbc", "jlkx") == "¦a\nbc")
    #expect(Self.after("¦नि\u{915}", "vd") == "¦क")
  }

  @Test func `the selection is drawn with the character at the cursor`() {
    var editor = Self.editor("¦one two")
    for key in keys("ve") { _ = editor.handle(key) }
    #expect(editor.vi?.selection(in: editor.text) == 0..<3)
    for key in keys("V") { _ = editor.handle(key) }
    #expect(editor.vi?.selection(in: editor.text) == 0..<7)
    for key in keys("<Esc>") { _ = editor.handle(key) }
    #expect(editor.vi?.selection(in: editor.text) == nil)
  }

  @Test func `a selection by mouse is one of visual mode`() {
    var editor = Self.editor("one two")
    editor.click(Point(0, 0))
    editor.drag(to: Point(4, 0))
    _ = editor.handle(Key(.character("d")))
    #expect(Self.marked(editor) == "¦two")
  }

  @Test func `Control-D and Control-F move by half a page and a page of rows`() {
    var editor = Self.editor((1...99).map { "\($0)" }.joined(separator: "\n"), size: Size(40, 12))
    for (typed, line) in [("<C-d>", 7), ("<C-f>", 17), ("<C-u>", 11), ("<C-b>", 1), ("GH", 88), ("M", 93), ("L", 99)] {
      for key in keys(typed) { _ = editor.handle(key) }
      #expect(editor.position.line == line, "\(typed)")
    }
  }

  @Test func `gj and gk go by rows of the screen`() {
    var editor = Self.editor("¦" + String(repeating: "abcd ", count: 12) + "\nend", size: Size(21, 12))
    for key in keys("gj") { _ = editor.handle(key) }
    #expect(editor.text.cursor == 20)
    for key in keys("gjgk") { _ = editor.handle(key) }
    #expect(editor.text.cursor == 20)
    for key in keys("j") { _ = editor.handle(key) }
    #expect(editor.position.line == 2)
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
