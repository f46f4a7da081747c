import TestKit
import Testing

@testable import TextUI

@Suite struct EditableTextTests {
  @Test func `random edits can be replayed from their log, undone to the start and done again`() {
    var generator = SeededNumbers(9)
    let original = HostileText.random(&generator, count: 5000)
    var text = EditableText(original)
    var model = original
    for _ in 0..<TestTier.process.rounds(4_000) {
      text.move(to: generator.below(8) == 0 ? generator.below(text.buffer.count + 1) : text.cursor)
      let outcome: EditOutcome =
        switch generator.below(12) {
        case 0...4: .edited([text.type([UInt8(0x61 + generator.below(26))])])
        case 5: .edited([text.type([0x20])])
        case 6: .edited([text.breakLine()])
        case 7: text.deleteBackward()
        case 8: text.deleteForward()
        case 9: text.insert(HostileText.random(&generator, count: generator.below(20)))
        case 10: generator.below(2) == 0 ? text.kill(to: text.cursor + generator.below(40) - 20) : text.yank()
        default: generator.below(2) == 0 ? text.undo() : text.redo()
        }
      guard case .edited(let edits) = outcome else { continue }
      for edit in edits {
        #expect(edit.fits(model.count))
        model.replaceSubrange(edit.offset..<(edit.offset + edit.removed), with: edit.inserted)
      }
    }
    #expect(text.buffer.bytes == model)
    while text.undo() != .moved {}
    #expect(text.buffer.bytes == original)
    #expect(!text.isModified)
    while text.redo() != .moved {}
    #expect(text.buffer.bytes == model)
    #expect(text.isModified)
  }

  @Test func `a log of edits makes the same text from the same start`() {
    var first = EditableText(Array("one two".utf8))
    var log: [TextEdit] = []
    first.move(to: 3)
    log.append(first.type(Array("!".utf8)))
    if case .edited(let edits) = first.kill(to: 0) { log += edits }
    var second = EditableText(Array("one two".utf8))
    for edit in log { #expect(second.apply(edit) == true) }
    #expect(second.buffer.bytes == first.buffer.bytes)
    #expect(second.isModified)
  }

  @Test(arguments: [
    TextEdit(offset: 4, removed: 0, inserted: [1]), TextEdit(offset: 0, removed: 4), TextEdit(offset: -1, removed: 1),
    TextEdit(offset: 2, removed: .max), TextEdit(offset: 0, removed: -1),
  ])
  func `an edit that does not fit is refused`(edit: TextEdit) {
    var text = EditableText(Array("abc".utf8))
    #expect(text.apply(edit) == false)
    #expect(text.buffer.bytes == Array("abc".utf8))
  }

  @Test func `undoing goes back to the saved text by any way`() {
    var text = EditableText(Array("a".utf8))
    _ = text.type(Array("b".utf8))
    text.markSaved()
    _ = text.type(Array("c".utf8))
    #expect(text.isModified)
    _ = text.undo()
    #expect(!text.isModified)
    _ = text.undo()
    #expect(text.isModified)
    _ = text.type(Array("x".utf8))
    _ = text.undo()
    #expect(text.isModified)
  }

  @Test func `steps beyond the limit are forgotten, but never the newest one`() {
    var history = EditHistory(maximumBytes: 1000)
    for size in [400, 300, 300, 5000] {
      let bytes = [UInt8](repeating: 0x61, count: size)
      history.record(.init(offset: 0, removed: [], inserted: bytes, cursor: 0), .other)
    }
    #expect(history.undo().map(\.inserted.count) == [5000])
    #expect(history.undo().isEmpty)
    #expect(history.isModified)
  }

  @Test(arguments: [("a\r\nb", "a\r\n\r\nb"), ("a\nb", "a\n\nb"), ("", "\n")])
  func `a new line break is like the first one`(text: String, result: String) {
    var editable = EditableText(Array(text.utf8))
    editable.move(to: min(1, text.utf8.count))
    _ = editable.breakLine()
    #expect(editable.buffer.bytes == Array(result.utf8))
  }
}
