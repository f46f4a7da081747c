import Basics
import ClubServices
import FileStores
import Testing
import Transfers

/// Commands of a member while no process runs transfers.
@Suite struct `Transfers at rest` {
  let journal = MemoryJournal()
  let pool = BlockingPool(threads: 1)
  /// As each command makes it.
  var idle: TransferEngine {
    TransferEngine(journal: journal, stores: nil, pool: pool, now: { Timestamp(seconds: 1_700_000_000) })
  }

  private func failed(_ id: Transfer.ID, session: UploadSession?) throws -> TransferRecord {
    var record = TransferRecord(
      id: id, order: try HubScene.order("\(id).jpg"), created: Timestamp(seconds: 1_600_000_000), position: 1)
    (record.phase, record.session) = (.failed, session)
    return record
  }

  @Test func `a dismissed failure is off the list for good, and only its cleaning is left`() async throws {
    try await journal.write([failed("kept", session: UploadSession("s1")), failed("empty", session: nil)])
    for id in ["kept", "empty"] { try await idle.perform(.dismiss(id)) }
    #expect(try await idle.transfers().isEmpty)
    let left = try await journal.records().records
    #expect(left.map(\.id) == ["kept"] && left[0].phase == .discarding && left[0].session == UploadSession("s1"))
    for command in [TransferCommand.retry("kept"), .resume("kept"), .cancel("kept"), .pauseAll, .dismiss("kept")] {
      try await idle.perform(command)
    }
    #expect(try await journal.records().records == left)
  }
}

extension `Transfers at rest` {
  private func record(_ id: Transfer.ID, _ position: Int64, _ phase: TransferRecord.Phase) throws -> TransferRecord {
    var record = TransferRecord(
      id: id, order: try HubScene.order("\(id).jpg"), created: Timestamp(seconds: 1_600_000_000), position: position)
    record.phase = phase
    return record
  }

  private func phases() async throws -> [TransferRecord.Phase] { try await journal.records().records.map(\.phase) }

  /// The phase after each command, for each phase that the next engine may find; nil where the command has no effect.
  private static let outcomes:
    [(
      phase: TransferRecord.Phase, pause: TransferRecord.Phase?, resume: TransferRecord.Phase?,
      cancel: TransferRecord.Phase?
    )] = [
      (.wanted, .paused, nil, .cancelled), (.finishing, .paused, nil, .cancelled), (.paused, nil, .wanted, .cancelled),
      (.cancelling, nil, nil, nil), (.done, nil, nil, nil), (.failed, nil, nil, nil), (.cancelled, nil, nil, nil),
    ]

  @Test func `go where the machine leads, for each command`() async throws {
    for outcome in Self.outcomes {
      for (command, phase) in [
        (TransferCommand.pause("t"), outcome.pause), (.resume("t"), outcome.resume), (.cancel("t"), outcome.cancel),
      ] {
        try await journal.write([record("t", 1, outcome.phase)])
        try await idle.perform(command)
        #expect(try await phases() == [phase ?? outcome.phase], "\(command) while \(outcome.phase)")
      }
    }
  }

  @Test func `are cancelled for good only when they have left nothing`() async throws {
    var begun = try record("begun", 1, .wanted)
    begun.attempts = 1
    try await journal.write([begun, record("fresh", 2, .wanted)])
    for id in ["begun", "fresh"] { try await idle.perform(.cancel(id)) }
    let records = try await journal.records().records
    #expect(records.map(\.phase) == [.cancelling, .cancelled])
    #expect(records[1].error?.kind == .cancelled && records[1].ended == Timestamp(seconds: 1_700_000_000))
    try await idle.perform(.retry("fresh"))
    let again = try await journal.records().records[1]
    #expect(again.phase == .wanted && again.ended == nil && again.error == nil)
  }

  @Test(arguments: [
    (TransferMove.up, ["a", "c", "b"]), (.down, ["a", "b", "c"]), (.first, ["c", "a", "b"]), (.last, ["a", "b", "c"]),
  ])
  func `are moved in the queue`(move: TransferMove, order: [String]) async throws {
    try await journal.write([record("a", 1, .wanted), record("b", 2, .paused), record("c", 3, .wanted)])
    try await idle.perform(.move("c", move))
    #expect(try await idle.transfers().map(\.id) == order)
  }
}
