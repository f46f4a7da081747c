import ClubServices
import FileStores
import Testing
import Transfers

/// What a member says while nobody carries transfers out.
@Suite struct `Transfers at rest` {
  let journal = MemoryJournal()
  let still: StillTransfers

  init() { still = StillTransfers(journal: journal, now: { Timestamp(seconds: 1_700_000_000) }) }

  private func failed(_ id: Transfer.ID, session: UploadSession?) throws -> TransferRecord {
    var record = TransferRecord(
      id: id, order: try HubScene.order("\(id).jpg"), created: Timestamp(seconds: 1_600_000_000), position: 1)
    (record.phase, record.session) = (.failed, session)
    return record
  }

  @Test func `a dismissed failure is off the list for good, and only its cleaning is left`() async throws {
    try await journal.write([failed("kept", session: UploadSession("s1")), failed("empty", session: nil)])
    for id in ["kept", "empty"] { try await still.perform(.dismiss(id)) }
    #expect(try await still.transfers().isEmpty)
    let left = try await journal.records().records
    #expect(left.map(\.id) == ["kept"] && left[0].phase == .discarding && left[0].session == UploadSession("s1"))
    for command in [TransferCommand.retry("kept"), .resumeAll, .cancelAll, .pauseAll, .dismissFinished] {
      try await still.perform(command)
    }
    #expect(try await journal.records().records == left)
  }
}
