import Basics
import CSQLite
import FileStores
import TestKit
import Testing

@testable import Database

/// The earlier texts of notes in the catalogue.
@Suite struct PastTests {
  private let catalogue: CatalogueDatabase
  private let now = Timestamp(seconds: 1_900_000_000)

  init() throws { catalogue = try CatalogueDatabase(path: ":memory:") }

  private func keep(_ text: String, _ path: String, _ revision: Int) throws {
    let bytes = Array(text.utf8)
    let entry = FileEntry(
      path: try StorePath(path), kind: .file, size: UInt64(bytes.count), revision: Revision("\(revision)"))
    try catalogue.keepPast(bytes, hash: SHA256.hexadecimal(of: bytes), of: entry, club: "c", now: now)
  }

  /// Counts the steps of SQLite's machine: a measure that no other work of the computer changes.
  private func steps(_ body: () throws -> Void) throws -> Int {
    final class Counter { var count = 0 }
    let counter = Counter()
    let place = Unmanaged.passUnretained(counter).toOpaque()
    func count(_ place: UnsafeMutableRawPointer?) throws {
      try catalogue.file.read { connection in
        connection.withHandle { handle in
          guard place != nil else { return sqlite3_progress_handler(handle, 0, nil, nil) }
          sqlite3_progress_handler(
            handle, 1,
            { place in
              if let place { Unmanaged<Counter>.fromOpaque(place).takeUnretainedValue().count += 1 }
              return 0
            }, place)
        }
      }
    }
    try count(place)
    try body()
    try count(nil)
    return counter.count
  }

  @Test(arguments: [false, true])
  func `a revision that was written here stays an own one, though it is read before or after`(readsFirst: Bool) throws {
    let entry = FileEntry(path: try StorePath("a.md"), kind: .file, size: 1, revision: Revision("1"))
    for isOwn in [!readsFirst, readsFirst] {
      try catalogue.keepPast([65], hash: "a", of: entry, isOwn: isOwn, club: "c", now: now)
    }
    #expect(try catalogue.isOwnPast(entry.path, Revision("1"), club: "c"))
    #expect(try !catalogue.isOwnPast(entry.path, Revision("2"), club: "c"))
    try keep("x", "b.md", 1)
    #expect(try !catalogue.isOwnPast(try StorePath("b.md"), Revision("1"), club: "c"))
  }

  @Test func `keeping a text costs the same, however many versions there are`() throws {
    for number in 0..<100 { try keep("text \(number)", "n\(number).md", number) }
    let few = try steps { try keep("text 100", "a.md", 100) }
    for number in 101..<3000 { try keep("text \(number)", "n\(number).md", number) }
    let many = try steps { try keep("text 3000", "b.md", 3000) }
    #expect(many < few * 2, "\(few) steps became \(many)")
  }

  @Test func `a note has its last hundred versions, and a text that none has is gone`() throws {
    for number in 0..<130 { try keep("text \(number)", "a.md", number) }
    let path = try StorePath("a.md")
    let kept = try catalogue.past(of: path, club: "c").compactMap(\.revision)
    #expect(kept == (30..<130).reversed().map { Revision("\($0)") })
    let texts = try catalogue.file.read { try $0.first("SELECT COUNT(*) FROM past_texts")?.number(0) }
    #expect(texts == 100)
  }

  @Test func `above the limit the oldest texts go first, and a text of two versions counts once`() throws {
    let large = String(repeating: "x", count: 1_000_000)
    for number in 0..<70 { try keep("\(number) " + large, "n\(number).md", number) }
    for number in 0..<10 { try keep("69 " + large, "n69.md", 1000 + number) }
    let left = try (0..<70).filter { try !catalogue.past(of: StorePath("n\($0).md"), club: "c").isEmpty }
    #expect(left == Array(3..<70))
    let last = try catalogue.pastText(of: StorePath("n69.md"), revision: Revision("1009"), club: "c")
    #expect(last?.count == 1_000_003)
    #expect(try catalogue.pastText(of: StorePath("n2.md"), revision: Revision("2"), club: "c") == nil)
  }

  @Test func `two notes that change places take their versions along`() throws {
    let (one, other) = (try StorePath("a.md"), try StorePath("b.md"))
    try keep("one", "a.md", 1)
    try keep("two", "b.md", 2)
    try catalogue.movePast([one: other, other: one], club: "c")
    #expect(try catalogue.past(of: one, club: "c").compactMap(\.revision) == [Revision("2")])
    #expect(try catalogue.past(of: other, club: "c").compactMap(\.revision) == [Revision("1")])
  }
}
