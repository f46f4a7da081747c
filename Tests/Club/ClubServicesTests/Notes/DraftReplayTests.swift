import TestKit
import Testing

@testable import ClubServices

@Suite struct DraftReplayTests {
  @Test(arguments: 0..<40)
  func `a replay gives what plain arrays give`(seed: UInt64) {
    var random = SeededNumbers(seed)
    var text = (0..<random.below(200)).map { UInt8($0) }
    var replay = DraftReplay(text)
    for _ in 0..<300 {
      let offset = random.below(text.count + 1)
      let removed = random.below(min(text.count - offset, 9) + 1)
      let inserted = (0..<random.below(random.below(10) == 0 ? 500 : 5)).map { UInt8(truncatingIfNeeded: $0 &+ offset) }
      text.replaceSubrange(offset..<(offset + removed), with: inserted)
      let fits = replay.apply([DraftEdit(offset: offset, removed: removed, inserted: inserted)])
      #expect(fits)
      #expect(replay.count == text.count)
    }
    #expect(replay.text == text)
  }

  @Test(arguments: [(4, 0), (-1, 0), (2, 2), (0, -1), (Int.max, 1), (1, Int.max)])
  func `edits that do not fit are refused as a whole`(offset: Int, removed: Int) {
    var replay = DraftReplay([1, 2, 3])
    let good = DraftEdit(offset: 0, removed: 0, inserted: [])
    let fits = replay.apply([good, DraftEdit(offset: offset, removed: removed, inserted: [9])])
    #expect(!fits)
    #expect(replay.text == [1, 2, 3])
  }

  @Test func `edits come back from their bytes`() {
    let edits = [
      DraftEdit(offset: 0, removed: 0, inserted: []), DraftEdit(offset: 127, removed: 128, inserted: [0, 255]),
      DraftEdit(offset: 100_000_000, removed: Int.max, inserted: Array(repeating: 7, count: 300)),
    ]
    #expect(DraftEdit.decode(DraftEdit.encode(edits)) == edits)
    #expect(DraftEdit.encode([DraftEdit(offset: 1000, removed: 0, inserted: [1])]).count == 5)
  }

  @Test(arguments: [[0x80], [1, 2, 5, 0], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]])
  func `bytes that hold no edits are none`(bytes: [UInt8]) {
    #expect(DraftEdit.decode(bytes) == nil)
  }
}
