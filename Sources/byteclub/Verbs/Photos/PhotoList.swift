import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub photo ls`.
struct PhotoList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the photos by name.",
    discussion: Examples.text([
      "byteclub photo ls": "one name a line",
      "byteclub photo ls --long": "with size and time",
    ]))

  @Flag(name: .shortAndLong, help: "Show size and time, too.")
  var long = false
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let club = session.open.club
    var entries: [FileEntry] = []
    try await session.open.photos.list { entries += $0 }
    entries.sort { $0.path < $1.path }
    return Answer(
      entries.map { entry in
        let shown = PhotoName.bytes(entry.path, club)
        return Record(PhotoName.json(entry, club), line: FileLine.bytes(entry, isLong: long, shown: shown))
      })
  }
}
