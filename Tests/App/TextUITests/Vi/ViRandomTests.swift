import TestKit
import Testing

@testable import TextUI

/// Random keys over random texts, and long texts.
@Suite struct ViRandomTests {
  private static let family = "👨‍👩‍👧‍👦"
  private static let pieces = [
    "a", "word", " ", "  ", "\t", "\n", "\n\n", "\r\n", "é", "e\u{301}", family, "日本", "(", ")", "{", "}", "[", "]",
    "\"", "'",
    ". ", "- item", "1. x\n", "\u{1}", "नि",
  ]
  private static let typed: [Key] =
    keys("hjklwbeWBE0$^_gG{}()%fFtT;,nN*#dcyxXDCYSspPoOaAiIrJ~uvV.><ZzHML123\"|/?:+-")
    + [
      Key(.escape), Key(.escape), Key(.escape), Key(.enter), Key(.backspace), Key(.tab), Key(.left), Key(.down),
      Key(.delete),
      Key(.character("r"), .control), Key(.character("d"), .control), Key(.character("u"), .control),
      Key(.character("f"), .control), Key(.character("w"), .control), Key(.character("e"), .control),
      Key(.character("y"), .control), Key(.pageUp), Key(.end, .control),
    ]

  private static func text(_ numbers: inout SeededNumbers) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<numbers.below(40) {
      bytes += numbers.below(30) == 0 ? [0xFF, 0xC3] : Array(pieces[numbers.below(pieces.count)].utf8)
    }
    return bytes
  }

  /// The places between characters as readers see them.
  private static func borders(_ bytes: [UInt8]) -> Set<Int> {
    Set(Graphemes.starts(in: bytes) + [bytes.count])
  }

  @Test("No keys trap, the cursor stands on a character, and undo leads back", arguments: 0..<60 as Range<UInt64>)
  func anyKeys(seed: UInt64) {
    var numbers = SeededNumbers(seed)
    let start = Self.text(&numbers)
    var editor = TextEditor(start)
    editor.resize(Size(24, 6))
    editor.useVi()
    // The edits that are reported make the same text.
    var shadow = TextBuffer(start)
    for _ in 0..<150 {
      let key = Self.typed[numbers.below(Self.typed.count)]
      let outcome = numbers.below(50) == 0 ? editor.paste(Array("p\u{301}q\n".utf8)) : editor.handle(key)
      if case .edited(let edits) = outcome {
        for edit in edits { shadow.replace(edit.offset..<(edit.offset + edit.removed), with: edit.inserted) }
      }
      let bytes = editor.bytes
      #expect(shadow.bytes == bytes)
      #expect(Self.borders(bytes).contains(editor.text.cursor), "\(key)")
      guard editor.vi?.mode == .normal else { continue }
      var text = ViText(editor.text.buffer)
      #expect(text.onCharacter(editor.text.cursor) == editor.text.cursor, "\(key)")
      guard bytes.count < 100_000 else { break }
    }
    for key in keys("<Esc><Esc>") { _ = editor.handle(key) }
    for _ in 0..<200 where editor.isModified { _ = editor.handle(Key(.character("u"))) }
    #expect(editor.bytes == start)
    #expect(drawn(24, 6) { editor.draw(on: &$0) }.cursor != nil)
  }

  /// 24 MB in lines, or in one line.
  @Test(.timing("a key has half a second of processor time"), arguments: [true, false])
  func `keys are quick in a long text`(hasLines: Bool) {
    let line = Array("the quick brown fox (jumps) over the lazy dog. \(hasLines ? "\n" : "")".utf8)
    var bytes: [UInt8] = []
    while bytes.count < 24 << 20 { bytes += line }
    var editor = TextEditor(bytes)
    editor.resize(Size(80, 24))
    editor.useVi()
    editor.move(to: bytes.count / 2)
    var slowest = 0.0
    for typed in [
      "3w", "dw", "x", "u", "iabc<Esc>", ".", "$", "0", "2b", "gUw", "cwx<Esc>", "yy", "J", "gg", "G", "k", "5j", "dd",
      "P",
    ]
    where hasLines || !["yy", "dd", "P", "J"].contains(typed) {
      let start = ThreadTime.seconds
      for key in keys(typed) { _ = editor.handle(key) }
      slowest = max(slowest, ThreadTime.seconds - start)
    }
    // Generous, for a debug build: reading the whole text takes seconds.
    #expect(slowest < 0.5)
  }

  @Test func `a search in a long text goes on in slices, and a key ends it`() {
    var bytes = [UInt8](repeating: 0x20, count: 12 << 20)
    bytes += Array("needle".utf8)
    var editor = TextEditor(bytes)
    editor.resize(Size(80, 24))
    editor.useVi()
    for key in keys("/needle<Enter>") { _ = editor.handle(key) }
    #expect(editor.vi?.isSeeking == true && editor.vi?.stateWords == "NORMAL looking" && editor.text.cursor == 0)
    var slices = 0
    while editor.vi?.isSeeking == true, slices < 100 {
      _ = editor.seekOn()
      slices += 1
    }
    #expect(slices > 2 && editor.text.cursor == 12 << 20)
    for key in keys("0n") { _ = editor.handle(key) }
    #expect(editor.vi?.isSeeking == true)
    for key in keys("l") { _ = editor.handle(key) }
    #expect(editor.vi?.isSeeking == false && editor.text.cursor == 1)
  }
}
