import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub trash empty`.
struct TrashEmpty: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "empty", abstract: "Delete what is in the trash for good.",
    discussion: Examples.text(["byteclub trash empty": "nothing of it can be had back"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let count = try await session.open.notes.emptyTrash()
    return Answer(
      [Record(.members(["deleted": .number(count)]), line: nil)],
      notice: count == 1 ? "Deleted one file for good." : "Deleted \(count) files for good.")
  }
}
