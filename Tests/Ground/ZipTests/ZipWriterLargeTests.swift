import Testing

@testable import Zip

/// What 32 bits, or 16, do not hold (APPNOTE.TXT 4.3.14, 4.3.15, 4.5.3).
@Suite struct ZipWriterLargeTests {
  private let time: Int64 = .max

  @Test(
    "An entry behind 4 GiB has its offset in an extra field, and the archive a second end",
    arguments: [0xFFFF_FFFF, 0x1_0000_0000, 0x5_0000_0001] as [UInt64])
  func offsets(offset: UInt64) {
    var writer = ZipWriter(from: offset)
    let folder = written(&writer) { $0.addFolder("m", modified: time, to: &$1) }
    #expect(folder.number(2, at: 4) == 20, "Nothing in its own header is large.")
    let end = written(&writer) { $0.finish(to: &$1) }
    #expect(end.number(4, at: 0) == 0x0201_4B50)
    #expect(end.number(2, at: 6) == 45)
    #expect(end.number(4, at: 42) == 0xFFFF_FFFF)
    #expect(end.number(2, at: 30) == 12)
    #expect(Array(end[48..<52]) == bytes("0100 0800"))
    #expect(end.number(8, at: 52) == offset)
    let directory = offset + UInt64(folder.count)
    expectLargeEnd(end, at: 60, directory, size: 60, count: 1)
    #expect(Array(end.suffix(22)) == bytes("504b0506 0000 0000 0100 0100 3c000000 ffffffff 0000"))
  }

  @Test func `A directory that begins right before the border needs no second end, and one at it does`() {
    for (over, isLarge) in [(UInt64(1), false), (0, true)] {
      // A folder's header is 32 bytes here.
      var writer = ZipWriter(from: 0xFFFF_FFFF - 32 - over)
      #expect(written(&writer) { $0.addFolder("m", modified: time, to: &$1) }.count == 32)
      let end = written(&writer) { $0.finish(to: &$1) }
      #expect(end.number(2, at: 6) == 20)
      #expect(end.count == 48 + (isLarge ? 76 : 0) + 22)
      if isLarge { expectLargeEnd(end, at: 48, 0xFFFF_FFFF, size: 48, count: 1) }
      #expect(end.number(4, at: end.count - 6) == 0xFFFF_FFFF - over)
    }
  }

  @Test("65,535 entries need the second end, one less does not", arguments: [(65_534, false), (65_535, true)])
  func counts(count: Int, isLarge: Bool) {
    var writer = ZipWriter()
    var all: [UInt8] = []
    for _ in 0..<count { writer.addFolder("", modified: time, to: &all) }
    let end = written(&writer) { $0.finish(to: &$1) }
    let directory = count * 47
    #expect(end.count == directory + (isLarge ? 76 : 0) + 22)
    if isLarge { expectLargeEnd(end, at: directory, UInt64(all.count), size: UInt64(directory), count: UInt64(count)) }
    #expect(end.number(2, at: end.count - 12) == UInt64(count))
    #expect(end.number(4, at: end.count - 6) == UInt64(all.count))
  }

  @Test(
    "A file that may get too long for 32 bits says so before its content, and has long sizes after it",
    arguments: [(4_000_000_000, false), (4_000_000_001, true)] as [(UInt64, Bool)])
  func announced(size: UInt64, isLarge: Bool) {
    var writer = ZipWriter()
    let begin = written(&writer) { $0.beginFile("a", modified: time, atMost: size, to: &$1) }
    let rest = written(&writer) { writer, bytes in
      writer.addContent([1, 2, 3], to: &bytes)
      writer.endFile(to: &bytes)
    }
    let end = written(&writer) { $0.finish(to: &$1) }
    let sizes = isLarge ? "ffffffff ffffffff" : "00000000 00000000"
    let extra = isLarge ? "0100 1000 0000000000000000 0000000000000000" : ""
    #expect(
      begin
        == bytes(
          "504b0304", isLarge ? "2d00" : "1400", "0808 0800 7dbf 9fff 00000000", sizes, "0100",
          isLarge ? "1400" : "0000", text("a"), extra))
    #expect(
      Array(rest.dropFirst(13))
        == bytes(
          "504b0708 1d80bc55", isLarge ? "0d00000000000000 0300000000000000" : "0d000000 03000000"))
    // The directory has true sizes, which are short, and asks for as much of its reader as the header does.
    #expect(end.number(2, at: 6) == (isLarge ? 45 : 20))
    #expect(end.number(4, at: 20) == 13 && end.number(4, at: 24) == 3 && end.number(2, at: 30) == 0)
  }

  @Test(
    "In the directory each number that is too long for its place is in the extra field, in this order: size, packed",
    arguments: [
      (0xFFFF_FFFE, 0xFFFF_FFFE, [0xFFFF_FFFE, 0xFFFF_FFFE], []),
      (0xFFFF_FFFE, 0x1_0000_0002, [0xFFFF_FFFE, 0xFFFF_FFFF], [0x1_0000_0002]),
      (0xFFFF_FFFF, 0x1_0005_0003, [0xFFFF_FFFF, 0xFFFF_FFFF], [0xFFFF_FFFF, 0x1_0005_0003]),
      (0x1_0000_0000, 3, [0xFFFF_FFFF, 3], [0x1_0000_0000]),
    ] as [(UInt64, UInt64, [UInt64], [UInt64])])
  func sizes(size: UInt64, packed: UInt64, short: [UInt64], long: [UInt64]) {
    var entry = ZipWriter.Entry("a", .inPieces, modified: time, at: 7, isLarge: true)
    (entry.size, entry.packed) = (size, packed)
    var header: [UInt8] = []
    entry.appendCentralHeader(to: &header)
    #expect(header.number(4, at: 24) == short[0])
    #expect(header.number(4, at: 20) == short[1])
    #expect(header.number(4, at: 42) == 7)
    #expect(header.number(2, at: 30) == (long.isEmpty ? 0 : UInt64(4 + long.count * 8)))
    #expect(header.count == 47 + (long.isEmpty ? 0 : 4 + long.count * 8))
    for (place, number) in long.enumerated() { #expect(header.number(8, at: 51 + place * 8) == number) }
  }

  private func expectLargeEnd(
    _ end: [UInt8], at place: Int, _ directory: UInt64, size: UInt64, count: UInt64,
    at location: SourceLocation = #_sourceLocation
  ) {
    let record = bytes("504b0606 2c00000000000000 2d00 2d00 00000000 00000000")
    guard end.count >= place + 76 else {
      Issue.record("There is no second end.", sourceLocation: location)
      return
    }
    #expect(Array(end[place..<(place + 24)]) == record, sourceLocation: location)
    let numbers = [24, 32, 40, 48].map { end.number(8, at: place + $0) }
    #expect(numbers == [count, count, size, directory], sourceLocation: location)
    #expect(Array(end[(place + 56)..<(place + 64)]) == bytes("504b0607 00000000"), sourceLocation: location)
    #expect(end.number(8, at: place + 64) == directory + size, sourceLocation: location)
    #expect(end.number(4, at: place + 72) == 1, sourceLocation: location)
  }
}
