import TestKit
import Testing

@testable import TextUI

/// A text that is edited takes in another member's edits. The text begins with small letters, the member types capital ones, and
/// the other one digits.
@Suite struct IncomingEditsTests {
  private struct Run {
    var text: EditableText
    /// The small letters and digits that the other member has not removed, in any order.
    var kept: [UInt8]
    /// It holds the edits of both members.
    var model: [UInt8]
    var log: [TextEdit] = []

    private static func bytes(_ range: ClosedRange<UInt8>, _ random: inout SeededNumbers) -> [UInt8] {
      (0..<[0, 1, 2, 5][random.below(4)]).map { _ in UInt8.random(in: range, using: &random) }
    }

    init(seed: UInt64, undoes: Bool) {
      var random = SeededNumbers(seed)
      kept = (0..<random.below(30)).map { _ in UInt8(ascii: "a") + UInt8(random.below(8)) }
      (text, model) = (EditableText(kept), kept)
      for _ in 0..<random.below(60) {
        let place = random.below(model.count + 1)
        let end = min(model.count, place + [0, 0, 1, 3, 8][random.below(5)])
        switch random.below(10) {
        case 0...3: log(text.replace(place..<end, with: Run.bytes(65...90, &random)))
        case 4:
          text.move(to: place)
          for byte in Run.bytes(65...90, &random) { log(.edited([text.type([byte])])) }
        case 5 where undoes: log(text.undo())
        case 6 where undoes: log(text.redo())
        default:
          let edit = TextEdit(offset: place, removed: end - place, inserted: Run.bytes(48...57, &random))
          for byte in model[place..<end] { if let index = kept.firstIndex(of: byte) { kept.remove(at: index) } }
          kept += edit.inserted
          text.takeIn([edit])
          apply(edit)
        }
      }
    }

    mutating func log(_ outcome: EditOutcome) {
      guard case .edited(let edits) = outcome else { return }
      edits.forEach { apply($0) }
      log += edits
    }

    mutating func apply(_ edit: TextEdit) {
      model.replaceSubrange(edit.offset..<(edit.offset + edit.removed), with: edit.inserted)
    }

    mutating func undoAll() { while case let outcome = text.undo(), outcome != .moved { log(outcome) } }
    mutating func redoAll() { while case let outcome = text.redo(), outcome != .moved { log(outcome) } }
  }

  private static let runs = TestTier.process.rounds(300)

  @Test(arguments: [false, true])
  func `undo takes back one's own edits alone, and redo brings them back`(undoes: Bool) {
    for seed in 0..<UInt64(Self.runs) {
      var run = Run(seed: seed, undoes: undoes)
      #expect(run.text.buffer.bytes == run.model, "seed \(seed)")
      let before = run.model
      run.undoAll()
      #expect(run.text.buffer.bytes.sorted() == run.kept.sorted(), "seed \(seed)")
      let undone = run.model
      #expect(run.text.buffer.bytes == undone, "seed \(seed)")
      run.redoAll()
      if !undoes { #expect(run.model == before, "seed \(seed)") }
      run.undoAll()
      #expect(run.text.buffer.bytes == undone, "seed \(seed)")
    }
  }

  @Test func `letters that the member has deleted come back in their order`() {
    for seed in 0..<UInt64(Self.runs) {
      let base = Array("abcdefghijklmnopqrstuvwxyz".utf8)
      var (random, text) = (SeededNumbers(seed), EditableText(base))
      for _ in 0..<12 {
        let place = random.below(text.buffer.count + 1)
        if random.below(2) == 0 {
          _ = text.replace(place..<min(text.buffer.count, place + random.below(6)), with: Array("XY".utf8))
        } else {
          text.takeIn([TextEdit(offset: place, inserted: Array("12".utf8))])
        }
      }
      while text.undo() != .moved {}
      #expect(text.buffer.bytes.filter { $0 >= UInt8(ascii: "a") } == base, "seed \(seed)")
    }
  }

  /// A bar in `text` is the cursor.
  private func editor(_ text: String, size: Size = Size(80, 24)) -> TextEditor {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    var editor = TextEditor(Array(parts.joined().utf8))
    editor.resize(size)
    editor.move(to: parts[0].utf8.count)
    return editor
  }

  private func shown(_ editor: TextEditor) -> String {
    var bytes = editor.bytes
    bytes.insert(UInt8(ascii: "|"), at: editor.text.cursor)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    // At the end of a word, at its beginning, within it, in a blank line, behind a blank, at both ends of the text.
    ("one two|", 7, 0, " three", "one two| three"), ("one |two", 4, 0, "big ", "one big |two"),
    ("one tw|o", 0, 3, "ONE", "ONE tw|o"), ("a\n|\nb", 2, 0, "new\n", "a\nnew\n|\nb"),
    ("one |\n", 4, 0, "more", "one |more\n"),
    ("|one", 0, 0, "new\n", "new\n|one"), ("one\n|", 4, 0, "new\n", "one\nnew\n|"), ("|", 0, 0, "new", "new|"),
    // Its own word is replaced or removed.
    ("one tw|o three", 4, 3, "TWICE", "one TW|ICE three"), ("one tw|o three", 4, 4, "", "one |three"),
    ("one tw|o", 0, 7, "x", "x|"),
  ])
  func `the cursor stays with its word`(text: String, offset: Int, removed: Int, inserted: String, result: String) {
    var editor = editor(text)
    editor.takeIn([TextEdit(offset: offset, removed: removed, inserted: Array(inserted.utf8))])
    #expect(shown(editor) == result)
  }

