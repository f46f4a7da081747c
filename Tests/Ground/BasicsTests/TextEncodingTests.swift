import Basics
import Testing

/// Texts of other systems: their encodings and line ends.
struct TextEncodingTests {
  private static func utf16(_ text: String, isBig: Bool) -> [UInt8] {
    "\u{FEFF}\(text)".utf16.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBig ? [high, low] : [low, high]
    }
  }

  @Test(arguments: [false, true]) func `UTF-16 with its mark is read`(isBig: Bool) {
    let bytes = Self.utf16("café 😀\r\n", isBig: isBig)
    #expect(TextEncoding(bytes) == .utf16(isBigEndian: isBig))
    #expect(TextEncoding.shown(bytes) == Array("café 😀\r\n".utf8))
    #expect(TextEncoding(bytes.dropLast()) == .other)
  }

  @Test(
    arguments: [
      ([0x63, 0x61, 0x66, 0xE9], "café"), ([0xFC, 0x62, 0x65, 0x72, 0x0D, 0x0A], "über\r\n"),
      ([0x80, 0x20, 0x93, 0x61, 0x94], "€ “a”"), ([0xC3, 0x20], "Ã "),
    ] as [([UInt8], String)])
  func `Latin-1 as Windows has it is read`(row: (bytes: [UInt8], text: String)) {
    #expect(TextEncoding(row.bytes) == .latin1)
    #expect(TextEncoding.shown(row.bytes) == Array(row.text.utf8))
  }

  @Test(
    arguments: [
      ([], .utf8), ([0x61, 0, 0x62], .utf8), (Array("a\u{FEFF}".utf8), .utf8),
      ([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], .other),
      // A letter of UTF-8 and a broken byte; controls; bytes that are no letters.
      ([0xC3, 0xA9, 0xFF], .other), ([0xE9, 0x1B], .other), ([0xE9, 0x00], .other), ([0x81, 0x41], .other),
    ] as [([UInt8], TextEncoding)])
  func `all else stays as it is`(row: (bytes: [UInt8], encoding: TextEncoding)) {
    #expect(TextEncoding(row.bytes) == row.encoding)
    #expect(TextEncoding.shown(row.bytes) == row.bytes)
  }

  @Test func `the mark of UTF-8 is not shown`() {
    #expect(TextEncoding(Array("\u{FEFF}a".utf8)) == .utf8)
    #expect(TextEncoding.shown(Array("\u{FEFF}a".utf8)) == Array("a".utf8))
  }

  @Test func `texts of two encodings are not joined`() {
    let (ascii, utf8, latin, wide) = (Array("a".utf8), Array("é".utf8), [0xE9 as UInt8], Self.utf16("é", isBig: false))
    for (text, addition) in [(utf8, latin), (latin, utf8), (wide, ascii), (wide, utf8), (ascii, wide), (wide, wide)] {
      #expect(!TextEncoding.mayJoin(text, addition))
    }
    for (text, addition) in [
      (ascii, utf8), (ascii, latin), (latin, ascii), (latin, latin), (utf8, utf8), ([], wide), (wide, []),
      ([0xC3, 0xA9, 0xFF], utf8),
    ] {
      #expect(TextEncoding.mayJoin(text, addition))
    }
  }

  @Test(
    arguments: [
      ("", .lineFeed), ("one", .lineFeed), ("one\r", .lineFeed), ("one\ntwo\r\n", .lineFeed),
      ("one\r\ntwo\n", .carriageReturnAndLineFeed), ("\r\n", .carriageReturnAndLineFeed),
    ] as [(String, LineBreak)])
  func `the first line end is the text's`(row: (text: String, end: LineBreak)) {
    #expect(LineBreak(of: row.text.utf8) == row.end)
  }

  @Test func `what is added gets the text's line end`() {
    let crlf = LineBreak.carriageReturnAndLineFeed
    #expect(crlf.fitting(Array("a\nb\r\n\nc".utf8)) == Array("a\r\nb\r\n\r\nc".utf8))
    #expect(LineBreak.lineFeed.fitting(Array("a\r\nb\n".utf8)) == Array("a\r\nb\n".utf8))
  }
}
