import ArgumentParser
import FileStores
import Transfers

/// How long a verb waits for transfers.
struct WaitingLimit: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Stop waiting after this many seconds, and say what still waits and why (exit code 6).", valueName: "seconds"))
  var timeout: Int?

  func validate() throws {
    if let timeout, timeout < 1 { throw ValidationError("--timeout needs 1 second or more.") }
  }

  /// Waits until the transfers have nothing more to do.
  /// - Returns: false when the time was over before.
  func settled(_ watch: TransferWatch) async -> Bool {
    guard let timeout else {
      await watch.settled()
      return true
    }
    let isInTime = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await watch.settled()
        return true
      }
      group.addTask { (try? await Task.sleep(for: .seconds(timeout))) == nil }
      let first = await group.next() ?? true
      group.cancelAll()
      return first
    }
    return isInTime || Task.isCancelled
  }

  /// Tells of each transfer that is not over why it is not.
  static func note(_ transfers: [Transfer], in answer: inout Answer) {
    answer.isOutOfTime = true
    for transfer in transfers where !transfer.state.isOver && transfer.state != .paused {
      let why = transfer.error.map { " \($0.message)" } ?? ""
      answer.failures.append(
        StoreError(
          .offline, "\"\(transfer.name)\" (\(transfer.id)) has not finished: \(TransferLines.state(transfer)).\(why)",
          remedy: "To continue: byteclub transfer run", path: transfer.path))
    }
  }
}