  @Test func `a cursor in any word stays there through any edits of other words`() {
    for seed in 0..<UInt64(Self.runs) {
      var random = SeededNumbers(seed)
      let words = (0..<20).map { "w\($0)e" }
      let text = words.map { $0 + (random.below(5) == 0 ? "\n" : " ") }.joined()
      let word = words[random.below(20)]
      var editor = TextEditor(Array(text.utf8))
      func place() -> Int? { editor.bytes.firstRange(of: Array(word.utf8))?.lowerBound }
      guard let start = place() else { continue }
      let inWord = random.below(word.utf8.count + 1)
      editor.move(to: start + inWord)
      for number in 0..<10 {
        let others = words.filter { $0 != word }
        let other = Array(others[random.below(others.count)].utf8)
        guard let range = editor.bytes.firstRange(of: other) else { continue }
        let new = random.below(3) == 0 ? [] : Array("n\(number)\(random.below(2) == 0 ? "\n" : " ")x".utf8)
        let isBefore = random.below(2) == 0
        editor.takeIn([
          random.below(2) == 0
            ? TextEdit(offset: range.lowerBound, removed: range.count, inserted: new)
            : TextEdit(offset: isBefore ? range.lowerBound : range.upperBound + 1, inserted: new + [0x20])
        ])
        #expect(editor.text.cursor == place().map { $0 + inWord }, "seed \(seed)")
      }
    }
  }

  @Test func `a selection keeps its text, and what comes at its ends stays outside`() {
    var editor = editor("one two three")
    editor.text.select(4..<7)
    editor.takeIn([
      TextEdit(offset: 7, inserted: Array("!".utf8)), TextEdit(offset: 5, inserted: Array("-".utf8)),
      TextEdit(offset: 4, inserted: Array("+".utf8)),
    ])
    let selection = editor.text.selection ?? 0..<0
    #expect(String(decoding: editor.text.buffer.bytes(in: selection), as: UTF8.self) == "t-wo")
  }

  @Test func `the row on top stays there, whatever comes in above it`() {
    let lines = (0..<200).map { "line \($0)" }
    var editor = editor(
      lines[..<100].joined(separator: "\n") + "\n|" + lines[100...].joined(separator: "\n"), size: Size(40, 10))
    editor.scroll(by: 3)
    func top() -> String {
      let buffer = editor.text.buffer
      return String(decoding: buffer.bytes(in: editor.topOffset..<buffer.lineEnd(at: editor.topOffset)), as: UTF8.self)
    }
    let before = (top(), editor.position.column)
    editor.takeIn([
      TextEdit(offset: editor.topOffset, inserted: Array("right above\n".utf8)),
      TextEdit(offset: 7, removed: 7), TextEdit(offset: 0, inserted: Array("many\nnew\nlines\n".utf8)),
    ])
    #expect(top() == before.0 && editor.position.column == before.1)
    #expect(String(decoding: editor.bytes, as: UTF8.self).hasPrefix("many\nnew\nlines\nline 0\nline 2\n"))
  }

