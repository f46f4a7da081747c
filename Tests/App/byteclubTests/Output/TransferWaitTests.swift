import FileStores
import Testing
import Transfers

@testable import byteclub

/// How a command learns of the ends of its transfers.
struct TransferWaitTests {
  /// Knows the ends of some transfers.
  private struct Ends: TransferControl {
    let ends: [Transfer]

    func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] { [] }
    func perform(_ command: TransferCommand) async throws(StoreError) {}
    func transfers() async throws(StoreError) -> [Transfer] { ends }
    func limit() async throws(StoreError) -> UInt64? { nil }
    func attach(_ delegate: any TransferDelegate) async {}
    func detach(_ delegate: any TransferDelegate) async {}
    func ended(_ id: Transfer.ID) async -> Transfer? { ends.first { $0.id == id } }
  }

  private func transfer(_ id: String, _ state: TransferState, _ error: StoreError? = nil) throws -> Transfer {
    var transfer = Transfer(id: id, direction: .upload, name: "p.jpg", path: try StorePath("photos/p.jpg"))
    (transfer.state, transfer.error) = (state, error)
    return transfer
  }

  private func failure(_ transfer: Transfer?) async -> StoreError? {
    let ends = await TransferWait.untilOver([transfer?.id ?? "lost"], Ends(ends: transfer.map { [$0] } ?? []))
    guard ends.count == 1, case .failure(let error) = ends[0] else { return nil }
    return error
  }

  @Test func `a transfer that nobody follows to its end is a failure, not silence`() async {
    #expect(await failure(nil)?.message == "byteclub could not follow a transfer to its end.")
  }

  @Test func `once the server has been busy for long, what it did not take is queued`() async throws {
    let watch = AwayWatch {}
    let told = StoreError(.rateLimited, "Too many requests.", retryAfter: AwayWatch.longestBusyWait)
    watch.watch(["tried", "queued"])
    watch.report(.appeared(try transfer("queued", .queued)))
    watch.report(.entered(try transfer("tried", .waiting, told)))
    for end in await TransferWait.untilOver(["tried", "queued"], Ends(ends: []), orAway: watch) {
      guard case .failure(let error) = end else {
        Issue.record("\(end)")
        continue
      }
      #expect(error.kind == .rateLimited && error.message.contains("is kept on this machine"), "\(error)")
    }
  }

  @Test func `once the server is away, what is done is done, and what is queued says where it is`() async throws {
    let watch = AwayWatch {}
    let told = StoreError(.offline, "No answer.")
    for event in [
      TransferEvent.finished(try transfer("done", .done)), .appeared(try transfer("queued", .queued)),
    ] { watch.report(event) }
    for _ in 0..<AwayWatch.mostTries { watch.report(.entered(try transfer("tried", .waiting, told))) }
    watch.watch(["done", "tried", "queued"])
    // The queue that has been stopped answers the wait that it was in, and no other.
    let ends = await TransferWait.untilOver(
      ["done", "tried", "queued"], Ends(ends: [try transfer("tried", .waiting, told)]), orAway: watch)
    guard case .success = ends[0] else {
      Issue.record("\(ends[0])")
      return
    }
    for end in ends[1...] {
      guard case .failure(let error) = end else {
        Issue.record("\(end)")
        continue
      }
      #expect(error.kind == .offline && error.message.contains("is kept on this machine"), "\(error)")
    }
  }

  @Test(arguments: TransferState.allCases) func `whatever is not done is a failure with a sentence`(
    _ state: TransferState
  ) async throws {
    let error = await failure(try transfer("a", state))
    #expect((error == nil) == (state == .done), "\(state)")
    if let error { #expect(error.message.contains("\"p.jpg\"") && !error.remedy.isEmpty) }
    let told = StoreError(.quota, "It is full.")
    if state != .done { #expect(await failure(try transfer("b", state, told)) == told) }
  }
}
