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
  /// What to do with a transfer that it means nothing for; empty when there is nothing.
  static func remedy(_ transfer: Transfer) -> String
}

extension TransferSteering {
  static func remedy(_ transfer: Transfer) -> String { "" }

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    let all = try await session.hub.transfers()
    var said: [Transfer.ID] = []
    var failures: [StoreError] = []
    for name in ids {
      do throws(StoreError) {
        let transfer = try TransferName.find(name, among: all)
        guard Self.applies(to: transfer.state) else {
          throw StoreError(
            .conflict, "\"\(transfer.name)\" (\(transfer.id)) is \(transfer.state.word).",
            remedy: Self.remedy(transfer), path: transfer.path)
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
      // This command owns the transfers for a moment only, and carries none out.
      if now.contains(where: { $0.state == .queued || $0.state == .cancelling }), await session.hub.role == .owner {
        answer.notices.append("No byteclub carries transfers out now. This one does: byteclub transfer run")
      }
    }
    answer.failures = failures
    return answer
  }
}

/// `byteclub transfer pause`.
struct TransferPause: TransferSteering {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause transfers; the part that was transferred is kept.",
    discussion: Examples.text(["byteclub transfer pause t4k2": "until byteclub transfer resume t4k2"]))

  @Argument(help: "The ids, or their beginnings.") var ids: [String]
  @OptionGroup var shared: SharedOptions

  func command(_ id: Transfer.ID) -> TransferCommand { .pause(id) }
  static func applies(to state: TransferState) -> Bool { !state.isOver && state != .cancelling }
}

/// `byteclub transfer resume`.
struct TransferResume: TransferSteering {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Resume paused transfers, and retry waiting ones at once.",
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
    discussion: Examples.text(["byteclub transfer cancel t4k2": "the sent part is removed"]))

  @Argument(help: "The ids, or their beginnings.") var ids: [String]
  @OptionGroup var shared: SharedOptions

  func command(_ id: Transfer.ID) -> TransferCommand { .cancel(id) }
  static func applies(to state: TransferState) -> Bool { !state.isOver || state == .cancelled }
  static func remedy(_ transfer: Transfer) -> String {
    "Take it off the list with: byteclub transfer dismiss \(transfer.id)"
  }
}

/// `byteclub transfer dismiss`.
struct TransferDismiss: TransferSteering {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Take transfers that are over off the list; what a failed one had kept for a retry is removed.",
    discussion: Examples.text(["byteclub transfer dismiss t4k2": "the file that was sent or received stays"]))

  @Argument(help: "The ids, or their beginnings.") var ids: [String]
  @OptionGroup var shared: SharedOptions

  func command(_ id: Transfer.ID) -> TransferCommand { .dismiss(id) }
  static func applies(to state: TransferState) -> Bool { state.isOver }
  static func remedy(_ transfer: Transfer) -> String { "Cancel it with: byteclub transfer cancel \(transfer.id)" }
}

/// `byteclub transfer retry`.
struct TransferRetryVerb: TransferSteering {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Begin transfers again: failed ones from where they had come, cancelled ones from the beginning.",
    discussion: Examples.text(["byteclub transfer retry t4k2": "in the order of the queue"]))

  @Argument(help: "The ids, or their beginnings.") var ids: [String]
  @OptionGroup var shared: SharedOptions

  func command(_ id: Transfer.ID) -> TransferCommand { .retry(id) }
  static func applies(to state: TransferState) -> Bool { state != .done }
  static func remedy(_ transfer: Transfer) -> String { "Upload or download it once more with photo put or photo get." }
}
