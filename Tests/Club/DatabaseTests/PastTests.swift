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

/// The texts of the catalogue against a model: a list of versions, the oldest first.
@Suite struct PastModelTests {
  private struct Version: Hashable {
    var (club, path, revision, text) = ("", "", "", "")
    var (kept, isOwn) = (Int64(0), false)
    func isAt(_ other: Self) -> Bool { club == other.club && path == other.path && revision == other.revision }
  }

  private static let mostBytes: Int64 = 400
  private static let year: Int64 = 365 * 86_400
  private var model: [Version] = []
  private let catalogue: CatalogueDatabase

  init() throws { catalogue = try CatalogueDatabase(path: ":memory:") }

  private var bytes: Int { Set(model.map(\.text)).reduce(0) { $0 + $1.utf8.count } }

  private mutating func keep(_ version: Version, size: Int) throws {
    let text = Array(version.text.utf8)
    let entry = FileEntry(
      path: try StorePath(version.path), kind: .file, size: UInt64(size), revision: Revision(version.revision))
    try catalogue.keepPast(
      text, hash: SHA256.hexadecimal(of: text), of: entry, isOwn: version.isOwn, club: version.club,
      now: Timestamp(seconds: version.kept), mostBytes: Self.mostBytes)
    var new = version
    if let known = model.firstIndex(where: version.isAt) {
      let old = model.remove(at: known)
      if old.text.utf8.count == text.count || size != text.count {
        (new.text, new.isOwn) = (old.text, old.isOwn || version.isOwn)
        return model.append(new)
      }
    }
    model.append(new)
    model.removeAll { $0.kept < version.kept - Self.year }
    while bytes > Self.mostBytes, model.count > 1 { model.removeFirst() }
  }

  private mutating func rename(_ change: (inout Version) -> Void) {
    for index in model.indices {
      var moved = model[index]
      change(&moved)
      if !model.contains(where: moved.isAt) { model[index] = moved }
    }
  }

  private func check() throws {
    for club in ["c", "d"] {
      for path in ["a.md", "b.md", "c.md"] {
        let (place, rows) = (try StorePath(path), model.reversed().filter { $0.club == club && $0.path == path })
        #expect(try catalogue.past(of: place, club: club).compactMap(\.revision?.value) == rows.map(\.revision))
        for row in rows {
          let revision = Revision(row.revision)
          #expect(try catalogue.pastText(of: place, revision: revision, club: club) == Array(row.text.utf8))
          #expect(try catalogue.isOwnPast(place, revision, club: club) == row.isOwn)
        }
      }
    }
    let sums = try catalogue.file.read { database in
      try database.first("SELECT bytes, (SELECT coalesce(SUM(bytes), 0) FROM past_texts) FROM past_sum")
    }
    #expect(sums?.values.map { $0.number ?? 0 } == [Int64(bytes), Int64(bytes)])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  mutating func `after any changes the kept texts are those of the model`(seed: UInt64) throws {
    var numbers = SeededNumbers(seed)
    var time: Int64 = 1_900_000_000
    for _ in 0..<600 {
      time += [1, 1, 1, 86_400, 40 * 86_400][numbers.below(5)]
      let (path, target) = (["a.md", "b.md", "c.md"][numbers.below(3)], ["a.md", "b.md", "c.md"][numbers.below(3)])
      switch numbers.below(40) {
      case 0:
        _ = try catalogue.clear()
        model = []
      case 1, 2:
        try catalogue.give(from: "d", to: "c")
        rename { if $0.club == "d" { $0.club = "c" } }
      case 3...6 where path != target:
        try catalogue.movePast([StorePath(path): StorePath(target)], club: "c")
        rename { if $0.club == "c", $0.path == path { $0.path = target } }
      default:
        let text = String(repeating: "abc".randomElement(using: &numbers) ?? "a", count: numbers.below(120))
        let version = Version(
          club: ["c", "c", "d"][numbers.below(3)], path: path, revision: "\(numbers.below(12))", text: text, kept: time,
          isOwn: numbers.below(4) == 0)
        try keep(version, size: numbers.below(2) == 0 ? text.utf8.count : numbers.below(120))
      }
      try check()
    }
  }

  @Test func `what an earlier version kept is read, also the texts that a member has seen`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("catalogue.sqlite")
    do {
      let old = SQLiteFile(path: path, purpose: .rebuilt, schema: Array(CatalogueDatabase.schema.prefix(6)))
      try old.write { database in
        try database.script(
          """
          INSERT INTO seen VALUES ('c', x'61', '1'), ('c', x'62', '2');
          INSERT INTO seen_lists VALUES ('c', 'notes');
          INSERT INTO seen_texts (club, path, revision, bytes, text) VALUES
            ('c', x'61', '1', 4, x'6F6E650A'), ('c', x'62', '2', 4, x'74776F0A');
          INSERT INTO past_texts VALUES ('h', 4, x'74776F0A');
          INSERT INTO past (club, path, revision, kept, hash, own) VALUES ('c', x'62', '2', 7, 'h', 1);
          """)
      }
    }
    let catalogue = try CatalogueDatabase(path: path)
    let (a, b) = (try StorePath("a"), try StorePath("b"))
    #expect(try catalogue.seenRevisions(of: [a, b], club: "c") == [a: Revision("1"), b: Revision("2")])
    #expect(try catalogue.hasBaseline(of: "notes", club: "c"))
    #expect(try catalogue.pastText(of: a, revision: Revision("1"), club: "c") == Array("one\n".utf8))
    #expect(try catalogue.pastText(of: b, revision: Revision("2"), club: "c") == Array("two\n".utf8))
    #expect(try catalogue.isOwnPast(b, Revision("2"), club: "c") && !catalogue.isOwnPast(a, Revision("1"), club: "c"))
    let sum = try catalogue.file.read { try $0.first("SELECT bytes FROM past_sum")?.number(0) }
    #expect(sum == 8)
    // They had no date and no writer; the next reading knows both.
    #expect(try catalogue.past(of: a, club: "c").map(\.modified) == [nil])
    func keep(_ seconds: Int64, _ member: String?) throws {
      let entry = FileEntry(
        path: a, kind: .file, size: 4, modified: Timestamp(seconds: seconds), revision: Revision("1"), member: member)
      try catalogue.keepPast(Array("one\n".utf8), hash: "h1", of: entry, club: "c", now: Timestamp(seconds: 9))
    }
    try keep(5, "ann")
    try keep(6, "bob")
    let past = try catalogue.past(of: a, club: "c")
    #expect(past.map(\.modified) == [Timestamp(seconds: 5)] && past.map(\.member) == ["ann"])
  }
}
