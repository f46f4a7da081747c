import Testing

@testable import Zip

/// The records, byte by byte, as APPNOTE.TXT lays them out (4.3).
@Suite struct ZipWriterTests {
  /// 2001-09-09 01:46:40
  private let time: Int64 = 1_000_000_000
  private let extra = "5554 0500 01 00ca9a3b"

  @Test func `A folder, a small file and a file in pieces are these bytes`() {
    var writer = ZipWriter()
    var all: [UInt8] = []
    writer.addFolder("m", modified: time, to: &all)
    writer.addFile("m/a.txt", modified: time, content: Array("123456789".utf8)[...], to: &all)
    writer.beginFile("m/b", modified: time, atMost: 9, to: &all)
    writer.addContent(Array("12345".utf8)[...], to: &all)
    writer.addContent(Array("6789".utf8)[...], to: &all)
    writer.endFile(to: &all)
    writer.finish(to: &all)

    // Signature, version, flags, method, time, date, checksum, packed, size, lengths of name and extra, name, extra.
    let folder = bytes(
      "504b0304 1400 0008 0000 d40d 292b 00000000 00000000 00000000 0200 0900", text("m/"), extra)
    let small = bytes(
      "504b0304 1400 0008 0000 d40d 292b 2639f4cb 09000000 09000000 0700 0900", text("m/a.txt"), extra,
      text("123456789"))
    let inPieces = bytes(
      "504b0304 1400 0808 0800 d40d 292b 00000000 00000000 00000000 0300 0900", text("m/b"), extra,
      // Blocks: not the last, five bytes and their complement; and an empty one, which is the last.
      "00 0500 faff", text("12345"), "00 0400 fbff", text("6789"), "01 0000 ffff",
      // Signature, checksum, packed, size.
      "504b0708 2639f4cb 18000000 09000000")
    // Signature, made by, version, flags, method, time, date, checksum, packed, size, lengths of name, extra and comment,
    // disk, inner and outer attributes, offset, name, extra.
    let directory = bytes(
      "504b0102 3f03 1400 0008 0000 d40d 292b 00000000 00000000 00000000 0200 0900 0000 0000 0000 1000ed41 00000000",
      text("m/"), extra,
      "504b0102 3f03 1400 0008 0000 d40d 292b 2639f4cb 09000000 09000000 0700 0900 0000 0000 0000 0000a481 29000000",
      text("m/a.txt"), extra,
      "504b0102 3f03 1400 0808 0800 d40d 292b 2639f4cb 18000000 09000000 0300 0900 0000 0000 0000 0000a481 60000000",
      text("m/b"), extra)
    #expect(folder.count == 0x29 && folder.count + small.count == 0x60)
    // Signature, disks, entries here and in all, the directory's size and offset, length of the comment.
    let end = bytes("504b0506 0000 0000 0300 0300", text(""), "b1000000", "b2000000", "0000")
    #expect(directory.count == 0xB1 && folder.count + small.count + inPieces.count == 0xB2)
    #expect(all == folder + small + inPieces + directory + end)
  }

  @Test func `An archive of nothing is its end alone`() {
    var writer = ZipWriter()
    #expect(written(&writer) { $0.finish(to: &$1) } == bytes("504b0506 0000 0000 0000 0000 00000000 00000000 0000"))
  }

  @Test(
    "The checksum is that of ISO 3309, the same in one piece and in several",
    arguments: [
      ("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926),
      ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ] as [(String, UInt64)])
  func checksums(text: String, checksum: UInt64) {
    let content = Array(text.utf8)
    var writer = ZipWriter()
    let whole = written(&writer) { $0.addFile("a", modified: time, content: content[...], to: &$1) }
    #expect(whole.number(4, at: 14) == checksum)
    let pieces = written(&writer) { writer, bytes in
      writer.beginFile("b", modified: time, atMost: UInt64(content.count), to: &bytes)
      for byte in content { writer.addContent([byte][...], to: &bytes) }
      writer.endFile(to: &bytes)
    }
    #expect(pieces.number(4, at: pieces.count - 12) == checksum)
  }

  @Test(
    "Content is cut into blocks of at most 65,535 bytes",
    arguments: [
      (0, []), (1, [1]), (65_534, [65_534]), (65_535, [65_535]), (65_536, [65_535, 1]), (131_070, [65_535, 65_535]),
      (200_000, [65_535, 65_535, 65_535, 3395]),
    ] as [(Int, [Int])])
  func blocks(count: Int, blocks: [Int]) {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    var writer = ZipWriter()
    let all = written(&writer) { writer, bytes in
      writer.beginFile("a", modified: time, atMost: UInt64(count), to: &bytes)
      writer.addContent(content[...], to: &bytes)
      writer.endFile(to: &bytes)
    }
    var expected: [UInt8] = []
    var rest = content[...]
    for size in blocks {
      let (low, high) = (UInt8(size & 255), UInt8(size >> 8))
      expected += [0, low, high, ~low, ~high] + rest.prefix(size)
      rest = rest.dropFirst(size)
    }
    expected += [1, 0, 0, 255, 255]
    #expect(rest.isEmpty)
    let header = 30 + 1 + 9
    #expect(Array(all[header..<(all.count - 16)]) == expected)
    #expect(all.number(4, at: all.count - 8) == UInt64(expected.count))
    #expect(all.number(4, at: all.count - 4) == UInt64(count))
  }

  @Test(
    "Names are UTF-8, and said to be",
    arguments: ["plain", "Größe 🌄.jpg", "e\u{301}", "\u{65E5}\u{672C}/\u{8A9E}", "a\\b", ""])
  func names(name: String) {
    var writer = ZipWriter()
    let all = written(&writer) { $0.addFile(name, modified: time, content: [], to: &$1) }
    #expect(all.number(2, at: 6) & 1 << 11 != 0)
    #expect(all.number(2, at: 26) == UInt64(name.utf8.count))
    #expect(Array(all[30..<(30 + name.utf8.count)]) == Array(name.utf8))
  }

  @Test func `Of a name that the format cannot have the front is written, and a folder stays one`() {
    var writer = ZipWriter()
    let name = String(repeating: "x", count: 70_000)
    let file = written(&writer) { $0.addFile(name, modified: time, content: [], to: &$1) }
    #expect(file.number(2, at: 26) == 65_535 && file.count == 30 + 65_535 + 9)
    let folder = written(&writer) { $0.addFolder(name, modified: time, to: &$1) }
    #expect(folder.number(2, at: 26) == 65_535 && folder[30 + 65_534] == UInt8(ascii: "/"))
  }

  @Test(
    "A time that the extra field's 32 bits do not hold is in the header alone",
    arguments: [
      (Int64(Int32.max), 9), (Int64(Int32.max) + 1, 0), (-1, 9), (Int64(Int32.min), 9), (Int64(Int32.min) - 1, 0),
      (.max, 0),
    ] as [(Int64, UInt64)])
  func times(seconds: Int64, extra: UInt64) {
    var writer = ZipWriter()
    let all = written(&writer) { $0.addFolder("", modified: seconds, to: &$1) }
    #expect(all.number(2, at: 28) == extra)
    #expect(all.count == 31 + Int(extra))
    #expect(all.number(4, at: 10) == UInt64(DOSTime.word(seconds)))
    guard extra > 0 else { return }
    #expect(Int32(truncatingIfNeeded: all.number(4, at: 31 + 5)) == Int32(exactly: seconds))
  }
}
