import ArgumentParser
import ClubServices
import Database
import FileStores
import JSON
import Transfers

/// What a verb about transfers works with.
struct TransferSession: Sendable {
  /// The transfers.
  let hub: TransferHub
  /// Settings and paths.
  let base: TransferBase
  /// Where results and notices go.
  let output: Output
  /// Whether `--json` was given.
  let isJSON: Bool
}

/// A verb about transfers. It needs no open club: transfers know theirs.
protocol TransferVerb: PlainVerb {
  /// Whether transfers are carried out meanwhile, when no other process does.
  var carries: Bool { get }
  /// Does it. Cancelled by Ctrl-C.
  func perform(_ session: TransferSession) async throws(StoreError) -> Answer
}

extension TransferVerb {
  var carries: Bool { false }

  func perform(_ output: Output) async throws -> Answer {
    let base = try TransferBase(shared.start)
    let hub = TransferHub.of(base, outbox: OutboxDatabase(openingLater: base.paths.outboxFile), carries: carries)
    let session = TransferSession(hub: hub, base: base, output: output, isJSON: shared.json)
    do throws(StoreError) {
      let answer = try await perform(session)
      await hub.stop()
      return answer
    } catch {
      await hub.stop()
      throw error
    }
  }
}
