import ArgumentParser
import ClubServices
import FileStores
import Transfers

/// `byteclub transfer move`.
struct TransferMoveVerb: TransferVerb {
  /// Where in the queue, as it is typed.
  enum Place: String, CaseIterable, ExpressibleByArgument, Sendable {
    case up, down, first, last

    var move: TransferMove {
      switch self {
      case .up: .up
      case .down: .down
      case .first: .first
      case .last: .last
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Change a transfer's place in the queue.",
    discussion: Examples.text(["byteclub transfer move t4k2 first": "it starts next"]))

  @Argument(help: "The id, or its beginning.") var id: String
  @Argument(help: "up, down, first or last.") var place: Place
  @OptionGroup var shared: SharedOptions

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    let transfer = try TransferName.find(id, among: try await session.hub.transfers())
    guard !transfer.state.isOver else {
      throw StoreError(
        .conflict, "\"\(transfer.name)\" (\(transfer.id)) is \(transfer.state.word) and has no place in the queue.",
        path: transfer.path)
    }
    try await session.hub.perform(.move(transfer.id, place.move))
    return TransferLines.answer(try await session.hub.transfers().filter { !$0.state.isOver })
  }
}
