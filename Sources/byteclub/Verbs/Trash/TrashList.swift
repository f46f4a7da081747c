import ArgumentParser
import ClubServices
import FileStores

/// `byteclub trash ls`.
struct TrashList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the files in the trash, newest first: ids and names.",
    discussion: Examples.text(["byteclub trash ls --long": "with size and time of removal"]))

  @Flag(name: .shortAndLong, help: "Show size and time, too.")
  var long = false
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    Answer(
      try await session.open.notes.trashed().map { file in
        let columns = long ? FileLine.columns(size: file.size, time: file.discarded) : ""
        return Record(.trashed(file), line: Array((columns + file.id + "  ").utf8) + file.origin.bytes)
      })
  }
}
