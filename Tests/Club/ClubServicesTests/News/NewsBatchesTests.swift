import FileStores
import Testing

@testable import ClubServices

@Suite struct NewsBatchesTests {
  private let start = ContinuousClock.now

  private func at(_ seconds: Int) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

  static func item(_ name: String, _ revision: String = "1", at seconds: Int64 = 0, isAdded: Bool = true) throws
    -> NewsItem
  {
    let path = try StorePath(name)
    let file = FileEntry(path: path, kind: .file, revision: Revision(revision))
    return NewsItem(
      Happening(time: Timestamp(seconds: seconds), member: "ann", thing: path, kind: .file), isAdded: isAdded,
      try #require(NewsCursor.Mark(file)))
  }

  @Test func `fifty photos are one batch, whatever the looks that find them`() throws {
    var batches = NewsBatches()
    let photos = try (0..<50).map { try Self.item("photos/\($0 + 100).jpg", at: Int64($0)) }
    for count in 1...50 { batches.take(Array(photos.prefix(count)), at: at(count)) }
    #expect(batches.step(at: at(59)) == .wait(until: at(60)))
    #expect(batches.step(at: at(60)) == .give(photos))
    #expect(batches.step(at: at(61)) == .wait(until: nil))
    batches.gave(isTaken: true, at: at(62))
    #expect(batches.isEmpty)
    // They are not marked yet, and are in the next look, too.
    batches.take(photos, at: at(63))
    #expect(batches.step(at: at(1000)) == .wait(until: nil))
  }

  @Test func `a refused batch is given again after pauses that grow to five minutes`() throws {
    var batches = NewsBatches()
    let item = try Self.item("a")
    batches.take([item], at: at(0))
    #expect(batches.step(at: at(10)) == .give([item]))
    var now = 10
    for pause in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
      batches.gave(isTaken: false, at: at(now))
      #expect(batches.step(at: at(now)) == .wait(until: at(now + pause)))
      now += pause
      #expect(batches.step(at: at(now)) == .give([item]))
    }
    batches.gave(isTaken: true, at: at(now))
    #expect(batches.isEmpty)
  }

  @Test func `what happens while a batch is under way comes in the next one`() throws {
    var batches = NewsBatches()
    let (first, second) = (try Self.item("a"), try Self.item("b"))
    batches.take([first], at: at(0))
    #expect(batches.step(at: at(10)) == .give([first]))
    batches.take([first, second], at: at(11))
    batches.gave(isTaken: false, at: at(12))
    #expect(batches.step(at: at(13)) == .give([first]))
    batches.gave(isTaken: true, at: at(14))
    #expect(!batches.isEmpty)
    #expect(batches.step(at: at(21)) == .give([second]))
  }

  @Test func `a new file that changes within a batch is one item, and new`() throws {
    var batches = NewsBatches()
    let (first, second) = (try Self.item("a", "1", at: 1), try Self.item("a", "2", at: 5, isAdded: false))
    batches.take([first], at: at(0))
    batches.take([second], at: at(5))
    #expect(batches.step(at: at(15)) == .give([try Self.item("a", "2", at: 5)]))
  }
}