  @Test func `typing goes on in its undo step, and the saved text is the newer one`() {
    var editor = editor("one\n|")
    _ = editor.handle(Key(.character("a")))
    editor.takeIn([TextEdit(offset: 0, removed: 3, inserted: Array("ONE".utf8))])
    _ = editor.handle(Key(.character("b")))
    #expect(shown(editor) == "ONE\nab|" && editor.isModified)
    _ = editor.undo()
    #expect(shown(editor) == "ONE\n|")
    _ = editor.redo()
    #expect(shown(editor) == "ONE\nab|")
    editor.markSaved()
    editor.takeIn([TextEdit(offset: 0, inserted: Array("more ".utf8))])
    #expect(!editor.isModified)
    _ = editor.undo()
    #expect(shown(editor) == "more ONE\n|" && editor.isModified)
  }

  @Test func `an edit that does not fit, or that cuts a character, does no harm`() {
    var editor = editor("né|")
    editor.takeIn([
      TextEdit(offset: 9, inserted: [1]), TextEdit(offset: -1, removed: 1), TextEdit(offset: 0, removed: .max),
    ])
    #expect(shown(editor) == "né|")
    editor.move(to: 1)
    editor.takeIn([TextEdit(offset: 1, inserted: [0xCC])])
    editor.takeIn([TextEdit(offset: 2, inserted: [0x81])])
    #expect(String(decoding: editor.bytes, as: UTF8.self) == "n\u{301}é")
    #expect(editor.text.cursor == editor.text.buffer.glyphBorder(at: editor.text.cursor))
  }

  @Test func `an unfinished command of vi and a search are not disturbed`() {
    var editor = editor("one two")
    editor.find("two", from: 0)
    #expect(!editor.canTakeIn)
    editor.endFind()
    editor.useVi()
    #expect(editor.canTakeIn)
    _ = editor.handle(Key(.character("d")))
    #expect(!editor.canTakeIn)
    _ = editor.handle(Key(.escape))
    _ = editor.handle(Key(.character("i")))
    #expect(editor.canTakeIn)
    _ = editor.handle(Key(.character("x")))
    editor.takeIn([TextEdit(offset: 0, inserted: Array("new\n".utf8))])
    _ = editor.handle(Key(.character("y")))
    _ = editor.handle(Key(.escape))
    _ = editor.undo()
    #expect(String(decoding: editor.bytes, as: UTF8.self) == "new\none two")
  }

  @Test func `undo and redo leave the cursor between characters`() {
    let letters = ["é", "a\u{301}", "👩‍👩‍👧", "\r\n", "x", "ü", " "].map { Array($0.utf8) }
    for seed in 0..<UInt64(Self.runs) {
      var random = SeededNumbers(seed)
      func some() -> [UInt8] { (0..<random.below(6)).flatMap { _ in letters[random.below(letters.count)] } }
      var text = EditableText(some() + some())
      for _ in 0..<40 {
        let place = text.buffer.glyphBorder(at: random.below(text.buffer.count + 1))
        let end = text.buffer.glyphBorder(at: min(text.buffer.count, place + random.below(5)))
        let step = random.below(6)
        switch step {
        case 0: _ = text.undo()
        case 1: _ = text.redo()
        case 2, 3: _ = text.replace(min(place, end)..<max(place, end), with: some())
        default:
          let range = min(place, end)..<max(place, end)
          text.takeIn([TextEdit(offset: range.lowerBound, removed: range.count, inserted: some())])
        }
        #expect(step > 1 || text.cursor == text.buffer.glyphBorder(at: text.cursor), "seed \(seed), \(step)")
      }
    }
  }

  @Test func `a letter typed after an undo never cuts a character`() {
    var text = EditableText(Array("abcd".utf8))
    text.move(to: 3)
    _ = text.replace(0..<0, with: Array("x".utf8))
    text.takeIn([TextEdit(offset: 1, removed: 4, inserted: Array("éé".utf8))])
    _ = text.undo()
    _ = text.type(Array("z".utf8))
    #expect(text.buffer.bytes == Array("ézé".utf8))
  }

