import ArgumentParser
import ClubServices
import FileStores
import Transfers

struct Steering: Sendable {
  let name: String
  let abstract: String
  let example: KeyValuePairs<String, String>
  let command: @Sendable (Transfer.ID) -> TransferCommand
  /// The command makes sense in this state, even without an effect.
  let applies: @Sendable (TransferState) -> Bool
  /// For a transfer to which the command does not apply.
  var remedy: (@Sendable (Transfer, TransferBase) -> String)?
}

struct SteeredTransfers: ParsableArguments {
  @Argument(help: "The ids, or their beginnings.") var ids: [String]
  @OptionGroup var shared: SharedOptions
}

protocol TransferSteering: TransferVerb {
  static var steering: Steering { get }
  var steered: SteeredTransfers { get }
}

extension TransferSteering {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: steering.name, abstract: steering.abstract, discussion: Examples.text(steering.example))
  }

  var shared: SharedOptions { steered.shared }

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    let (all, steering) = (try await session.transfers(), Self.steering)
    var said: [Transfer.ID] = []
    var failures: [StoreError] = []
    for name in steered.ids {
      do throws(StoreError) {
        let transfer = try TransferName.find(name, among: all)
        guard steering.applies(transfer.state) else {
          throw StoreError(
            .conflict, "\"\(transfer.name)\" (\(transfer.id)) is \(transfer.state.word).",
            remedy: steering.remedy?(transfer, session.base) ?? "", path: transfer.path)
        }
        try await session.hub.perform(steering.command(transfer.id))
        said.append(transfer.id)
      } catch {
        failures.append(error)
      }
    }
    var answer = Answer()
    if !said.isEmpty {
      let now = try await session.transfers().filter { said.contains($0.id) }
      answer = TransferLines.answer(now)
      // This command owns the transfers only briefly, and runs none.
      if now.contains(where: { $0.state == .queued || $0.state == .cancelling }), await session.hub.role == .owner {
        answer.notices.append(
          "No byteclub runs transfers now. To run them: \(session.base.transferCommand("run"))")
      }
    }
    answer.failures = failures
    return answer
  }
}

struct TransferPause: TransferSteering {
  static let steering = Steering(
    name: "pause", abstract: "Pause transfers; the transferred parts are kept.",
    example: ["byteclub transfer pause t4k2": "until byteclub transfer resume t4k2"],
    command: { .pause($0) }, applies: { !$0.isOver && $0 != .cancelling })

  @OptionGroup var steered: SteeredTransfers
}

struct TransferResume: TransferSteering {
  static let steering = Steering(
    name: "resume", abstract: "Resume paused transfers, and retry waiting ones at once.",
    example: ["byteclub transfer resume t4k2": "in the order of the queue"],
    command: { .resume($0) }, applies: { !$0.isOver && $0 != .cancelling })

  @OptionGroup var steered: SteeredTransfers
}

struct TransferCancel: TransferSteering {
  static let steering = Steering(
    name: "cancel", abstract: "Cancel transfers and remove their parts.",
    example: ["byteclub transfer cancel t4k2": "stop it and remove the sent part"],
    command: { .cancel($0) }, applies: { !$0.isOver || $0 == .cancelled },
    remedy: { "Remove it from the list with: \($1.transferCommand("dismiss \($0.id)"))" })

  @OptionGroup var steered: SteeredTransfers
}

struct TransferDismiss: TransferSteering {
  static let steering = Steering(
    name: "dismiss",
    abstract: "Remove finished transfers from the list, and the parts that a failed one had kept for a retry.",
    example: ["byteclub transfer dismiss t4k2": "the uploaded or downloaded file stays"],
    command: { .dismiss($0) }, applies: \.isOver,
    remedy: { "Cancel it with: \($1.transferCommand("cancel \($0.id)"))" })

  @OptionGroup var steered: SteeredTransfers
}

struct TransferRetryVerb: TransferSteering {
  static let steering = Steering(
    name: "retry",
    abstract: "Retry transfers: failed ones continue where they stopped, cancelled ones begin again.",
    example: ["byteclub transfer retry t4k2": "in the order of the queue"],
    command: { .retry($0) }, applies: { $0 != .done },
    remedy: { _, _ in "Upload or download it once more with photo put or photo get." })

  @OptionGroup var steered: SteeredTransfers
}
