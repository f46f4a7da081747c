import Basics
import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct OutboxTransfersTests {
  private func row(_ id: String, at position: Int64 = 1, _ body: String = "body")
    -> TransferRow
  {
    TransferRow(id: id, position: position, body: Array(body.utf8))
  }

  @Test func `rows come back as they were written, by position`() throws {
    let outbox = try OutboxDatabase(path: ":memory:")
    let rows = [row("b", at: 2, "two"), row("c", at: 9), row("a", at: -3, "first")]
    try outbox.putTransfers(rows)
    #expect(try outbox.transfers() == [rows[2], rows[0], rows[1]])
    try outbox.putTransfers([row("b", at: 10, "changed")])
    #expect(try outbox.transfers().map(\.id) == ["a", "c", "b"])
    #expect(try outbox.transfers().last?.body == Array("changed".utf8))
    try outbox.removeTransfers(["a", "b", "nobody"])
    #expect(try outbox.transfers() == [rows[1]])
  }

  @Test func `an outbox tells cheaply whether there are any`() throws {
    let outbox = try OutboxDatabase(path: ":memory:")
    #expect(try !outbox.hasTransfers())
    try outbox.putTransfers([row("7")])
    #expect(try outbox.hasTransfers())
    try outbox.removeTransfers(["7"])
    #expect(try !outbox.hasTransfers())
  }

  @Test func `many rows are written in one step, and all are there`() throws {
    let folder = try TemporaryFolder()
    let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
    try outbox.putTransfers((0..<3_000).map { row("t\($0)", at: Int64($0)) })
    let again = try OutboxDatabase(path: folder.file("outbox.sqlite"))
    let rows = try again.transfers()
    #expect(rows.count == 3_000 && rows.allSatisfy { !$0.isDamaged })
    try again.removeTransfers(rows.map(\.id))
    #expect(try outbox.transfers().isEmpty)
  }

  @Test(arguments: ["damagedword", "damagedbody"])
  func `a flipped bit of a row is reported, and the other rows are untouched`(mark: String) throws {
    let folder = try TemporaryFolder()
    do {
      let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
      try outbox.putTransfers([row("well", at: 1), row("damagedword", at: 2, "damagedbody"), row("fine", at: 3)])
    }
    #expect(try folder.damage("outbox.sqlite", at: mark) > 0)
    let rows = try OutboxDatabase(path: folder.file("outbox.sqlite")).transfers()
    #expect(rows.map(\.isDamaged) == [false, true, false])
  }

  @Test func `no flipped bit of a row passes for what was written`() throws {
    let folder = try TemporaryFolder()
    let original = row("identifier", at: 0x0102_0304, "the body of it")
    do { try OutboxDatabase(path: folder.file("outbox.sqlite")).putTransfers([original]) }
    let bytes = try #require(folder.bytes("outbox.sqlite"))
    let start = try #require(bytes.firstRange(of: Array("identifier".utf8))?.lowerBound)
    // The cell's header, the fields, and the checksum behind them.
    var told = 0
    for at in (start - 8)..<(start + 10 + 4 + 14 + 8) {
      var flipped = bytes
      flipped[at] ^= 1 << UInt8(at % 8)
      try folder.write("flipped.sqlite", flipped)
      for companion in ["-wal", "-shm"] { folder.remove("flipped.sqlite" + companion) }
      let rows = (try? OutboxDatabase(path: folder.file("flipped.sqlite")).transfers()) ?? []
      #expect(rows.allSatisfy { $0.isDamaged || $0 == original }, "byte \(at - start)")
      told += rows.count { $0.isDamaged }
    }
    #expect(told > 30)
  }

  @Test func `others read whole steps while one writes`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("outbox.sqlite")
    let writer = try OutboxDatabase(path: path, patience: .seconds(600))
    try writer.putTransfers((0..<20).map { row("t\($0)", "0") })
    let pool = BlockingPool(threads: 4)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await pool.run {
          for step in 1...60 {
            do throws(StoreError) {
              try writer.putTransfers((0..<20).map { self.row("t\($0)", "\(step)") })
            } catch {
              Issue.record(error)
            }
          }
        }
      }
      for _ in 0..<3 {
        group.addTask {
          await pool.run {
            do throws(StoreError) {
              let reader = try OutboxDatabase(path: path, patience: .seconds(600))
              for _ in 0..<60 {
                let rows = try reader.transfers()
                #expect(rows.count == 20 && Set(rows.map(\.body)).count == 1 && rows.allSatisfy { !$0.isDamaged })
              }
            } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
  }

  @Test func `a limit is kept, and so is that there is none`() throws {
    let outbox = try OutboxDatabase(path: ":memory:")
    #expect(try outbox.transferLimit() == nil)
    try outbox.setTransferLimit(512_000)
    #expect(try outbox.transferLimit() == .some(512_000))
    try outbox.setTransferLimit(nil)
    #expect(try outbox.transferLimit() == .some(nil))
  }

  @Test func `a limit is never guessed from damage`() throws {
    let folder = try TemporaryFolder()
    do { try OutboxDatabase(path: folder.file("outbox.sqlite")).setTransferLimit(0x0123_4567) }
    var bytes = try #require(folder.bytes("outbox.sqlite"))
    let at = try #require(bytes.firstRange(of: [0x01, 0x23, 0x45, 0x67])?.lowerBound)
    bytes[at + 3] ^= 1
    try folder.write("outbox.sqlite", bytes)
    let outbox = try OutboxDatabase(path: folder.file("outbox.sqlite"))
    let error = #expect(throws: StoreError.self) { try outbox.transferLimit() }
    #expect(error?.kind == .corrupt)
    try outbox.setTransferLimit(7)
    #expect(try outbox.transferLimit() == .some(7))
  }

  @Test func `an outbox of before there were transfers gets their tables, and keeps what it had`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("outbox.sqlite")
    let copy = CopyRecord(
      id: "a", club: "c", path: try StorePath("n.md"), base: nil, baseHash: "h", name: "n", savedHash: "s", owner: "o")
    try SQLiteFile(path: path, purpose: .kept, schema: Array(OutboxDatabase.schema.prefix(1))).open()
    try OutboxDatabase(path: path).putCopy(copy)
    let outbox = try OutboxDatabase(path: path)
    try outbox.putTransfers([row("a")])
    #expect(try outbox.transfers().count == 1)
    #expect(try outbox.copies(club: "c") == [copy])
  }
}
