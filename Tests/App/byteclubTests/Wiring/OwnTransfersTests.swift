import Basics
import ClubServices
import Database
import FileStores
import Foundation
import TestKit
import Testing
import Transfers

@testable import byteclub

/// Whose transfers wait on a machine of several members.
struct OwnTransfersTests {
  private static let place = "dropbox:https://b.example\n/c\n"

  private let folder: TemporaryFolder
  private let base: TransferBase
  private let outbox: OutboxDatabase

  init() throws {
    folder = try TemporaryFolder()
    try Data(#"{"clubs":{"lab":{"store":"dropbox","server":"http://127.0.0.1:1","folder":"/"}}}"#.utf8)
      .write(to: URL(filePath: folder.path + "/config.json"))
    base = try TransferBase(
      StartOptions(config: folder.path + "/config.json"), environment: Environment(["HOME": folder.path]))
    outbox = try OutboxDatabase(path: folder.path + "/outbox.sqlite")
  }

  private func record(_ id: String, _ word: String, _ phase: TransferRecord.Phase = .wanted) throws -> TransferRecord {
    let order = TransferOrder(
      club: "lab", store: "\(Self.place)\u{1F}\(word)", work: .download(folder: folder.path),
      path: try StorePath("photos/a.jpg"), name: "a.jpg")
    var record = TransferRecord(id: id, order: order, created: Timestamp(seconds: 1), position: 1)
    record.phase = phase
    return record
  }

  private func running(_ id: String, _ word: String) throws -> Transfer {
    let order = try record(id, word).order
    var transfer = Transfer(id: id, direction: .download, name: order.name, path: order.path)
    (transfer.club, transfer.store, transfer.state) = (order.club, order.store, .running)
    return transfer
  }

  private func write(_ records: [TransferRecord]) async throws {
    try await OutboxTransferJournal(outbox, pool: base.pool).write(records)
  }

  @Test func `of another account's transfers only those count that its next sign-in carries on`() async throws {
    base.owners.keep(ClubOwner(place: "p", word: "account eve"), of: "lab")
    let phases = TransferRecord.Phase.allCases
    try await write(phases.map { try record($0.rawValue, "account ann", $0) } + [record("mine", "account eve")])
    let counts = try await base.heldCounts(outbox)
    #expect(counts.others == 3 && counts.undecided == 0)
    #expect(
      await base.own([try record("hers", "account ann"), try record("mine", "account eve")]).map(\.id) == ["mine"])
  }

  @Test func `who waits for transfers waits for none of another account, and of none whose owner was not found`()
    async throws
  {
    let watch = TransferWatch()
    let events = OwnEvents(watch, isOwn: base.isOwn)
    let hers = try running("hers", "account ann")
    events.report(.appeared(hers))
    base.owners.keep(ClubOwner(place: "p", word: "account eve"), of: "lab")
    for event in [.appeared(hers), .entered(hers)] as [TransferEvent] { events.report(event) }
    await watch.settled()
    let mine = try running("mine", "account eve")
    #expect(!base.isOwn(hers) && base.isOwn(mine))
  }

  @Test func `while the service has not named the account, no transfer is called another one's, and all wait`()
    async throws
  {
    base.owners.keep(ClubOwner(place: "p", word: "token t"), of: "lab")
    try await write([record("mine", "token t"), record("some", "account ann")])
    let counts = try await base.heldCounts(outbox)
    #expect(counts.others == 0 && counts.undecided == 1)
    #expect(try await base.heldBack(outbox) == "A transfer waits here until the service has named your account.")
    #expect(base.owners.undecided == ["lab"])
    base.owners.keep(ClubOwner(place: "p", word: "account ann"), of: "lab")
    #expect(base.owners.undecided.isEmpty)
    #expect(try await base.heldBack(outbox) == nil)
  }
}
