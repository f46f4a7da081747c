import Basics
import Database
import FileStores
import Foundation
import JSON
import TestKit
import Testing
import Transfers

@testable import ClubServices

@Suite(.timeLimit(.minutes(5))) final class `The journal of transfers in the outbox` {
  private let folder: URL
  private let pool = BlockingPool(threads: 2)

  init() throws {
    folder = URL(filePath: TemporaryFolder.newPath())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var path: String { folder.appending(path: "outbox.sqlite").path }

  /// As another process has it.
  private func opened(limit: UInt64? = nil) throws -> OutboxTransferJournal {
    OutboxTransferJournal(try OutboxDatabase(path: path, patience: .seconds(600)), pool: pool, limit: limit)
  }

  private func record(
    _ id: String, at position: Int64 = 0, _ phase: TransferRecord.Phase = .wanted, ended: Int64? = nil
  ) throws -> TransferRecord {
    var record = TransferRecord(
      id: id, order: try Samples.orders()[0], created: Timestamp(seconds: 1), position: position)
    (record.phase, record.ended) = (phase, ended.map { Timestamp(seconds: $0) })
    return record
  }

  private func ids(_ journal: OutboxTransferJournal) async throws -> [String] {
    try await journal.records().records.map(\.id)
  }

  @Test func `gives everything back to another process, by position`() async throws {
    let journal = try opened()
    #expect(try await journal.isEmpty())
    let full = try Samples.record()
    try await journal.write([record("b", at: 2), full, record("a", at: 1)])
    let (records, damaged) = try await opened().records()
    #expect(records.map(\.id) == ["t1", "a", "b"] && damaged == 0)
    #expect(records.first == full)
    #expect(try await !opened().isEmpty())
  }

  @Test func `writes a change over what was there, and crosses out`() async throws {
    let journal = try opened()
    var changed = try record("a", at: 1)
    try await journal.write([changed, record("b", at: 2)])
    (changed.offset, changed.phase, changed.position) = (77, .paused, 3)
    try await journal.write([changed])
    let records = try await opened().records().records
    #expect(records.map(\.id) == ["b", "a"] && records.last == changed)
    try await journal.remove(["b", "nobody"])
    #expect(try await ids(opened()) == ["a"])
  }

  @Test func `keeps a limit, also that there is none, and goes by the usual one until one is said`() async throws {
    #expect(try await opened().limit() == nil)
    #expect(try await opened(limit: 5).limit() == 5)
    try await opened(limit: 5).setLimit(7)
    #expect(try await opened(limit: 5).limit() == 7)
    try await opened(limit: 5).setLimit(nil)
    #expect(try await opened(limit: 5).limit() == nil)
    try await opened().setLimit(.max)
    #expect(try await opened().limit() == UInt64(Int64.max))
  }

  @Test func `forgets what is over for long or is too many, and nothing else`() async throws {
    let journal = try opened()
    let phases = TransferRecord.Phase.allCases
    try await journal.write(
      try phases.enumerated().map { try record("\($0.element)", at: Int64($0.offset), $0.element, ended: 10) })
    try await journal.write((1...5).map { try record("done\($0)", at: 100 + Int64($0), .done, ended: 100 + Int64($0)) })
    try await journal.forgetFinished(before: Timestamp(seconds: 50), keeping: 3)
    let left = Set(try await ids(opened()))
    let kept = Set(phases.filter { $0 != .done && $0 != .cancelled }.map { "\($0)" })
    #expect(left == kept.union(["done3", "done4", "done5"]))
  }

  /// Rows that this version cannot read: nothing, no JSON, no order, and a phase that only a later version has.
  private static let unreadable: [String] = {
    let record = (try? Samples.record())?.json.encoded ?? ""
    let later = record.replacing("\"wanted\"", with: "\"dreaming\"")
    return ["", "not JSON", "{}", later]
  }()

  @Test(arguments: unreadable)
  func `gives a row that cannot be read as one that has failed and says so, in its place`(body: String) async throws {
    let journal = try opened()
    try await journal.write([record("a", at: 1), record("b", at: 3)])
    try OutboxDatabase(path: path).putTransfers([TransferRow(id: "odd", position: 2, body: Array(body.utf8))])
    let (records, damaged) = try await journal.records()
    #expect(records.map(\.id) == ["a", "odd", "b"] && damaged == 0)
    #expect(records[1].phase == .failed && records[1].error == .unreadableTransfer && records[1].order.isUnreadable)
    #expect(records.filter(\.order.isUnreadable).count == 1)
  }

  @Test func `gives a row with a flipped bit as one that has failed, and the others as they were`() async throws {
    let all = try (1...3).map { try record("transfer\($0)", at: Int64($0)) }
    // Closed when this is through: all is in the one file then.
    try OutboxDatabase(path: path).putTransfers(
      all.map { TransferRow(id: $0.id, position: $0.position, body: Array($0.json.encoded.utf8)) })
    var bytes = try Data(contentsOf: URL(filePath: path))
    let found = try #require(bytes.range(of: Data("transfer2\u{02}{".utf8)))
    bytes[found.upperBound + 20] ^= 1
    try bytes.write(to: URL(filePath: path))
    let (records, damaged) = try await opened().records()
    #expect(records.count == 3 && records[0] == all[0] && records[2] == all[2] && damaged == 0)
    #expect(records[1].id == "transfer2" && records[1].error == .unreadableTransfer)
  }

  @Test func `gives an engine the member's own records alone, and keeps those of others with their files`()
    async throws
  {
    struct NoStores: TransferStores {
      func store(for order: TransferOrder) async throws(StoreError) -> any FileStore { throw .unreadableTransfer }
    }
    try await opened().write([record("mine", at: 1, .paused), record("hers", at: 2, .paused)])
    let journal = OutboxTransferJournal(
      try OutboxDatabase(path: path), pool: pool, own: { records in records.filter { $0.id != "hers" } })
    let engine = TransferEngine(journal: journal, stores: NoStores(), pool: pool, now: { Timestamp(seconds: 100) })
    #expect(try await engine.transfers().map(\.id) == ["mine"])
    for command in [.cancel("hers"), .pauseAll] as [TransferCommand] { try await engine.perform(command) }
    await engine.stop()
    #expect(try await opened().records().records.last?.phase == .paused)
    #expect(try await journal.allRecords().records.map(\.id) == ["mine", "hers"])
    #expect(try await journal.neededFiles() == [try Samples.orders()[0].local])
    try await opened().write([record("hers", at: 2, .done, ended: 1)])
    try await journal.forgetFinished(before: Timestamp(seconds: 2), keeping: 5)
    #expect(try await ids(opened()) == ["mine"])
  }

  @Test func `gives an engine the records that turn out to be the member's, and they go on`() async throws {
    struct NoStores: TransferStores {
      func store(for order: TransferOrder) async throws(StoreError) -> any FileStore { throw .unreadableTransfer }
    }
    try await opened().write([record("late", at: 2), record("known", at: 1, .paused)])
    let (named, answered) = (Gate(), Gate())
    let late = try record("late", at: 2)
    let journal = OutboxTransferJournal(
      try OutboxDatabase(path: path), pool: pool, own: { records in records.filter { $0.id != "late" } },
      late: {
        await named.wait()
        guard !answered.isOpen else { return nil }
        answered.open()
        return [late]
      })
    let engine = TransferEngine(journal: journal, stores: NoStores(), pool: pool, now: { Timestamp(seconds: 100) })
    #expect(try await engine.transfers().map(\.id) == ["known"])
    let (seen, sight) = AsyncStream<Transfer.ID>.makeStream()
    final class Watcher: TransferDelegate {
      let sight: AsyncStream<Transfer.ID>.Continuation
      init(_ sight: AsyncStream<Transfer.ID>.Continuation) { self.sight = sight }
      func report(_ event: TransferEvent) { if case .finished(let transfer) = event { sight.yield(transfer.id) } }
    }
    await engine.attach(Watcher(sight))
    named.open()
    // Its store cannot be opened, which ends it.
    for await id in seen {
      #expect(id == "late")
      break
    }
    #expect(Set(try await engine.transfers().map(\.id)) == ["known", "late"])
    await engine.stop()
  }

  @Test func `tells a member of such a row, who can dismiss it`() async throws {
    struct NoStores: TransferStores {
      func store(for order: TransferOrder) async throws(StoreError) -> any FileStore { throw .unreadableTransfer }
    }
    try OutboxDatabase(path: path).putTransfers([TransferRow(id: "odd", position: 2, body: [])])
    let engine = TransferEngine(
      journal: try opened(), stores: NoStores(), pool: pool, now: { Timestamp(seconds: 100) })
    try await engine.start()
    var shown = try await engine.transfers()
    #expect(shown.map(\.state) == [.failed] && shown.first?.error == .unreadableTransfer)
    try await engine.perform(.retry("odd"))
    #expect(await engine.ended("odd")?.error == .unreadableTransfer)
    try await engine.perform(.dismiss("odd"))
    shown = try await engine.transfers()
    await engine.stop()
    #expect(shown.isEmpty)
    #expect(try await opened().isEmpty())
  }
}
