import FileStores
import Synchronization
import TestKit
import Testing

@testable import Database

/// Outboxes that were cut off, or lost pages.
@Suite struct SalvageTests {
  private static let count = 300

  private static func body(_ number: Int) -> [UInt8] {
    Array("edit \(number): ".utf8) + Array(repeating: UInt8(ascii: "a"), count: 150)
  }

  /// A closed outbox of many drafts, the last of them with an edit that fills several pages.
  private func sound(_ folder: TemporaryFolder) throws -> [UInt8] {
    do {
      let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
      let heads = (0..<Self.count).map { number in
        DraftRecord(
          id: "draft \(number)", club: "c", path: nil, title: "t", base: nil, baseHash: "h", bytes: 0, touched: true,
          created: Timestamp(seconds: 1), changed: Timestamp(seconds: 1), owner: "o")
      }
      let edits = (0..<Self.count).map { DraftEditRow(draft: "draft \($0)", number: 1, body: Self.body($0)) }
      try outbox.commit(
        heads: heads,
        edits: edits + [DraftEditRow(draft: "draft 0", number: 2, body: Array(repeating: 7, count: 30_000))])
      let save = SaveRecord(
        club: "c", path: try StorePath("n.md"), base: nil, baseHash: nil, draft: nil, text: [1, 2],
        created: Timestamp(seconds: 1), owner: "o")
      _ = try outbox.addSave(save, text: [1, 2])
    }
    return try #require(folder.bytes("outbox.sqlite"))
  }

  private func open(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> OutboxDatabase {
    for name in folder.names() { folder.remove(name) }
    try folder.write("outbox.sqlite", bytes)
    return try OutboxDatabase(path: folder.file("outbox.sqlite"))
  }

  private static func firstIndex(of part: [UInt8], in bytes: [UInt8]) -> Int? {
    (0..<(bytes.count - part.count)).first { bytes[$0] == part[0] && bytes[$0..<$0 + part.count].elementsEqual(part) }
  }

  @Test func `every column that came to a table later has a default, so that older rows still fit it`() {
    let lines = OutboxDatabase.schema.joined(separator: "\n").split(separator: "\n")
    let added = lines.filter { $0.contains("ADD COLUMN") }
    #expect(added.count > 3)
    #expect(added.filter { !$0.contains(" DEFAULT ") }.isEmpty)
  }

  @Test(arguments: [60, 75, 90])
  func `of a file that was cut off, every edit on a page that is there comes back`(percent: Int) throws {
    let folder = try TemporaryFolder()
    let sound = try sound(folder)
    let cut = sound.count * percent / 100
    let outbox = try open(Array(sound[..<cut]), in: folder)
    #expect(outbox.setAside != nil)
    var there = 0
    for number in stride(from: 0, to: Self.count, by: 13) {
      let body = Self.body(number)
      let place = try #require(Self.firstIndex(of: body, in: sound))
      guard (place / 4096 + 1) * 4096 <= cut else { continue }
      there += 1
      #expect(try outbox.edits(of: "draft \(number)").contains { $0.body == body }, "\(number)")
    }
    #expect(there > 0)
  }

  @Test func `without its first page, all of the rest comes back`() throws {
    let folder = try TemporaryFolder()
    var bytes = try sound(folder)
    for index in 0..<4096 { bytes[index] = 0 }
    let outbox = try open(bytes, in: folder)
    #expect(outbox.setAside != nil)
    #expect(try outbox.drafts(club: "c").count == Self.count)
    #expect(try outbox.drafts(club: "c").allSatisfy { !$0.isDamaged })
    #expect(try outbox.edits(of: "draft 0").map(\.body) == [Self.body(0), Array(repeating: 7, count: 30_000)])
    #expect(try outbox.saves(club: "c").count == 1)
    #expect(try outbox.transfers().isEmpty)
  }

  @Test func `a file whose version became negative is set aside, and read`() throws {
    let folder = try TemporaryFolder()
    var bytes = try sound(folder)
    // The highest byte of `user_version` (https://www.sqlite.org/fileformat2.html, 1.3).
    bytes[60] ^= 0x80
    let outbox = try open(bytes, in: folder)
    #expect(outbox.setAside != nil)
    #expect(try outbox.drafts(club: "c").count == Self.count)
  }

  @Test func `bytes of any kind are read to an end`() throws {
    let folder = try TemporaryFolder()
    let sound = try sound(folder)
    var random = SplitMix(seed: 7)
    for _ in 0..<60 {
      var bytes = Array(sound.prefix(40_000))
      for _ in 0..<200 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
      let log = (0..<9000).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(PageSalvage(file: bytes, log: log).rows().count < 1_000_000)
    }
    #expect(PageSalvage(file: [], log: []).rows().isEmpty)
  }

  private struct SplitMix: RandomNumberGenerator {
    var seed: UInt64
    mutating func next() -> UInt64 {
      seed &+= 0x9E37_79B9_7F4A_7C15
      var value = (seed ^ seed >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a locked outbox fails the first call after a while, and each within a second at once`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("outbox.sqlite")
    // Opening it needs a lock: a step is missing.
    let holder = SQLiteFile(path: path, purpose: .kept, schema: Array(OutboxDatabase.schema.dropLast()))
    try holder.open()
    // Time passes as it is looked at.
    let time = Mutex(ContinuousClock.now)
    let looks = Mutex(0)
    // at any pace: time passes as it is looked at.
    let outbox = OutboxDatabase(openingLater: path, patience: .milliseconds(100)) {
      looks.withLock { $0 += 1 }
      return time.withLock { time in
        time += .milliseconds(20)
        return time
      }
    }
    let call = {
      let error = #expect(throws: StoreError.self) { try outbox.setTransferLimit(1) }
      #expect(error?.message == "Another program has kept \"\(path)\" locked for several seconds.")
    }
    try holder.write { _ in call() }
    #expect(looks.withLock { $0 } > 5, "it gave up before its time was over")
    looks.withLock { $0 = 0 }
    // Nothing is in the way now, but the call does not even try.
    call()
    #expect(looks.withLock { $0 } == 1)
    time.withLock { $0 += .seconds(1) }
    try outbox.setTransferLimit(1)
  }
}
