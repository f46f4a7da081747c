import ArgumentParser
import ClubServices
import FileStores
import Transfers

/// A verb that says the same to each of some transfers.
protocol TransferSteering: TransferVerb {
  /// The ids.
  var ids: [String] { get }
  /// What is said.
  func command(_ id: Transfer.ID) -> TransferCommand
  /// Whether it means anything for a transfer; it need not change it.
  static func applies(to state: TransferState) -> Bool
}

extension TransferSteering {
  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    let all = try await session.hub.transfers()
    var said: [Transfer.ID] = []
    var failures: [StoreError] = []
    for name in ids {
      do throws(StoreError) {
        let transfer = try TransferName.find(name, among: all)
        guard Self.applies(to: transfer.state) else {
          throw StoreError(
            .conflict, "\"\(transfer.name)\" (\(transfer.id)) is \(transfer.state.word).", path: transfer.path)
        }
        try await session.hub.perform(command(transfer.id))
        said.append(transfer.id)
      } catch {
        failures.append(error)
      }
    }
    var answer = Answer()
    if !said.isEmpty {
      let now = try await session.hub.transfers().filter { said.contains($0.id) }
      answer = TransferLines.answer(now)
    }
    answer.failures = failures
    return answer
  }
}

/// `byteclub transfer pause`.
struct TransferPause: TransferSteering {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Stop transfers for a while; what was sent or received is kept.",
    discussion: Examples.text(["byteclub transfer pause t4k2": "until byteclub transfer resume t4k2"]))

  @Argument(help: "The ids, or their beginnings.") var ids: [String]
  @OptionGroup var shared: SharedOptions

  func command(_ id: Transfer.ID) -> TransferCommand { .pause(id) }
  static func applies(to state: TransferState) -> Bool { !state.isOver && state != .cancelling }
}

/// `byteclub transfer resume`.
struct TransferResume: TransferSteering {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Let paused transfers go on, and those that wait go on at once.",
    discussion: Examples.text(["byteclub transfer resume t4k2": "in the order of the queue"]))

  @Argument(help: "The ids, or their beginnings.") var ids: [String]
  @OptionGroup var shared: SharedOptions

  func command(_ id: Transfer.ID) -> TransferCommand { .resume(id) }
  static func applies(to state: TransferState) -> Bool { !state.isOver && state != .cancelling }
}

/// `byteclub transfer cancel`.
struct TransferCancel: TransferSteering {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Stop transfers for good; nothing of them is left behind.",
    discussion: Examples.text(["byteclub transfer cancel t4k2": "what had been sent is removed"]))

  @Argument(help: "The ids, or their beginnings.") var ids: [String]
  @OptionGroup var shared: SharedOptions

  func command(_ id: Transfer.ID) -> TransferCommand { .cancel(id) }
  static func applies(to state: TransferState) -> Bool { !state.isOver || state == .cancelled }
}

/// `byteclub transfer retry`.
struct TransferRetryVerb: TransferSteering {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Begin failed transfers again, from where they had come.",
    discussion: Examples.text(["byteclub transfer retry t4k2": "in the order of the queue"]))

  @Argument(help: "The ids, or their beginnings.") var ids: [String]
  @OptionGroup var shared: SharedOptions

  func command(_ id: Transfer.ID) -> TransferCommand { .retry(id) }
  static func applies(to state: TransferState) -> Bool { state == .failed || !state.isOver }
}
