import ArgumentParser
import ClubServices
import FileStores
import Transfers

/// `byteclub transfer ls`.
struct TransferList: TransferVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List all transfers in the order of the queue, finished ones last.",
    discussion: Examples.text([
      "byteclub transfer ls": "id, state, progress, name",
      "byteclub transfer ls --json": "all details",
    ]))

  @OptionGroup var shared: SharedOptions

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    TransferLines.answer(try await session.hub.transfers(), club: session.base.club)
  }
}