  @Test func `a saved text stays the saved one when only steps without rest are undone or done again`() {
    var text = EditableText(Array("one".utf8))
    _ = text.replace(3..<3, with: Array(" A".utf8))
    _ = text.replace(0..<0, with: Array("B ".utf8))
    text.takeIn([TextEdit(offset: 0, removed: 2)])
    text.markSaved()
    #expect(String(decoding: text.buffer.bytes, as: UTF8.self) == "one A")
    #expect(text.undo() != .moved && text.isModified)
    #expect(text.redo() != .moved && !text.isModified)
    text.takeIn([TextEdit(offset: 3, removed: 2)])
    #expect(text.undo() == .moved && !text.isModified)
    #expect(text.redo() == .moved && !text.isModified)
  }

  /// 3,000 lines, each with a capital letter of the member's in a step of its own.
  private func longText() -> EditableText {
    var text = EditableText(Array((0..<3000).map { "line \($0 + 1000)\n" }.joined().utf8))
    for line in 0..<3000 { _ = text.replace((11 * line)..<(11 * line), with: [UInt8(ascii: "X")]) }
    return text
  }

  @Test func `a few edits meet each step, and undo takes back exactly one's own`() {
    var text = longText()
    let met = text.takeIn((0..<20).map { TextEdit(offset: 1100 * $0 + 1, removed: 4, inserted: Array("word".utf8)) })
    #expect(met == 20 * 3000)
    while text.undo() != .moved {}
    let lines = (0..<3000).map { ($0 % 100 == 0 && $0 < 2000 ? "word" : "line") + " \($0 + 1000)\n" }
    #expect(String(decoding: text.buffer.bytes, as: UTF8.self) == lines.joined())
  }

  @Test func `thousands of edits over thousands of steps are bounded work, and give the same text`() {
    var text = longText()
    let edits = (0..<2000).map { TextEdit(offset: 11 * $0 + 1, removed: 4, inserted: Array("word".utf8)) }
    #expect(text.takeIn(edits) <= 3 * EditHistory.mostMeetings)
    let whole = (0..<3000).map { "X" + ($0 < 2000 ? "word" : "line") + " \($0 + 1000)\n" }.joined()
    #expect(String(decoding: text.buffer.bytes, as: UTF8.self) == whole)
    while text.undo() != .moved {}
    let undone = String(decoding: text.buffer.bytes, as: UTF8.self)
    #expect(undone.filter { $0 != "X" } == whole.filter { $0 != "X" })
    // Within joined edits nothing is taken back.
    #expect(undone.hasSuffix("\nline 3999\n") && undone.hasPrefix("word 1000\nXword"))
  }

  @Test func `steps beyond the bound are forgotten as whole groups`() {
    var history = EditHistory()
    let most = EditHistory.mostMeetings
    for number in 0..<32 {
      if number % 4 == 0 { history.beginGroup() }
      history.record(.init(offset: 0, removed: [], inserted: [1], cursor: 0), .other)
    }
    history.endGroup()
    let edit = EditHistory.Step(offset: 32, removed: [], inserted: [2], cursor: 32)
    let met = history.takeIn(Array(repeating: edit, count: most / 4))
    #expect(met <= 2 * most + most / 4)
    #expect(history.done.count == 8 && history.done.first?.continues == false)
  }

  @Test func `vi's last selection and a selection by mouse stay with their text`() {
    var editor = editor("one |two three")
    editor.useVi()
    for letter in ["v", "e"] { _ = editor.handle(Key(.character(Unicode.Scalar(letter) ?? " "))) }
    _ = editor.handle(Key(.escape))
    editor.takeIn([TextEdit(offset: 0, inserted: Array("new\n".utf8))])
    for letter in ["g", "v"] { _ = editor.handle(Key(.character(Unicode.Scalar(letter) ?? " "))) }
    _ = editor.handle(Key(.character("d")))
    #expect(String(decoding: editor.bytes, as: UTF8.self) == "new\none  three")
    editor.text.select(4..<7)
    editor.takeIn([TextEdit(offset: 0, inserted: Array("a ".utf8))])
    #expect(editor.text.selection == 6..<9)
  }
}

extension EditableText {
  @discardableResult
  fileprivate mutating func takeIn(_ edits: [TextEdit]) -> Int {
    var places: [Int] = []
    return takeIn(edits, moving: &places)
  }
}
