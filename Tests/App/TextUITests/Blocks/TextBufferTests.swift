import TestKit
import Testing

@testable import TextUI

@Suite struct TextBufferTests {
  @Test func `random changes leave the same bytes as in an array`() {
    var generator = SeededNumbers(42)
    var model: [UInt8] = (0..<200_000).map { $0 % 37 == 0 ? 0x0A : UInt8($0 % 251) }
    var buffer = TextBuffer(model)
    for round in 0..<TestTier.process.rounds(4_000) {
      let start = generator.below(model.count + 1)
      let length = min(model.count - start, generator.below(round % 100 == 0 ? 9000 : 12))
      let inserted = (0..<generator.below(round % 90 == 0 ? 9000 : 12)).map { _ in UInt8(generator.below(30)) }
      let removed = buffer.replace(start..<(start + length), with: inserted)
      #expect(removed == Array(model[start..<(start + length)]))
      model.replaceSubrange(start..<(start + length), with: inserted)
      if round % 1000 == 0 {
        #expect(buffer.bytes == model)
        Self.compare(buffer, model, &generator)
      }
    }
    #expect(buffer.bytes == model)
    #expect(buffer.parts.flatMap { $0 } == model)
    Self.compare(buffer, model, &generator)
  }

  private static func compare(_ buffer: TextBuffer, _ model: [UInt8], _ generator: inout SeededNumbers) {
    #expect(buffer.count == model.count)
    #expect(buffer.newlineCount == model.count { $0 == 0x0A })
    #expect(buffer.chunks.allSatisfy { $0.count == $0.bytes.count && $0.count > 0 })
    for _ in 0..<5 {
      let offset = generator.below(model.count)
      #expect(buffer[offset] == model[offset])
      #expect(buffer.newline(from: offset) == model[offset...].firstIndex(of: 0x0A))
      #expect(buffer.newline(before: offset) == model[..<offset].lastIndex(of: 0x0A))
      let line = model[..<offset].count { $0 == 0x0A }
      #expect(buffer.line(at: offset) == line)
      #expect(buffer.start(ofLine: line) == buffer.lineStart(at: offset))
      let end = min(model.count, offset + generator.below(80_000))
      #expect(buffer.bytes(in: offset..<end) == Array(model[offset..<end]))
    }
  }

  @Test func `what begins a chunk is found where it begins`() {
    let model = (0..<300_000).map { UInt8($0 / 997 % 251) }
    let buffer = TextBuffer(model)
    #expect(buffer.chunks.count > 5)
    var border = 0
    for chunk in buffer.chunks {
      #expect(buffer.locate(border).start == border)
      #expect(buffer[border] == model[border])
      #expect(buffer.bytes(in: (border - 1)..<(border + 1)) == Array(model[max(0, border - 1)..<(border + 1)]))
      border += chunk.count
    }
  }

  @Test func `many small deletions leave few chunks`() {
    var buffer = TextBuffer([UInt8](repeating: 0x61, count: 1_000_000))
    var generator = SeededNumbers(3)
    while buffer.count > 20_000 {
      let start = generator.below(buffer.count)
      buffer.replace(start..<(start + 5000), with: [])
    }
    #expect(buffer.chunks.count <= 8)
  }

  @Test func `a copy keeps its bytes when the other changes`() {
    let original = TextBuffer(Array("one\ntwo".utf8))
    var other = original
    other.replace(0..<3, with: Array("1".utf8))
    #expect(original.bytes == Array("one\ntwo".utf8))
    #expect(other.bytes == Array("1\ntwo".utf8))
  }

  @Test(arguments: [-5..<(-1), 0..<0, 5..<9, -3..<99])
  func `ranges are cut to the text`(range: Range<Int>) {
    var buffer = TextBuffer(Array("abc".utf8))
    let removed = buffer.replace(range, with: [])
    #expect(removed.count + buffer.count == 3)
  }

  @Test(
    "the end of a line is before its line break",
    arguments: [
      ("ab\ncd", 0, 2), ("ab\r\ncd", 0, 2), ("ab\r\ncd", 3, 2), ("ab\r", 0, 3), ("\r\n", 0, 0), ("\n", 0, 0),
      ("", 0, 0),
    ])
  func lineEnds(text: String, offset: Int, end: Int) {
    #expect(TextBuffer(Array(text.utf8)).lineEnd(at: offset) == end)
  }

  @Test func `glyph steps go over every byte and back the same way`() {
    var generator = SeededNumbers(5)
    for _ in 0..<300 {
      let buffer = TextBuffer(HostileText.random(&generator, count: 120))
      var places = [0]
      while let last = places.last, last < buffer.count {
        places.append(buffer.glyphEnd(after: last))
        #expect(places[places.count - 1] > last)
      }
      var back = [buffer.count]
      while let last = back.last, last > 0 { back.append(buffer.glyphStart(before: last)) }
      #expect(Array(back.reversed()) == places)
    }
  }

  @Test func `segments of a long line follow each other without a gap`() {
    var generator = SeededNumbers(6)
    let words = (0..<60_000).map { _ in ["word ", "漢字", "e\u{0301}", "x"][generator.below(4)] }.joined()
    let buffer = TextBuffer(Array(words.utf8) + [0x0A] + Array("next".utf8))
    var offset = 0
    var count = 0
    while true {
      let segment = buffer.segment(at: offset)
      #expect(segment.range.lowerBound == offset)
      #expect(segment.range.count <= TextBuffer.segmentSize + 256)
      #expect(buffer.segment(at: offset + segment.range.count / 2) == segment)
      #expect(String(validating: buffer.bytes(in: segment.range), as: UTF8.self) != nil)
      count += 1
      guard let next = segment.next else { break }
      offset = next
    }
    #expect(count > 5)
  }
}
