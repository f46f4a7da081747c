import FileStores
import Testing

@testable import byteclub

/// Times, sizes, and names as people and scripts see them.
struct TextTests {
  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
    (1_709_251_199, "2024-02-29T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
    (-2_208_988_800, "1900-01-01T00:00:00Z"),
  ])
  func `times are RFC 3339 in UTC`(_ row: (seconds: Int64, text: String)) {
    #expect(RFC3339.text(Timestamp(seconds: row.seconds)) == row.text)
  }

  @Test func `fractions are kept to the nanosecond`() {
    #expect(RFC3339.text(Timestamp(nanoseconds: 1_000_000_001)) == "1970-01-01T00:00:01.000000001Z")
    #expect(RFC3339.text(Timestamp(nanoseconds: -500_000_000)) == "1969-12-31T23:59:59.5Z")
  }

  @Test(arguments: [
    ("\u{1B}[31mred", "^[[31mred"), ("a\nb\tc", "a^Jb^Ic"), ("x\u{202E}y", "x<U+202E>y"), ("a\u{200B}b", "a<U+200B>b"),
    ("\u{9B}2J", "<9B>2J"), ("日本 é", "日本 é"),
  ])
  func `what could drive a terminal is spelled`(_ row: (name: String, shown: String)) {
    #expect(TerminalText.filtered(row.name.utf8) == row.shown)
  }

  @Test func `sentences keep their lines`() {
    #expect(TerminalText.filteredLines("one\ntw\u{7}o\r\na\tb".utf8) == "one\ntw^Go\na       b")
  }

  @Test(arguments: [
    ("\u{1B}[1;31mred\u{1B}[0m\n", "\u{1B}[1;31mred\u{1B}[0m\n"), ("\u{1B}[m\u{1B}[2J", "\u{1B}[m^[[2J"),
    ("\u{1B}[38;5;1", "^[[38;5;1"), ("\u{1B}]52;c;eA==\u{7}▀", "^[]52;c;eA==^G▀"), ("\u{1B}[?1m\u{1B}", "^[[?1m^["),
    ("\u{1B}[0\u{9B}m\r", "^[[0<9B>m^M"),
  ])
  func `a drawing keeps its colours and nothing else that drives a terminal`(_ row: (drawing: String, shown: String)) {
    #expect(String(decoding: TerminalText.filteredDrawing(row.drawing.utf8), as: UTF8.self) == row.shown)
  }

  @Test func `a cut never splits a wide glyph`() {
    let (text, columns) = TerminalText.cut("日本語", columns: 5)
    #expect(text == "日本")
    #expect(columns == 4)
  }

  @Test(arguments: [
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColorAbility.trueColor),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none), (["TERM": "dumb"], .none),
    (["TERM": "vt100"], .none), (["TERM": "screen-256color"], .palette), (["TERM": "linux"], .sixteen), ([:], .none),
  ])
  func `colours are what the variables promise`(_ row: (variables: [String: String], ability: ColorAbility)) {
    #expect(ColorAbility(Environment(row.variables), isTerminal: true) == row.ability)
  }
}
