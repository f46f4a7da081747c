import TestKit
import Testing

@testable import TextUI

@Suite struct SoftWrapTests {
  private static func rows(_ text: String, _ width: Int, hasRowForCursor: Bool = false) -> [String] {
    let buffer = TextBuffer(Array(text.utf8))
    return SoftWrap(width: width, hasRowForCursor: hasRowForCursor).rows(from: 0, count: 1000, in: buffer).map {
      String(decoding: buffer.bytes(in: $0.start..<$0.end), as: UTF8.self)
    }
  }

  @Test(
    "rows end at words",
    arguments: [
      ("hello world", 20, ["hello world"]), ("hello world", 11, ["hello world"]),
      ("hello world", 10, ["hello ", "world"]),
      ("hello world", 5, ["hello ", "world"]), ("hello world", 4, ["hell", "o ", "worl", "d"]), ("", 5, [""]),
      ("\n", 5, ["", ""]),
      ("a\nb\r\nc", 5, ["a", "b", "c"]), ("a-b", 2, ["a-", "b"]), ("漢字漢", 4, ["漢字", "漢"]), ("漢字漢", 3, ["漢", "字", "漢"]),
      ("漢字", 1, ["漢", "字"]), ("ab 漢字", 5, ["ab 漢", "字"]), ("a\tb", 4, ["a\t", "b"]), ("a  b", 2, ["a  ", "b"]),
      ("abcde ", 5, ["abcde "]), ("a\r", 5, ["a\r"]),
      ("serve --drop-pages", 14, ["serve ", "--drop-pages"]), ("x (\"--a-b\") c", 10, ["x ", "(\"--a-b\") ", "c"]),
      ("--drop-pages", 8, ["--drop-p", "ages"]), ("--- a", 3, ["--- ", "a"]), ("well-known", 6, ["well-", "known"]),
    ])
  func words(text: String, width: Int, rows: [String]) {
    #expect(Self.rows(text, width) == rows)
  }

  @Test func `a line that ends in a hanging space has a row for the cursor`() {
    #expect(Self.rows("abcde \nx", 5, hasRowForCursor: true) == ["abcde ", "", "x"])
  }

  @Test func `a width below one is one`() { #expect(Self.rows("ab", -3) == ["a", "b"]) }

  @Test func `rows cover all text, fit the width, and are found again from any offset`() {
    var generator = SeededNumbers(8)
    for round in 0..<300 {
      let buffer = TextBuffer(HostileText.random(&generator, count: round % 50 == 0 ? 40_000 : 200))
      let wrap = SoftWrap(width: 1 + generator.below(30), hasRowForCursor: round % 2 == 0)
      let rows = wrap.rows(from: 0, count: .max, in: buffer)
      for (row, next) in zip(rows, rows.dropFirst()) { #expect(row.next == next.start && row.end <= next.start) }
      #expect(rows.first?.start == 0)
      #expect(rows.last?.next == nil)
      #expect(rows.last?.end == buffer.count)
      for _ in 0..<20 {
        let index = generator.below(rows.count)
        let row = rows[index]
        if row.start < row.end {
          #expect(wrap.row(at: row.start + generator.below(row.end - row.start), in: buffer) == row)
        }
        let up = generator.below(index + 3)
        #expect(wrap.start(up, rowsAbove: row.start, in: buffer) == rows[max(0, index - up)].start)
        #expect(wrap.rows(from: row.start, count: 3, in: buffer) == Array(rows[index...].prefix(3)))
        let columns = wrap.column(of: row.end, in: row, of: buffer)
        let glyphs = Array(GlyphReader(buffer.bytes(in: row.start..<row.end)[...]))
        #expect(columns <= wrap.width + 1 || glyphs.count == 1, "\(columns) of \(wrap.width)")
      }
    }
  }

  @Test func `the offset at a column is the glyph's that is drawn there`() {
    let text = "a\t漢e\u{0301}z"
    let buffer = TextBuffer(Array(text.utf8))
    let wrap = SoftWrap(width: 20)
    let row = wrap.row(at: 0, in: buffer)
    #expect((0...9).map { wrap.offset(atColumn: $0, in: row, of: buffer) } == [0, 1, 1, 1, 2, 2, 5, 8, 9, 9])
    #expect([0, 1, 2, 5, 8, 9].map { wrap.column(of: $0, in: row, of: buffer) } == [0, 1, 4, 6, 7, 8])
  }
}
